CREATE TABLE "automation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"trigger" text NOT NULL,
	"course_id" uuid,
	"days" integer NOT NULL,
	"delay_hours" integer NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"tag" text NOT NULL,
	"on_since" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "automation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "automation_trigger_enum" CHECK ("automation"."trigger" in ('courseJoined', 'lessonsNotOpened', 'homeworkOverdue', 'testFailed', 'courseCompleted', 'eventMissed')),
	CONSTRAINT "automation_action_enum" CHECK ("automation"."action" in ('notify', 'task', 'tag')),
	CONSTRAINT "automation_version_range" CHECK ("automation"."version" >= 1),
	CONSTRAINT "automation_days_range" CHECK ("automation"."days" between 1 and 90),
	CONSTRAINT "automation_delay_hours_range" CHECK ("automation"."delay_hours" between 0 and 720),
	CONSTRAINT "automation_title_length" CHECK (char_length("automation"."title") <= 120),
	CONSTRAINT "automation_subject_length" CHECK (char_length("automation"."subject") <= 160),
	CONSTRAINT "automation_text_length" CHECK (char_length("automation"."text") <= 2000),
	CONSTRAINT "automation_tag_length" CHECK (char_length("automation"."tag") <= 40)
);
--> statement-breakpoint
CREATE TABLE "automation_run" (
	"tenant_id" uuid NOT NULL,
	"automation_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "automation_run_tenant_id_automation_id_student_id_cause_pk" PRIMARY KEY("tenant_id","automation_id","student_id","cause"),
	CONSTRAINT "automation_run_cause_length" CHECK (char_length("automation_run"."cause") <= 120)
);
--> statement-breakpoint
CREATE TABLE "inbox_task" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"course_id" uuid,
	"source" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "inbox_task_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "inbox_task_source_length" CHECK (char_length("inbox_task"."source") <= 120),
	CONSTRAINT "inbox_task_text_length" CHECK (char_length("inbox_task"."text") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "program_purchase" (
	"tenant_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"enrolment_id" uuid NOT NULL,
	"sessions" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "program_purchase_tenant_id_order_id_pk" PRIMARY KEY("tenant_id","order_id"),
	CONSTRAINT "program_purchase_sessions_range" CHECK ("program_purchase"."sessions" between 1 and 1000)
);
--> statement-breakpoint
ALTER TABLE "inbox_item" DROP CONSTRAINT "inbox_item_kind_enum";--> statement-breakpoint
ALTER TABLE "booking" ADD COLUMN "recording_consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mentor_session" ADD COLUMN "recording_consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "mentor_program_id" uuid;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "mentor_sessions" integer;--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_automation" FOREIGN KEY ("tenant_id","automation_id") REFERENCES "public"."automation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_task" ADD CONSTRAINT "inbox_task_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_task" ADD CONSTRAINT "inbox_task_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_task" ADD CONSTRAINT "inbox_task_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_purchase" ADD CONSTRAINT "program_purchase_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_purchase" ADD CONSTRAINT "program_purchase_enrolment" FOREIGN KEY ("tenant_id","enrolment_id") REFERENCES "public"."program_enrolment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "automation_present" ON "automation" USING btree ("tenant_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "automation_tenant_id_course_id_index" ON "automation" USING btree ("tenant_id","course_id");--> statement-breakpoint
CREATE INDEX "automation_tenant_id_created_by_index" ON "automation" USING btree ("tenant_id","created_by");--> statement-breakpoint
CREATE INDEX "automation_run_tenant_id_automation_id_created_at_index" ON "automation_run" USING btree ("tenant_id","automation_id","created_at");--> statement-breakpoint
CREATE INDEX "automation_run_tenant_id_student_id_index" ON "automation_run" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "inbox_task_waiting" ON "inbox_task" USING btree ("tenant_id","course_id") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "inbox_task_tenant_id_student_id_index" ON "inbox_task" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "inbox_task_tenant_id_course_id_index" ON "inbox_task" USING btree ("tenant_id","course_id");--> statement-breakpoint
CREATE INDEX "program_purchase_tenant_id_enrolment_id_index" ON "program_purchase" USING btree ("tenant_id","enrolment_id");--> statement-breakpoint
select without_forced_row_security(array['offer', 'mentor_program']::regclass[], $$
  ALTER TABLE "offer" ADD CONSTRAINT "offer_mentor_program" FOREIGN KEY ("tenant_id","mentor_program_id") REFERENCES "public"."mentor_program"("tenant_id","id") ON DELETE no action ON UPDATE no action
$$);--> statement-breakpoint
CREATE INDEX "offer_tenant_id_mentor_program_id_index" ON "offer" USING btree ("tenant_id","mentor_program_id") WHERE "offer"."mentor_program_id" is not null;--> statement-breakpoint
ALTER TABLE "inbox_item" ADD CONSTRAINT "inbox_item_kind_enum" CHECK ("inbox_item"."kind" in ('chat', 'lesson', 'thread', 'homework', 'test', 'task'));--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_mentor_sessions_range" CHECK ("offer"."mentor_sessions" between 1 and 1000);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['automation', 'automation_run', 'inbox_task', 'program_purchase']::regclass[]) t;
