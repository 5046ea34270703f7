CREATE TABLE "mentor_availability" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"time_zone" text NOT NULL,
	"weekly" jsonb NOT NULL,
	"overrides" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"travels" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mentor_availability_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "mentor_availability_version_range" CHECK ("mentor_availability"."version" >= 1),
	CONSTRAINT "mentor_availability_time_zone_length" CHECK (char_length("mentor_availability"."time_zone") <= 64)
);
--> statement-breakpoint
CREATE TABLE "booking" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"enrolment_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"state" text NOT NULL,
	"uses_credit" boolean DEFAULT true NOT NULL,
	"answers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"moved_count" integer DEFAULT 0 NOT NULL,
	"history" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"shared_notes" text DEFAULT '' NOT NULL,
	"private_notes" text DEFAULT '' NOT NULL,
	"homework" text DEFAULT '' NOT NULL,
	"goals" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notes_version" integer DEFAULT 1 NOT NULL,
	"private_version" integer DEFAULT 1 NOT NULL,
	"rating" integer,
	"rating_text" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "booking_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "booking_state_enum" CHECK ("booking"."state" in ('requested', 'confirmed', 'canceledByStudent', 'canceledByMentor', 'completed', 'noShowStudent', 'noShowMentor')),
	CONSTRAINT "booking_sequence_range" CHECK ("booking"."sequence" >= 0),
	CONSTRAINT "booking_moved_count_range" CHECK ("booking"."moved_count" >= 0),
	CONSTRAINT "booking_notes_version_range" CHECK ("booking"."notes_version" >= 1),
	CONSTRAINT "booking_private_version_range" CHECK ("booking"."private_version" >= 1),
	CONSTRAINT "booking_rating_range" CHECK ("booking"."rating" between 1 and 5),
	CONSTRAINT "booking_shared_notes_length" CHECK (char_length("booking"."shared_notes") <= 20000),
	CONSTRAINT "booking_private_notes_length" CHECK (char_length("booking"."private_notes") <= 20000),
	CONSTRAINT "booking_homework_length" CHECK (char_length("booking"."homework") <= 4000),
	CONSTRAINT "booking_rating_text_length" CHECK (char_length("booking"."rating_text") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "booking_hold" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"enrolment_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "booking_hold_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "booking_waitlist" (
	"tenant_id" uuid NOT NULL,
	"program_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"notified_at" timestamp with time zone,
	CONSTRAINT "booking_waitlist_tenant_id_program_id_student_id_pk" PRIMARY KEY("tenant_id","program_id","student_id")
);
--> statement-breakpoint
CREATE TABLE "mentor_session" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"program_id" uuid NOT NULL,
	"mentor_id" uuid NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone NOT NULL,
	"busy_from" timestamp with time zone NOT NULL,
	"busy_to" timestamp with time zone NOT NULL,
	"seats" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone,
	CONSTRAINT "mentor_session_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mentor_session_start_at_end_at_order" CHECK ("mentor_session"."start_at" < "mentor_session"."end_at"),
	CONSTRAINT "mentor_session_busy_from_busy_to_order" CHECK ("mentor_session"."busy_from" < "mentor_session"."busy_to"),
	CONSTRAINT "mentor_session_seats_range" CHECK ("mentor_session"."seats" between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "mentor_program" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"format" text DEFAULT 'individual' NOT NULL,
	"seats" integer DEFAULT 1 NOT NULL,
	"session_minutes" integer DEFAULT 60 NOT NULL,
	"buffer_before" integer DEFAULT 0 NOT NULL,
	"buffer_after" integer DEFAULT 0 NOT NULL,
	"min_notice_hours" integer DEFAULT 12 NOT NULL,
	"max_days_ahead" integer DEFAULT 60 NOT NULL,
	"slot_step_minutes" integer DEFAULT 30 NOT NULL,
	"per_day_max" integer,
	"per_student_open_max" integer DEFAULT 1 NOT NULL,
	"sessions_included" integer,
	"cancel_hours" integer DEFAULT 12 NOT NULL,
	"reschedules" integer DEFAULT 2 NOT NULL,
	"confirmation" text DEFAULT 'auto' NOT NULL,
	"assignment" text DEFAULT 'studentChooses' NOT NULL,
	"place" text DEFAULT 'link' NOT NULL,
	"place_text" text DEFAULT '' NOT NULL,
	"questions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mentor_program_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mentor_program_status_enum" CHECK ("mentor_program"."status" in ('draft', 'published', 'archived')),
	CONSTRAINT "mentor_program_format_enum" CHECK ("mentor_program"."format" in ('individual', 'group')),
	CONSTRAINT "mentor_program_confirmation_enum" CHECK ("mentor_program"."confirmation" in ('auto', 'mentor')),
	CONSTRAINT "mentor_program_assignment_enum" CHECK ("mentor_program"."assignment" in ('studentChooses', 'roundRobin', 'fixed')),
	CONSTRAINT "mentor_program_place_enum" CHECK ("mentor_program"."place" in ('link', 'phone', 'office')),
	CONSTRAINT "mentor_program_version_range" CHECK ("mentor_program"."version" >= 1),
	CONSTRAINT "mentor_program_seats_range" CHECK ("mentor_program"."seats" between 1 and 100),
	CONSTRAINT "mentor_program_session_minutes_range" CHECK ("mentor_program"."session_minutes" between 15 and 180),
	CONSTRAINT "mentor_program_buffer_before_range" CHECK ("mentor_program"."buffer_before" between 0 and 120),
	CONSTRAINT "mentor_program_buffer_after_range" CHECK ("mentor_program"."buffer_after" between 0 and 120),
	CONSTRAINT "mentor_program_min_notice_hours_range" CHECK ("mentor_program"."min_notice_hours" between 0 and 720),
	CONSTRAINT "mentor_program_max_days_ahead_range" CHECK ("mentor_program"."max_days_ahead" between 1 and 180),
	CONSTRAINT "mentor_program_slot_step_minutes_range" CHECK ("mentor_program"."slot_step_minutes" between 5 and 240),
	CONSTRAINT "mentor_program_per_day_max_range" CHECK ("mentor_program"."per_day_max" between 1 and 50),
	CONSTRAINT "mentor_program_per_student_open_max_range" CHECK ("mentor_program"."per_student_open_max" between 1 and 50),
	CONSTRAINT "mentor_program_sessions_included_range" CHECK ("mentor_program"."sessions_included" between 1 and 1000),
	CONSTRAINT "mentor_program_cancel_hours_range" CHECK ("mentor_program"."cancel_hours" between 0 and 720),
	CONSTRAINT "mentor_program_reschedules_range" CHECK ("mentor_program"."reschedules" between 0 and 20),
	CONSTRAINT "mentor_program_title_length" CHECK (char_length("mentor_program"."title") <= 160),
	CONSTRAINT "mentor_program_description_length" CHECK (char_length("mentor_program"."description") <= 4000),
	CONSTRAINT "mentor_program_place_text_length" CHECK (char_length("mentor_program"."place_text") <= 500)
);
--> statement-breakpoint
CREATE TABLE "program_enrolment" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"program_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"mentor_id" uuid,
	"sessions_total" integer,
	"source" text NOT NULL,
	"source_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "program_enrolment_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "program_enrolment_source_enum" CHECK ("program_enrolment"."source" in ('manual', 'group', 'offer')),
	CONSTRAINT "program_enrolment_sessions_total_range" CHECK ("program_enrolment"."sessions_total" between 1 and 1000)
);
--> statement-breakpoint
CREATE TABLE "program_mentor" (
	"tenant_id" uuid NOT NULL,
	"program_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "program_mentor_tenant_id_program_id_member_id_pk" PRIMARY KEY("tenant_id","program_id","member_id")
);
--> statement-breakpoint
ALTER TABLE "mentor_availability" ADD CONSTRAINT "mentor_availability_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentor_availability" ADD CONSTRAINT "mentor_availability_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking" ADD CONSTRAINT "booking_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking" ADD CONSTRAINT "booking_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."mentor_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking" ADD CONSTRAINT "booking_enrolment" FOREIGN KEY ("tenant_id","enrolment_id") REFERENCES "public"."program_enrolment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking" ADD CONSTRAINT "booking_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hold" ADD CONSTRAINT "booking_hold_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hold" ADD CONSTRAINT "booking_hold_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."mentor_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hold" ADD CONSTRAINT "booking_hold_enrolment" FOREIGN KEY ("tenant_id","enrolment_id") REFERENCES "public"."program_enrolment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hold" ADD CONSTRAINT "booking_hold_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD CONSTRAINT "booking_waitlist_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD CONSTRAINT "booking_waitlist_program" FOREIGN KEY ("tenant_id","program_id") REFERENCES "public"."mentor_program"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD CONSTRAINT "booking_waitlist_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentor_session" ADD CONSTRAINT "mentor_session_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentor_session" ADD CONSTRAINT "mentor_session_program" FOREIGN KEY ("tenant_id","program_id") REFERENCES "public"."mentor_program"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentor_session" ADD CONSTRAINT "mentor_session_mentor" FOREIGN KEY ("tenant_id","mentor_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentor_program" ADD CONSTRAINT "mentor_program_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_enrolment" ADD CONSTRAINT "program_enrolment_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_enrolment" ADD CONSTRAINT "program_enrolment_program" FOREIGN KEY ("tenant_id","program_id") REFERENCES "public"."mentor_program"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_enrolment" ADD CONSTRAINT "program_enrolment_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_enrolment" ADD CONSTRAINT "program_enrolment_mentor" FOREIGN KEY ("tenant_id","mentor_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_mentor" ADD CONSTRAINT "program_mentor_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_mentor" ADD CONSTRAINT "program_mentor_program" FOREIGN KEY ("tenant_id","program_id") REFERENCES "public"."mentor_program"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_mentor" ADD CONSTRAINT "program_mentor_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_tenant_id_session_id_index" ON "booking" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "booking_tenant_id_enrolment_id_index" ON "booking" USING btree ("tenant_id","enrolment_id");--> statement-breakpoint
CREATE INDEX "booking_tenant_id_student_id_created_at_index" ON "booking" USING btree ("tenant_id","student_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "booking_once" ON "booking" USING btree ("tenant_id","session_id","student_id") WHERE state in ('requested', 'confirmed');--> statement-breakpoint
CREATE INDEX "booking_hold_tenant_id_session_id_index" ON "booking_hold" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "booking_hold_tenant_id_student_id_index" ON "booking_hold" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE UNIQUE INDEX "booking_hold_one" ON "booking_hold" USING btree ("tenant_id","enrolment_id");--> statement-breakpoint
CREATE INDEX "booking_hold_expiry" ON "booking_hold" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE INDEX "booking_waitlist_tenant_id_student_id_index" ON "booking_waitlist" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "mentor_session_tenant_id_mentor_id_start_at_index" ON "mentor_session" USING btree ("tenant_id","mentor_id","start_at");--> statement-breakpoint
CREATE INDEX "mentor_session_tenant_id_program_id_start_at_index" ON "mentor_session" USING btree ("tenant_id","program_id","start_at");--> statement-breakpoint
CREATE INDEX "mentor_program_tenant_id_status_updated_at_id_index" ON "mentor_program" USING btree ("tenant_id","status","updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "program_enrolment_open" ON "program_enrolment" USING btree ("tenant_id","program_id","student_id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "program_enrolment_tenant_id_program_id_created_at_id_index" ON "program_enrolment" USING btree ("tenant_id","program_id","created_at","id");--> statement-breakpoint
CREATE INDEX "program_enrolment_tenant_id_student_id_index" ON "program_enrolment" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "program_enrolment_tenant_id_mentor_id_index" ON "program_enrolment" USING btree ("tenant_id","mentor_id") WHERE "program_enrolment"."mentor_id" is not null;--> statement-breakpoint
CREATE INDEX "program_mentor_tenant_id_member_id_index" ON "program_mentor" USING btree ("tenant_id","member_id");
--> statement-breakpoint
create extension if not exists btree_gist;
--> statement-breakpoint
alter table mentor_session add constraint mentor_session_no_overlap
  exclude using gist (tenant_id with =, mentor_id with =, tstzrange(busy_from, busy_to) with &&) where (released_at is null);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['mentor_program', 'program_mentor', 'program_enrolment', 'mentor_availability', 'mentor_session', 'booking_hold', 'booking', 'booking_waitlist']::regclass[]) t;
