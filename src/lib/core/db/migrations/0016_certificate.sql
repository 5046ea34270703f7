CREATE TABLE "certificate" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"number" text,
	"name_as_printed" text NOT NULL,
	"name_confirmed_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"issued_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"issued_by" uuid,
	"reason" text DEFAULT '' NOT NULL,
	"replaces_id" uuid,
	"snapshot" jsonb,
	"history" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rendered_at" timestamp with time zone,
	"delivery" jsonb,
	"tracking_number" text DEFAULT '' NOT NULL,
	"scan_file_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificate_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "certificate_tenantId_publicId_unique" UNIQUE("tenant_id","public_id"),
	CONSTRAINT "certificate_type_enum" CHECK ("certificate"."type" in ('electronic', 'manual')),
	CONSTRAINT "certificate_state_enum" CHECK ("certificate"."state" in ('pending', 'issued', 'expired', 'revoked', 'replaced', 'requested', 'approved', 'produced', 'sent', 'received', 'declined')),
	CONSTRAINT "certificate_number_length" CHECK (char_length("certificate"."number") <= 400),
	CONSTRAINT "certificate_name_as_printed_length" CHECK (char_length("certificate"."name_as_printed") <= 160),
	CONSTRAINT "certificate_reason_length" CHECK (char_length("certificate"."reason") <= 500),
	CONSTRAINT "certificate_tracking_number_length" CHECK (char_length("certificate"."tracking_number") <= 100)
);
--> statement-breakpoint
CREATE TABLE "certificate_check" (
	"tenant_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificate_check_tenant_id_course_id_student_id_pk" PRIMARY KEY("tenant_id","course_id","student_id")
);
--> statement-breakpoint
CREATE TABLE "certificate_counter" (
	"tenant_id" uuid NOT NULL,
	"key" text NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "certificate_counter_tenant_id_key_pk" PRIMARY KEY("tenant_id","key"),
	CONSTRAINT "certificate_counter_last_range" CHECK ("certificate_counter"."last" >= 0),
	CONSTRAINT "certificate_counter_key_length" CHECK (char_length("certificate_counter"."key") <= 400)
);
--> statement-breakpoint
CREATE TABLE "certificate_rule" (
	"tenant_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"type" text DEFAULT 'electronic' NOT NULL,
	"template_id" uuid,
	"min_completion" integer DEFAULT 100 NOT NULL,
	"require_tasks" boolean DEFAULT false NOT NULL,
	"test_id" uuid,
	"min_score" integer,
	"deadline" timestamp with time zone,
	"auto_issue" boolean DEFAULT true NOT NULL,
	"confirm_name" boolean DEFAULT true NOT NULL,
	"valid_months" integer,
	"hours" double precision,
	"number_format" text DEFAULT '{TENANT}-{YYYY}-{SEQ5}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificate_rule_tenant_id_course_id_pk" PRIMARY KEY("tenant_id","course_id"),
	CONSTRAINT "certificate_rule_type_enum" CHECK ("certificate_rule"."type" in ('electronic', 'manual')),
	CONSTRAINT "certificate_rule_version_range" CHECK ("certificate_rule"."version" >= 1),
	CONSTRAINT "certificate_rule_min_completion_range" CHECK ("certificate_rule"."min_completion" between 0 and 100),
	CONSTRAINT "certificate_rule_min_score_range" CHECK ("certificate_rule"."min_score" between 0 and 100),
	CONSTRAINT "certificate_rule_valid_months_range" CHECK ("certificate_rule"."valid_months" between 1 and 240),
	CONSTRAINT "certificate_rule_hours_range" CHECK ("certificate_rule"."hours" between 0 and 10000),
	CONSTRAINT "certificate_rule_number_format_length" CHECK (char_length("certificate_rule"."number_format") <= 60)
);
--> statement-breakpoint
CREATE TABLE "certificate_signing_key" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificate_signing_key_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "certificate_signing_key_private_key_length" CHECK (char_length("certificate_signing_key"."private_key") <= 8000)
);
--> statement-breakpoint
CREATE TABLE "certificate_template" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"page_size" text NOT NULL,
	"orientation" text NOT NULL,
	"background" text NOT NULL,
	"background_file_id" uuid,
	"locale" text NOT NULL,
	"elements" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificate_template_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "certificate_template_page_size_enum" CHECK ("certificate_template"."page_size" in ('A4', 'A5', 'Letter')),
	CONSTRAINT "certificate_template_orientation_enum" CHECK ("certificate_template"."orientation" in ('landscape', 'portrait')),
	CONSTRAINT "certificate_template_locale_enum" CHECK ("certificate_template"."locale" in ('uk', 'en')),
	CONSTRAINT "certificate_template_version_range" CHECK ("certificate_template"."version" >= 1),
	CONSTRAINT "certificate_template_name_length" CHECK (char_length("certificate_template"."name") <= 120),
	CONSTRAINT "certificate_template_background_length" CHECK (char_length("certificate_template"."background") <= 7)
);
--> statement-breakpoint
ALTER TABLE "file_use" DROP CONSTRAINT "file_use_user_kind_enum";--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_issued_by" FOREIGN KEY ("tenant_id","issued_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_scan" FOREIGN KEY ("tenant_id","scan_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_replaces" FOREIGN KEY ("tenant_id","replaces_id") REFERENCES "public"."certificate"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_check" ADD CONSTRAINT "certificate_check_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_check" ADD CONSTRAINT "certificate_check_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_check" ADD CONSTRAINT "certificate_check_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_counter" ADD CONSTRAINT "certificate_counter_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_rule" ADD CONSTRAINT "certificate_rule_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_rule" ADD CONSTRAINT "certificate_rule_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_rule" ADD CONSTRAINT "certificate_rule_template" FOREIGN KEY ("tenant_id","template_id") REFERENCES "public"."certificate_template"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_signing_key" ADD CONSTRAINT "certificate_signing_key_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_template" ADD CONSTRAINT "certificate_template_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_template" ADD CONSTRAINT "certificate_template_background" FOREIGN KEY ("tenant_id","background_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_number" ON "certificate" USING btree ("tenant_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_current" ON "certificate" USING btree ("tenant_id","course_id","student_id") WHERE "certificate"."state" not in ('revoked', 'replaced', 'declined', 'expired');--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_course_id_created_at_id_index" ON "certificate" USING btree ("tenant_id","course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_student_id_created_at_index" ON "certificate" USING btree ("tenant_id","student_id","created_at");--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_issued_by_index" ON "certificate" USING btree ("tenant_id","issued_by") WHERE "certificate"."issued_by" is not null;--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_replaces_id_index" ON "certificate" USING btree ("tenant_id","replaces_id") WHERE "certificate"."replaces_id" is not null;--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_scan_file_id_index" ON "certificate" USING btree ("tenant_id","scan_file_id") WHERE "certificate"."scan_file_id" is not null;--> statement-breakpoint
CREATE INDEX "certificate_tenant_id_expires_at_index" ON "certificate" USING btree ("tenant_id","expires_at") WHERE "certificate"."state" = 'issued';--> statement-breakpoint
CREATE INDEX "certificate_due" ON "certificate" USING btree ("tenant_id","due_at") WHERE "certificate"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "certificate_check_tenant_id_student_id_index" ON "certificate_check" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "certificate_rule_tenant_id_template_id_index" ON "certificate_rule" USING btree ("tenant_id","template_id") WHERE "certificate_rule"."template_id" is not null;--> statement-breakpoint
CREATE INDEX "certificate_template_tenant_id_created_at_id_index" ON "certificate_template" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "certificate_template_tenant_id_background_file_id_index" ON "certificate_template" USING btree ("tenant_id","background_file_id") WHERE "certificate_template"."background_file_id" is not null;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_user_kind_enum" CHECK ("file_use"."user_kind" in ('lesson', 'course', 'task', 'submission', 'roadmap', 'message', 'workshop', 'masterclass', 'autowebinar', 'certificate', 'school', 'question', 'quiz', 'attempt'));--> statement-breakpoint
select isolate_tenants(t) from unnest(array['certificate_template', 'certificate_rule', 'certificate_counter', 'certificate', 'certificate_check', 'certificate_signing_key']::regclass[]) t;
--> statement-breakpoint
-- Whichever module completes a lesson, accepts a submission or grades a test: a job checks the student again.
create function note_certificate_check() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  insert into certificate_check (tenant_id, course_id, student_id)
  select new.tenant_id, new.course_id, new.student_id
   where exists (select 1 from certificate_rule r
     where r.tenant_id = new.tenant_id and r.course_id = new.course_id and r.enabled and r.auto_issue and r.type = 'electronic')
  on conflict (tenant_id, course_id, student_id) do update set at = now();
  return null;
end $$;
--> statement-breakpoint
create trigger certificate_of_progress after insert or update of completed_at, homework_accepted_at, test_passed_at on lesson_progress
  for each row when (new.completed_at is not null or new.homework_accepted_at is not null or new.test_passed_at is not null)
  execute function note_certificate_check();
