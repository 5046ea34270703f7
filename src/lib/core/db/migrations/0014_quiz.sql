CREATE TABLE "quiz_answer" (
	"tenant_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"value" jsonb,
	"revision" integer DEFAULT 1 NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"score" numeric(9, 2),
	"manual_score" numeric(9, 2),
	"comment" text DEFAULT '' NOT NULL,
	"graded_by" uuid,
	"graded_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	CONSTRAINT "quiz_answer_tenant_id_attempt_id_question_id_pk" PRIMARY KEY("tenant_id","attempt_id","question_id"),
	CONSTRAINT "quiz_answer_revision_range" CHECK ("quiz_answer"."revision" >= 1),
	CONSTRAINT "quiz_answer_comment_length" CHECK (char_length("quiz_answer"."comment") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "quiz_attempt" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"seed" integer NOT NULL,
	"questions" jsonb NOT NULL,
	"rules" jsonb NOT NULL,
	"state" text DEFAULT 'inProgress' NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp with time zone,
	"extra_time_sec" integer DEFAULT 0 NOT NULL,
	"submitted_at" timestamp with time zone,
	"graded_at" timestamp with time zone,
	"page" integer DEFAULT 0 NOT NULL,
	"max_score" numeric(9, 2) NOT NULL,
	"score" numeric(9, 2),
	"passed" boolean,
	CONSTRAINT "quiz_attempt_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_attempt_tenantId_quizId_studentId_number_unique" UNIQUE("tenant_id","quiz_id","student_id","number"),
	CONSTRAINT "quiz_attempt_state_enum" CHECK ("quiz_attempt"."state" in ('inProgress', 'overdue', 'submitted', 'needsReview', 'graded', 'abandoned')),
	CONSTRAINT "quiz_attempt_extra_time_sec_range" CHECK ("quiz_attempt"."extra_time_sec" >= 0),
	CONSTRAINT "quiz_attempt_page_range" CHECK ("quiz_attempt"."page" >= 0),
	CONSTRAINT "quiz_attempt_number_range" CHECK ("quiz_attempt"."number" >= 1)
);
--> statement-breakpoint
CREATE TABLE "quiz_attempt_event" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"event" text NOT NULL,
	"by" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"seconds" integer,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "quiz_attempt_event_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_attempt_event_event_enum" CHECK ("quiz_attempt_event"."event" in ('started', 'resumed', 'expired', 'submitted', 'abandoned', 'timeGranted', 'graded', 'regraded')),
	CONSTRAINT "quiz_attempt_event_note_length" CHECK (char_length("quiz_attempt_event"."note") <= 500)
);
--> statement-breakpoint
CREATE TABLE "question" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bank_id" uuid,
	"type" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"points" numeric(9, 2) DEFAULT 1 NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"difficulty" integer DEFAULT 2 NOT NULL,
	"locale" text DEFAULT 'uk' NOT NULL,
	"complete" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "question_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "question_type_enum" CHECK ("question"."type" in ('single', 'multiple', 'trueFalse', 'shortText', 'number', 'essay', 'fileUpload', 'matching', 'ordering', 'gapText', 'gapSelect', 'hotspot', 'scale')),
	CONSTRAINT "question_locale_enum" CHECK ("question"."locale" in ('uk', 'en')),
	CONSTRAINT "question_version_range" CHECK ("question"."version" >= 1),
	CONSTRAINT "question_revision_range" CHECK ("question"."revision" >= 1),
	CONSTRAINT "question_points_range" CHECK ("question"."points" between 0 and 1000),
	CONSTRAINT "question_difficulty_range" CHECK ("question"."difficulty" between 1 and 3),
	CONSTRAINT "question_title_length" CHECK (char_length("question"."title") <= 300)
);
--> statement-breakpoint
CREATE TABLE "question_bank" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "question_bank_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "question_bank_tenantId_title_unique" UNIQUE("tenant_id","title"),
	CONSTRAINT "question_bank_title_length" CHECK (char_length("question_bank"."title") <= 120)
);
--> statement-breakpoint
CREATE TABLE "question_version" (
	"tenant_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"content" jsonb NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "question_version_tenant_id_question_id_version_pk" PRIMARY KEY("tenant_id","question_id","version"),
	CONSTRAINT "question_version_version_range" CHECK ("question_version"."version" >= 1)
);
--> statement-breakpoint
CREATE TABLE "quiz" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid,
	"title" text NOT NULL,
	"intro" jsonb,
	"status" text DEFAULT 'draft' NOT NULL,
	"open_at" timestamp with time zone,
	"close_at" timestamp with time zone,
	"time_limit_sec" integer,
	"on_expiry" text DEFAULT 'autoSubmit' NOT NULL,
	"grace_sec" integer DEFAULT 60 NOT NULL,
	"network_grace_sec" integer DEFAULT 15 NOT NULL,
	"attempts" integer,
	"delay_minutes" integer DEFAULT 0 NOT NULL,
	"grade_of" text DEFAULT 'best' NOT NULL,
	"pass_percent" integer DEFAULT 60 NOT NULL,
	"shuffle_questions" boolean DEFAULT false NOT NULL,
	"shuffle_options" boolean DEFAULT true NOT NULL,
	"per_page" integer,
	"navigation" text DEFAULT 'free' NOT NULL,
	"feedback" text DEFAULT 'afterAttempt' NOT NULL,
	"show" jsonb NOT NULL,
	"grade_bands" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"negative_marking" boolean DEFAULT false NOT NULL,
	"partial_credit" boolean DEFAULT true NOT NULL,
	"password" text,
	"required" boolean DEFAULT true NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "quiz_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_status_enum" CHECK ("quiz"."status" in ('draft', 'published')),
	CONSTRAINT "quiz_on_expiry_enum" CHECK ("quiz"."on_expiry" in ('autoSubmit', 'graceSubmit', 'discard')),
	CONSTRAINT "quiz_grade_of_enum" CHECK ("quiz"."grade_of" in ('best', 'last', 'first', 'average')),
	CONSTRAINT "quiz_navigation_enum" CHECK ("quiz"."navigation" in ('free', 'forward')),
	CONSTRAINT "quiz_feedback_enum" CHECK ("quiz"."feedback" in ('afterEach', 'afterAttempt', 'afterClose', 'never')),
	CONSTRAINT "quiz_delay_minutes_range" CHECK ("quiz"."delay_minutes" >= 0),
	CONSTRAINT "quiz_revision_range" CHECK ("quiz"."revision" >= 1),
	CONSTRAINT "quiz_open_at_close_at_order" CHECK ("quiz"."open_at" < "quiz"."close_at"),
	CONSTRAINT "quiz_time_limit_sec_range" CHECK ("quiz"."time_limit_sec" between 30 and 604800),
	CONSTRAINT "quiz_grace_sec_range" CHECK ("quiz"."grace_sec" between 0 and 86400),
	CONSTRAINT "quiz_network_grace_sec_range" CHECK ("quiz"."network_grace_sec" between 0 and 120),
	CONSTRAINT "quiz_attempts_range" CHECK ("quiz"."attempts" between 1 and 100),
	CONSTRAINT "quiz_pass_percent_range" CHECK ("quiz"."pass_percent" between 0 and 100),
	CONSTRAINT "quiz_per_page_range" CHECK ("quiz"."per_page" between 1 and 100),
	CONSTRAINT "quiz_title_length" CHECK (char_length("quiz"."title") <= 160),
	CONSTRAINT "quiz_password_length" CHECK (char_length("quiz"."password") <= 60)
);
--> statement-breakpoint
CREATE TABLE "quiz_override" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"student_id" uuid,
	"group_id" uuid,
	"open_at" timestamp with time zone,
	"close_at" timestamp with time zone,
	"time_limit_sec" integer,
	"extra_attempts" integer DEFAULT 0 NOT NULL,
	"extra_time_sec" integer DEFAULT 0 NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quiz_override_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_override_tenantId_quizId_studentId_groupId_unique" UNIQUE NULLS NOT DISTINCT("tenant_id","quiz_id","student_id","group_id"),
	CONSTRAINT "quiz_override_target" CHECK (num_nonnulls("quiz_override"."student_id", "quiz_override"."group_id") = 1),
	CONSTRAINT "quiz_override_open_at_close_at_order" CHECK ("quiz_override"."open_at" < "quiz_override"."close_at"),
	CONSTRAINT "quiz_override_time_limit_sec_range" CHECK ("quiz_override"."time_limit_sec" between 30 and 604800),
	CONSTRAINT "quiz_override_extra_attempts_range" CHECK ("quiz_override"."extra_attempts" between 0 and 100),
	CONSTRAINT "quiz_override_extra_time_sec_range" CHECK ("quiz_override"."extra_time_sec" between 0 and 604800)
);
--> statement-breakpoint
CREATE TABLE "quiz_policy" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"outage_cap_minutes" integer DEFAULT 30 NOT NULL,
	CONSTRAINT "quiz_policy_outage_cap_minutes_range" CHECK ("quiz_policy"."outage_cap_minutes" between 0 and 1440)
);
--> statement-breakpoint
CREATE TABLE "quiz_question" (
	"tenant_id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"section_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"points" numeric(9, 2),
	CONSTRAINT "quiz_question_tenant_id_quiz_id_question_id_pk" PRIMARY KEY("tenant_id","quiz_id","question_id"),
	CONSTRAINT "quiz_question_position_range" CHECK ("quiz_question"."position" >= 0),
	CONSTRAINT "quiz_question_points_range" CHECK ("quiz_question"."points" between 0 and 1000)
);
--> statement-breakpoint
CREATE TABLE "quiz_section" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"pick" text DEFAULT 'fixed' NOT NULL,
	"bank_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"difficulty" integer,
	"count" integer,
	"points" numeric(9, 2),
	CONSTRAINT "quiz_section_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_section_pick_enum" CHECK ("quiz_section"."pick" in ('fixed', 'random')),
	CONSTRAINT "quiz_section_position_range" CHECK ("quiz_section"."position" >= 0),
	CONSTRAINT "quiz_section_difficulty_range" CHECK ("quiz_section"."difficulty" between 1 and 3),
	CONSTRAINT "quiz_section_count_range" CHECK ("quiz_section"."count" between 1 and 200),
	CONSTRAINT "quiz_section_points_range" CHECK ("quiz_section"."points" between 0 and 1000),
	CONSTRAINT "quiz_section_title_length" CHECK (char_length("quiz_section"."title") <= 160)
);
--> statement-breakpoint
ALTER TABLE "file" DROP CONSTRAINT "file_area_enum";--> statement-breakpoint
ALTER TABLE "file_use" DROP CONSTRAINT "file_use_user_kind_enum";--> statement-breakpoint
ALTER TABLE "upload" DROP CONSTRAINT "upload_area_enum";--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD CONSTRAINT "quiz_answer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD CONSTRAINT "quiz_answer_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."quiz_attempt"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD CONSTRAINT "quiz_answer_question" FOREIGN KEY ("tenant_id","question_id") REFERENCES "public"."question"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD CONSTRAINT "quiz_answer_graded_by" FOREIGN KEY ("tenant_id","graded_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt" ADD CONSTRAINT "quiz_attempt_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt" ADD CONSTRAINT "quiz_attempt_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt" ADD CONSTRAINT "quiz_attempt_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt_event" ADD CONSTRAINT "quiz_attempt_event_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt_event" ADD CONSTRAINT "quiz_attempt_event_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."quiz_attempt"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_attempt_event" ADD CONSTRAINT "quiz_attempt_event_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_bank_id" FOREIGN KEY ("tenant_id","bank_id") REFERENCES "public"."question_bank"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_bank" ADD CONSTRAINT "question_bank_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_version" ADD CONSTRAINT "question_version_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_version" ADD CONSTRAINT "question_version_question" FOREIGN KEY ("tenant_id","question_id") REFERENCES "public"."question"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_version" ADD CONSTRAINT "question_version_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz" ADD CONSTRAINT "quiz_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz" ADD CONSTRAINT "quiz_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz" ADD CONSTRAINT "quiz_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_override" ADD CONSTRAINT "quiz_override_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_override" ADD CONSTRAINT "quiz_override_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_override" ADD CONSTRAINT "quiz_override_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_override" ADD CONSTRAINT "quiz_override_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_override" ADD CONSTRAINT "quiz_override_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_policy" ADD CONSTRAINT "quiz_policy_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_question" ADD CONSTRAINT "quiz_question_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_question" ADD CONSTRAINT "quiz_question_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_question" ADD CONSTRAINT "quiz_question_section" FOREIGN KEY ("tenant_id","section_id") REFERENCES "public"."quiz_section"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_question" ADD CONSTRAINT "quiz_question_question" FOREIGN KEY ("tenant_id","question_id") REFERENCES "public"."question"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_section" ADD CONSTRAINT "quiz_section_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_section" ADD CONSTRAINT "quiz_section_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_section" ADD CONSTRAINT "quiz_section_bank" FOREIGN KEY ("tenant_id","bank_id") REFERENCES "public"."question_bank"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quiz_answer_tenant_id_question_id_index" ON "quiz_answer" USING btree ("tenant_id","question_id");--> statement-breakpoint
CREATE INDEX "quiz_answer_tenant_id_graded_by_index" ON "quiz_answer" USING btree ("tenant_id","graded_by");--> statement-breakpoint
CREATE UNIQUE INDEX "quiz_attempt_running" ON "quiz_attempt" USING btree ("tenant_id","quiz_id","student_id") WHERE state in ('inProgress', 'overdue');--> statement-breakpoint
CREATE INDEX "quiz_attempt_tenant_id_student_id_quiz_id_index" ON "quiz_attempt" USING btree ("tenant_id","student_id","quiz_id");--> statement-breakpoint
CREATE INDEX "quiz_attempt_tenant_id_quiz_id_state_submitted_at_id_index" ON "quiz_attempt" USING btree ("tenant_id","quiz_id","state","submitted_at","id");--> statement-breakpoint
CREATE INDEX "quiz_attempt_deadline" ON "quiz_attempt" USING btree ("tenant_id","deadline_at") WHERE state in ('inProgress', 'overdue') and deadline_at is not null;--> statement-breakpoint
CREATE INDEX "quiz_attempt_event_tenant_id_attempt_id_at_index" ON "quiz_attempt_event" USING btree ("tenant_id","attempt_id","at");--> statement-breakpoint
CREATE INDEX "quiz_attempt_event_tenant_id_by_index" ON "quiz_attempt_event" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "question_tenant_id_bank_id_index" ON "question" USING btree ("tenant_id","bank_id");--> statement-breakpoint
CREATE INDEX "question_tenant_id_author_id_index" ON "question" USING btree ("tenant_id","author_id");--> statement-breakpoint
CREATE INDEX "question_list" ON "question" USING btree ("tenant_id","updated_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "question_tags" ON "question" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "question_version_tenant_id_by_index" ON "question_version" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "quiz_tenant_id_course_id_updated_at_id_index" ON "quiz" USING btree ("tenant_id","course_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "quiz_tenant_id_updated_at_id_index" ON "quiz" USING btree ("tenant_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "quiz_tenant_id_author_id_index" ON "quiz" USING btree ("tenant_id","author_id");--> statement-breakpoint
CREATE INDEX "quiz_override_tenant_id_student_id_index" ON "quiz_override" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "quiz_override_tenant_id_group_id_index" ON "quiz_override" USING btree ("tenant_id","group_id");--> statement-breakpoint
CREATE INDEX "quiz_override_tenant_id_by_index" ON "quiz_override" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "quiz_question_tenant_id_section_id_position_index" ON "quiz_question" USING btree ("tenant_id","section_id","position");--> statement-breakpoint
CREATE INDEX "quiz_question_tenant_id_question_id_index" ON "quiz_question" USING btree ("tenant_id","question_id");--> statement-breakpoint
CREATE INDEX "quiz_section_tenant_id_quiz_id_position_index" ON "quiz_section" USING btree ("tenant_id","quiz_id","position");--> statement-breakpoint
CREATE INDEX "quiz_section_tenant_id_bank_id_index" ON "quiz_section" USING btree ("tenant_id","bank_id");--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_area_enum" CHECK ("file"."area" in ('storage', 'homework', 'quiz'));--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_user_kind_enum" CHECK ("file_use"."user_kind" in ('lesson', 'course', 'task', 'submission', 'roadmap', 'message', 'workshop', 'masterclass', 'autowebinar', 'school', 'question', 'quiz', 'attempt'));--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_area_enum" CHECK ("upload"."area" in ('storage', 'homework', 'quiz'));--> statement-breakpoint
select isolate_tenants(t) from unnest(array['question_bank', 'question', 'question_version', 'quiz', 'quiz_section', 'quiz_question', 'quiz_override', 'quiz_policy', 'quiz_attempt', 'quiz_answer', 'quiz_attempt_event']::regclass[]) t;
