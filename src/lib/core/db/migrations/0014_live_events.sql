CREATE TABLE "registration" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"session_id" uuid,
	"member_id" uuid,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"phone" text,
	"answers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"locale" text NOT NULL,
	"time_zone" text NOT NULL,
	"source" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"consent_marketing_at" timestamp with time zone,
	"state" text DEFAULT 'confirmed' NOT NULL,
	"offered_until" timestamp with time zone,
	"join_digest" text NOT NULL,
	"join_sealed" text NOT NULL,
	"ics_sequence" integer DEFAULT 0 NOT NULL,
	"first_joined_at" timestamp with time zone,
	"last_seen_at" timestamp with time zone,
	"watched_seconds" integer DEFAULT 0 NOT NULL,
	"unsubscribed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "registration_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "registration_once" UNIQUE NULLS NOT DISTINCT("tenant_id","workshop_id","email","session_id")
);
--> statement-breakpoint
CREATE TABLE "workshop" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"cover_file_id" uuid,
	"language" text DEFAULT 'uk' NOT NULL,
	"publication" text DEFAULT 'draft' NOT NULL,
	"start_at" timestamp with time zone,
	"time_zone" text NOT NULL,
	"planned_minutes" integer DEFAULT 60 NOT NULL,
	"access" text DEFAULT 'registration' NOT NULL,
	"source" text DEFAULT 'builtin' NOT NULL,
	"slides_file_id" uuid,
	"settings" jsonb NOT NULL,
	"schedule_version" integer DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	CONSTRAINT "workshop_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "workshop_item" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"content" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "workshop_item_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "workshop_session" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"start_at" timestamp with time zone,
	"planned_minutes" integer NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"next_seq" bigint DEFAULT 1 NOT NULL,
	"state" jsonb NOT NULL,
	"film_file_id" uuid,
	"film_offset_ms" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workshop_session_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "workshop_staff" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"role" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "workshop_staff_tenant_id_workshop_id_member_id_role_pk" PRIMARY KEY("tenant_id","workshop_id","member_id","role")
);
--> statement-breakpoint
CREATE TABLE "workshop_event" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"offset_ms" integer NOT NULL,
	"actor_id" uuid,
	"client_id" text,
	"type" text NOT NULL,
	"audience" text DEFAULT 'all' NOT NULL,
	"person_id" uuid,
	"payload" jsonb NOT NULL,
	CONSTRAINT "workshop_event_tenant_id_session_id_seq_pk" PRIMARY KEY("tenant_id","session_id","seq")
);
--> statement-breakpoint
CREATE TABLE "workshop_participant" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"role" text DEFAULT 'viewer' NOT NULL,
	"member_id" uuid,
	"registration_id" uuid,
	"name" text NOT NULL,
	"email" text,
	"locale" text DEFAULT 'uk' NOT NULL,
	"time_zone" text DEFAULT 'Europe/Kyiv' NOT NULL,
	"device" text,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	"muted_until" timestamp with time zone,
	"isolated_at" timestamp with time zone,
	"banned_at" timestamp with time zone,
	CONSTRAINT "workshop_participant_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_cover" FOREIGN KEY ("tenant_id","cover_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_slides" FOREIGN KEY ("tenant_id","slides_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_item" ADD CONSTRAINT "workshop_item_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_item" ADD CONSTRAINT "workshop_item_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_film" FOREIGN KEY ("tenant_id","film_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_event" ADD CONSTRAINT "workshop_event_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_event" ADD CONSTRAINT "workshop_event_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "registration_tenant_id_join_digest_index" ON "registration" USING btree ("tenant_id","join_digest");--> statement-breakpoint
CREATE INDEX "registration_tenant_id_workshop_id_state_created_at_id_index" ON "registration" USING btree ("tenant_id","workshop_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_type_updated_at_id_index" ON "workshop" USING btree ("tenant_id","type","updated_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_start_at_id_index" ON "workshop" USING btree ("tenant_id","start_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_updated_at_id_index" ON "workshop" USING btree ("tenant_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "workshop_item_tenant_id_workshop_id_kind_position_index" ON "workshop_item" USING btree ("tenant_id","workshop_id","kind","position");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_session_one" ON "workshop_session" USING btree ("tenant_id","workshop_id") WHERE kind in ('live', 'onDemand');--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_session_showing" ON "workshop_session" USING btree ("tenant_id","workshop_id","start_at") WHERE kind = 'auto';--> statement-breakpoint
CREATE INDEX "workshop_session_tenant_id_workshop_id_start_at_index" ON "workshop_session" USING btree ("tenant_id","workshop_id","start_at");--> statement-breakpoint
CREATE INDEX "workshop_staff_tenant_id_member_id_index" ON "workshop_staff" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_event_tenant_id_session_id_actor_id_client_id_index" ON "workshop_event" USING btree ("tenant_id","session_id","actor_id","client_id");--> statement-breakpoint
CREATE INDEX "workshop_event_tenant_id_session_id_type_seq_index" ON "workshop_event" USING btree ("tenant_id","session_id","type","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_participant_tenant_id_session_id_member_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_participant_tenant_id_session_id_registration_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","registration_id");--> statement-breakpoint
CREATE INDEX "workshop_participant_tenant_id_session_id_name_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","name","id");--> statement-breakpoint
select wall('workshop'::regclass);--> statement-breakpoint
select wall('workshop_staff'::regclass);--> statement-breakpoint
select wall('workshop_item'::regclass);--> statement-breakpoint
select wall('workshop_session'::regclass);--> statement-breakpoint
select wall('workshop_participant'::regclass);--> statement-breakpoint
select wall('workshop_event'::regclass);--> statement-breakpoint
select wall('registration'::regclass);