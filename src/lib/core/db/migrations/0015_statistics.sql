CREATE TABLE "session_button" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"button_id" uuid NOT NULL,
	"label" text NOT NULL,
	"shown" integer NOT NULL,
	"saw" integer NOT NULL,
	"clicked" integer NOT NULL,
	"clicks" integer NOT NULL,
	CONSTRAINT "session_button_tenant_id_session_id_button_id_pk" PRIMARY KEY("tenant_id","session_id","button_id")
);
--> statement-breakpoint
CREATE TABLE "session_minute" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"minute" integer NOT NULL,
	"joined" integer NOT NULL,
	"left" integer NOT NULL,
	"messages" integer NOT NULL,
	"questions" integer NOT NULL,
	"reactions" integer NOT NULL,
	"clicks" integer NOT NULL,
	"online" integer NOT NULL,
	"peak" integer NOT NULL,
	CONSTRAINT "session_minute_tenant_id_session_id_minute_pk" PRIMARY KEY("tenant_id","session_id","minute")
);
--> statement-breakpoint
CREATE TABLE "session_roll" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"rolled_seq" bigint DEFAULT 0 NOT NULL,
	"totals" jsonb NOT NULL,
	CONSTRAINT "session_roll_tenant_id_session_id_pk" PRIMARY KEY("tenant_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "session_viewer" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"here_since" bigint,
	"hidden_since" bigint,
	"watched_ms" bigint NOT NULL,
	"hidden_ms" bigint NOT NULL,
	"stays" jsonb NOT NULL,
	"messages" integer NOT NULL,
	"questions" integer NOT NULL,
	"reactions" integer NOT NULL,
	"votes" integer NOT NULL,
	"clicks" integer NOT NULL,
	"saw" uuid[] NOT NULL,
	"clicked" uuid[] NOT NULL,
	CONSTRAINT "session_viewer_tenant_id_session_id_participant_id_pk" PRIMARY KEY("tenant_id","session_id","participant_id")
);
--> statement-breakpoint
ALTER TABLE "session_button" ADD CONSTRAINT "session_button_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_button" ADD CONSTRAINT "session_button_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_minute" ADD CONSTRAINT "session_minute_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_minute" ADD CONSTRAINT "session_minute_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_roll" ADD CONSTRAINT "session_roll_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_roll" ADD CONSTRAINT "session_roll_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_viewer" ADD CONSTRAINT "session_viewer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_viewer" ADD CONSTRAINT "session_viewer_participant" FOREIGN KEY ("tenant_id","participant_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_viewer_tenant_id_session_id_first_at_participant_id_index" ON "session_viewer" USING btree ("tenant_id","session_id","first_at","participant_id");--> statement-breakpoint
CREATE INDEX "session_viewer_tenant_id_session_id_watched_ms_participant_id_index" ON "session_viewer" USING btree ("tenant_id","session_id","watched_ms","participant_id");--> statement-breakpoint
select wall('session_roll'::regclass);--> statement-breakpoint
select wall('session_minute'::regclass);--> statement-breakpoint
select wall('session_button'::regclass);--> statement-breakpoint
select wall('session_viewer'::regclass);