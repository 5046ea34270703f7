CREATE TABLE "meeting_button" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"button_id" uuid NOT NULL,
	"shown_at" timestamp with time zone NOT NULL,
	"person_id" uuid NOT NULL,
	"saw_at" timestamp with time zone,
	"clicked_at" timestamp with time zone,
	CONSTRAINT "meeting_button_tenant_id_session_id_button_id_shown_at_person_id_pk" PRIMARY KEY("tenant_id","session_id","button_id","shown_at","person_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_presence" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"viewer" boolean NOT NULL,
	"present" boolean DEFAULT false NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"seat_until" timestamp with time zone,
	CONSTRAINT "meeting_presence_tenant_id_session_id_person_id_pk" PRIMARY KEY("tenant_id","session_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_queue" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "meeting_queue_tenant_id_session_id_person_id_pk" PRIMARY KEY("tenant_id","session_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_rating" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"stars" smallint NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "meeting_rating_tenant_id_session_id_person_id_pk" PRIMARY KEY("tenant_id","session_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_room" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"online" integer DEFAULT 0 NOT NULL,
	"online_at" timestamp with time zone,
	"waiting" integer DEFAULT 0 NOT NULL,
	"silent_at" timestamp with time zone,
	"held_at" timestamp with time zone,
	CONSTRAINT "meeting_room_tenant_id_session_id_pk" PRIMARY KEY("tenant_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_stream" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"process_id" uuid NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "meeting_stream_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "meeting_vote" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"poll_id" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"person_id" uuid NOT NULL,
	"choices" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "meeting_vote_tenant_id_session_id_poll_id_opened_at_person_id_pk" PRIMARY KEY("tenant_id","session_id","poll_id","opened_at","person_id")
);
--> statement-breakpoint
ALTER TABLE "meeting_button" ADD CONSTRAINT "meeting_button_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_button" ADD CONSTRAINT "meeting_button_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_button" ADD CONSTRAINT "meeting_button_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_presence" ADD CONSTRAINT "meeting_presence_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_presence" ADD CONSTRAINT "meeting_presence_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_presence" ADD CONSTRAINT "meeting_presence_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_queue" ADD CONSTRAINT "meeting_queue_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_queue" ADD CONSTRAINT "meeting_queue_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_queue" ADD CONSTRAINT "meeting_queue_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_rating" ADD CONSTRAINT "meeting_rating_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_rating" ADD CONSTRAINT "meeting_rating_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_rating" ADD CONSTRAINT "meeting_rating_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_room" ADD CONSTRAINT "meeting_room_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_room" ADD CONSTRAINT "meeting_room_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_stream" ADD CONSTRAINT "meeting_stream_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_stream" ADD CONSTRAINT "meeting_stream_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_stream" ADD CONSTRAINT "meeting_stream_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_vote" ADD CONSTRAINT "meeting_vote_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_vote" ADD CONSTRAINT "meeting_vote_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_vote" ADD CONSTRAINT "meeting_vote_person" FOREIGN KEY ("tenant_id","person_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "meeting_queue_tenant_id_session_id_id_index" ON "meeting_queue" USING btree ("tenant_id","session_id","id");--> statement-breakpoint
CREATE INDEX "meeting_stream_tenant_id_session_id_person_id_index" ON "meeting_stream" USING btree ("tenant_id","session_id","person_id");--> statement-breakpoint
CREATE INDEX "meeting_stream_tenant_id_process_id_index" ON "meeting_stream" USING btree ("tenant_id","process_id");--> statement-breakpoint
select wall('meeting_button'::regclass);
--> statement-breakpoint
select wall('meeting_presence'::regclass);
--> statement-breakpoint
select wall('meeting_queue'::regclass);
--> statement-breakpoint
select wall('meeting_rating'::regclass);
--> statement-breakpoint
select wall('meeting_room'::regclass);
--> statement-breakpoint
select wall('meeting_stream'::regclass);
--> statement-breakpoint
select wall('meeting_vote'::regclass);
