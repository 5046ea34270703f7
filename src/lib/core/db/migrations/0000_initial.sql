-- The whole schema: what tables need beforehand, tables, foreign keys, indexes, row-level security, functions.
-- Tables, keys and indexes are as drizzle-kit generates them from the table.ts files; the rest is written manually.

-- ---------------------------------------------------------------- What tables and policies need

-- Normal form of a text for searches: lower case, one kind of apostrophe.
create extension if not exists pg_trgm;
--> statement-breakpoint
create function search_text(value text) returns text language sql immutable strict parallel safe
  as $$ select translate(lower(value collate "und-x-icu"), '’ʼ‘´`′', '''''''''''''') $$;
--> statement-breakpoint
-- Names in natural order: by the Ukrainian alphabet, and "2" before "10".
create collation natural_order (provider = icu, locale = 'uk-u-kn-true');
--> statement-breakpoint
-- The tenant and the user of a transaction; null where none is set.
create function current_tenant() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;
--> statement-breakpoint
create function current_person() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;
--> statement-breakpoint

-- ---------------------------------------------------------------- Tables

CREATE TABLE "auto_clock" (
	"tenant_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"paused_at_ms" integer,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_clock_tenant_id_person_id_pk" PRIMARY KEY("tenant_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "auto_plan" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"video_file_id" uuid,
	"video_ms" integer DEFAULT 0 NOT NULL,
	"video_offset_ms" integer DEFAULT 0 NOT NULL,
	"source_session_id" uuid,
	"schedule" jsonb NOT NULL,
	"quiet_hours" jsonb,
	"capacity" integer,
	"muted_tracks" text[] DEFAULT '{}'::text[] NOT NULL,
	"may_restart" boolean DEFAULT false NOT NULL,
	"may_pause" boolean DEFAULT false NOT NULL,
	"honest" jsonb NOT NULL,
	"watched_before" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_plan_tenant_id_workshop_id_pk" PRIMARY KEY("tenant_id","workshop_id"),
	CONSTRAINT "auto_plan_muted_tracks_enum" CHECK ("auto_plan"."muted_tracks" <@ array['chat', 'buttons', 'slides', 'layout', 'polls', 'handouts']::text[]),
	CONSTRAINT "auto_plan_video_ms_range" CHECK ("auto_plan"."video_ms" >= 0),
	CONSTRAINT "auto_plan_watched_before_range" CHECK ("auto_plan"."watched_before" >= 0),
	CONSTRAINT "auto_plan_version_range" CHECK ("auto_plan"."version" >= 1),
	CONSTRAINT "auto_plan_video_offset_ms_range" CHECK ("auto_plan"."video_offset_ms" between 0 and 86400000),
	CONSTRAINT "auto_plan_capacity_range" CHECK ("auto_plan"."capacity" between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "auto_script_entry" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"offset_ms" integer NOT NULL,
	"track" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "auto_script_entry_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "auto_script_entry_track_enum" CHECK ("auto_script_entry"."track" in ('chat', 'buttons', 'slides', 'layout', 'polls', 'handouts')),
	CONSTRAINT "auto_script_entry_type_enum" CHECK ("auto_script_entry"."type" in ('message', 'question', 'question.now', 'answer', 'messagePinned', 'button.show', 'button.hide', 'slide.change', 'presentation.change', 'poll.open', 'poll.close', 'handout.show', 'handout.hide')),
	CONSTRAINT "auto_script_entry_position_range" CHECK ("auto_script_entry"."position" >= 0),
	CONSTRAINT "auto_script_entry_version_range" CHECK ("auto_script_entry"."version" >= 1),
	CONSTRAINT "auto_script_entry_offset_ms_range" CHECK ("auto_script_entry"."offset_ms" between 0 and 86400000)
);
--> statement-breakpoint
CREATE TABLE "add_on" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"limit" text NOT NULL,
	"quantity" integer NOT NULL,
	"next_payment" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "add_on_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "add_on_quantity_range" CHECK ("add_on"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "subscription" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group" text NOT NULL,
	"state" text DEFAULT 'current' NOT NULL,
	"plan" text NOT NULL,
	"period" text NOT NULL,
	"trial_ends_at" timestamp with time zone,
	"next_payment" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "subscription_tenantId_group_state_unique" UNIQUE("tenant_id","group","state"),
	CONSTRAINT "subscription_group_enum" CHECK ("subscription"."group" in ('lms', 'workshop')),
	CONSTRAINT "subscription_state_enum" CHECK ("subscription"."state" in ('current', 'pending')),
	CONSTRAINT "subscription_plan_enum" CHECK ("subscription"."plan" in ('start', 'pro', 'max')),
	CONSTRAINT "subscription_period_enum" CHECK ("subscription"."period" in ('month', 'year'))
);
--> statement-breakpoint
CREATE TABLE "throttle" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"window_ends_at" timestamp with time zone NOT NULL,
	"blocked_until" timestamp with time zone,
	CONSTRAINT "throttle_count_range" CHECK ("throttle"."count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "live_event" (
	"tenant_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "live_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "live_event_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid,
	"to" text NOT NULL,
	"locale" text NOT NULL,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"attachments" jsonb,
	"unsubscribe" text,
	"once_key" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"send_after" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mail_onceKey_unique" UNIQUE("once_key"),
	CONSTRAINT "mail_locale_enum" CHECK ("mail"."locale" in ('uk', 'en')),
	CONSTRAINT "mail_status_enum" CHECK ("mail"."status" in ('queued', 'sent', 'failed', 'recalled')),
	CONSTRAINT "mail_attempts_range" CHECK ("mail"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "access_change" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"requested_change" jsonb NOT NULL,
	"before" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "access_change_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "access_grant" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"module_ids" uuid[],
	"source_type" text NOT NULL,
	"source_id" uuid,
	"starts_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone,
	"frozen" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "access_grant_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "access_grant_tenantId_studentId_courseId_sourceType_sourceId_unique" UNIQUE NULLS NOT DISTINCT("tenant_id","student_id","course_id","source_type","source_id"),
	CONSTRAINT "access_grant_source_type_enum" CHECK ("access_grant"."source_type" in ('order', 'invite', 'manual', 'group', 'free'))
);
--> statement-breakpoint
CREATE TABLE "access_override" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"student_id" uuid,
	"group_id" uuid,
	"lesson_id" uuid,
	"effect" text NOT NULL,
	"days" integer DEFAULT 0 NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "access_override_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "access_override_effect_enum" CHECK ("access_override"."effect" in ('open', 'close', 'shiftDays')),
	CONSTRAINT "access_override_days_range" CHECK ("access_override"."days" between -365 and 365)
);
--> statement-breakpoint
CREATE TABLE "lesson_note" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"lesson_id" uuid NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lesson_note_tenant_id_student_id_lesson_id_pk" PRIMARY KEY("tenant_id","student_id","lesson_id"),
	CONSTRAINT "lesson_note_version_range" CHECK ("lesson_note"."version" >= 1),
	CONSTRAINT "lesson_note_text_length" CHECK (char_length("lesson_note"."text") <= 20000)
);
--> statement-breakpoint
CREATE TABLE "lesson_progress" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"lesson_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	"watched" jsonb,
	"homework_state" text,
	"homework_accepted_at" timestamp with time zone,
	"test_passed_at" timestamp with time zone,
	CONSTRAINT "lesson_progress_tenant_id_student_id_lesson_id_pk" PRIMARY KEY("tenant_id","student_id","lesson_id"),
	CONSTRAINT "lesson_progress_homework_state_enum" CHECK ("lesson_progress"."homework_state" in ('draft', 'submitted', 'in_review', 'accepted', 'returned', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "study_group" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"name" text NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone,
	"time_zone" text DEFAULT 'Europe/Kyiv' NOT NULL,
	"archived_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "study_group_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "study_group_start_at_end_at_order" CHECK ("study_group"."start_at" < "study_group"."end_at"),
	CONSTRAINT "study_group_name_length" CHECK (char_length("study_group"."name") <= 120),
	CONSTRAINT "study_group_time_zone_length" CHECK (char_length("study_group"."time_zone") <= 64)
);
--> statement-breakpoint
CREATE TABLE "outline_change" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"effect" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "outline_change_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "course" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"slug" text NOT NULL,
	"short_description" text DEFAULT '' NOT NULL,
	"description" jsonb,
	"cover_file_id" uuid,
	"category" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"language" text DEFAULT 'uk' NOT NULL,
	"level" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"progression" text DEFAULT 'free' NOT NULL,
	"access_start" timestamp with time zone,
	"access_end" timestamp with time zone,
	"start_from" text DEFAULT 'group' NOT NULL,
	"promo_video_file_id" uuid,
	"seo_title" text DEFAULT '' NOT NULL,
	"seo_description" text DEFAULT '' NOT NULL,
	"estimated_minutes" integer,
	"homework_sla_hours" integer,
	"lesson_numbering" boolean DEFAULT true NOT NULL,
	"lesson_count" integer DEFAULT 0 NOT NULL,
	"published_lesson_count" integer DEFAULT 0 NOT NULL,
	"student_count" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	CONSTRAINT "course_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "course_tenantId_slug_unique" UNIQUE("tenant_id","slug"),
	CONSTRAINT "course_language_enum" CHECK ("course"."language" in ('uk', 'en')),
	CONSTRAINT "course_level_enum" CHECK ("course"."level" in ('beginner', 'middle', 'advanced')),
	CONSTRAINT "course_status_enum" CHECK ("course"."status" in ('draft', 'published', 'archived')),
	CONSTRAINT "course_progression_enum" CHECK ("course"."progression" in ('free', 'sequential', 'drip')),
	CONSTRAINT "course_start_from_enum" CHECK ("course"."start_from" in ('group', 'grant', 'opening')),
	CONSTRAINT "course_lesson_count_range" CHECK ("course"."lesson_count" >= 0),
	CONSTRAINT "course_published_lesson_count_range" CHECK ("course"."published_lesson_count" >= 0),
	CONSTRAINT "course_student_count_range" CHECK ("course"."student_count" >= 0),
	CONSTRAINT "course_version_range" CHECK ("course"."version" >= 1),
	CONSTRAINT "course_estimated_minutes_range" CHECK ("course"."estimated_minutes" between 1 and 100000),
	CONSTRAINT "course_homework_sla_hours_range" CHECK ("course"."homework_sla_hours" between 1 and 720),
	CONSTRAINT "course_access_start_access_end_order" CHECK ("course"."access_start" < "course"."access_end"),
	CONSTRAINT "course_title_length" CHECK (char_length("course"."title") <= 160),
	CONSTRAINT "course_short_description_length" CHECK (char_length("course"."short_description") <= 300),
	CONSTRAINT "course_category_length" CHECK (char_length("course"."category") <= 60),
	CONSTRAINT "course_seo_title_length" CHECK (char_length("course"."seo_title") <= 70),
	CONSTRAINT "course_seo_description_length" CHECK (char_length("course"."seo_description") <= 200)
);
--> statement-breakpoint
CREATE TABLE "course_module" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"availability" jsonb DEFAULT '{"mode":"open"}'::jsonb NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_by" uuid,
	CONSTRAINT "course_module_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "course_module_position_range" CHECK ("course_module"."position" >= 0),
	CONSTRAINT "course_module_title_length" CHECK (char_length("course_module"."title") <= 160),
	CONSTRAINT "course_module_description_length" CHECK (char_length("course_module"."description") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "course_staff" (
	"tenant_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "course_staff_tenant_id_course_id_member_id_role_pk" PRIMARY KEY("tenant_id","course_id","member_id","role"),
	CONSTRAINT "course_staff_role_enum" CHECK ("course_staff"."role" in ('curator', 'expert'))
);
--> statement-breakpoint
CREATE TABLE "lesson" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"module_id" uuid NOT NULL,
	"title" text NOT NULL,
	"position" integer NOT NULL,
	"blocks" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"published_title" text,
	"published_blocks" jsonb,
	"published_version" integer,
	"published_at" timestamp with time zone,
	"availability" jsonb DEFAULT '{"mode":"open"}'::jsonb NOT NULL,
	"completion_rule" jsonb DEFAULT '{"mode":"manual"}'::jsonb NOT NULL,
	"words" integer DEFAULT 0 NOT NULL,
	"nodes" integer,
	"characters" integer,
	"task_count" integer DEFAULT 0 NOT NULL,
	"duration_minutes" integer,
	"free_preview" boolean DEFAULT false NOT NULL,
	"required" boolean DEFAULT true NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"updated_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_by" uuid,
	CONSTRAINT "lesson_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "lesson_position_range" CHECK ("lesson"."position" >= 0),
	CONSTRAINT "lesson_words_range" CHECK ("lesson"."words" >= 0),
	CONSTRAINT "lesson_nodes_range" CHECK ("lesson"."nodes" >= 0),
	CONSTRAINT "lesson_characters_range" CHECK ("lesson"."characters" >= 0),
	CONSTRAINT "lesson_task_count_range" CHECK ("lesson"."task_count" >= 0),
	CONSTRAINT "lesson_version_range" CHECK ("lesson"."version" >= 1),
	CONSTRAINT "lesson_published_version_range" CHECK ("lesson"."published_version" >= 1),
	CONSTRAINT "lesson_duration_minutes_range" CHECK ("lesson"."duration_minutes" between 1 and 100000),
	CONSTRAINT "lesson_title_length" CHECK (char_length("lesson"."title") <= 160),
	CONSTRAINT "lesson_published_title_length" CHECK (char_length("lesson"."published_title") <= 160)
);
--> statement-breakpoint
CREATE TABLE "lesson_revision" (
	"tenant_id" uuid NOT NULL,
	"lesson_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"note" text,
	"title" text NOT NULL,
	"blocks" jsonb NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lesson_revision_tenant_id_lesson_id_version_kind_pk" PRIMARY KEY("tenant_id","lesson_id","version","kind"),
	CONSTRAINT "lesson_revision_kind_enum" CHECK ("lesson_revision"."kind" in ('auto', 'named', 'restore', 'published')),
	CONSTRAINT "lesson_revision_version_range" CHECK ("lesson_revision"."version" >= 1),
	CONSTRAINT "lesson_revision_title_length" CHECK (char_length("lesson_revision"."title") <= 160),
	CONSTRAINT "lesson_revision_note_length" CHECK (char_length("lesson_revision"."note") <= 120)
);
--> statement-breakpoint
CREATE TABLE "transfer" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"by" uuid NOT NULL,
	"split" text,
	"requesting_actor" jsonb,
	"state" text DEFAULT 'queued' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"course_id" uuid,
	"failure" jsonb,
	"report" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "transfer_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "transfer_split_enum" CHECK ("transfer"."split" in ('headings', 'bold', 'numbered', 'pages', 'none')),
	CONSTRAINT "transfer_state_enum" CHECK ("transfer"."state" in ('queued', 'running', 'done', 'failed')),
	CONSTRAINT "transfer_progress_range" CHECK ("transfer"."progress" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "homework_message" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"body" text NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "homework_message_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "homework_message_body_length" CHECK (char_length("homework_message"."body") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "snippet" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "snippet_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "snippet_title_length" CHECK (char_length("snippet"."title") <= 80),
	CONSTRAINT "snippet_body_length" CHECK (char_length("snippet"."body") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "submission" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"lesson_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"submitted_at" timestamp with time zone,
	"late" boolean DEFAULT false NOT NULL,
	"answer_by" timestamp with time zone,
	"locked_by" uuid,
	"locked_at" timestamp with time zone,
	"assigned_to" uuid,
	"score" integer,
	"rubric_marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"feedback" jsonb,
	"feedback_file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"voice_file_id" uuid,
	"annotations" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"feedback_version" integer DEFAULT 1 NOT NULL,
	"reviewed_by" uuid,
	"reviewed_at" timestamp with time zone,
	"read_by_student_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "submission_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "submission_tenantId_taskId_studentId_attempt_unique" UNIQUE("tenant_id","task_id","student_id","attempt"),
	CONSTRAINT "submission_state_enum" CHECK ("submission"."state" in ('draft', 'submitted', 'in_review', 'accepted', 'returned', 'rejected')),
	CONSTRAINT "submission_version_range" CHECK ("submission"."version" >= 1),
	CONSTRAINT "submission_feedback_version_range" CHECK ("submission"."feedback_version" >= 1),
	CONSTRAINT "submission_attempt_range" CHECK ("submission"."attempt" >= 1),
	CONSTRAINT "submission_score_range" CHECK ("submission"."score" between 0 and 1000),
	CONSTRAINT "submission_text_length" CHECK (char_length("submission"."text") <= 50000)
);
--> statement-breakpoint
CREATE TABLE "submission_event" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"submission_id" uuid NOT NULL,
	"event" text NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "submission_event_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "submission_event_event_enum" CHECK ("submission_event"."event" in ('submitted', 'withdrawn', 'locked', 'released', 'taken_over', 'assigned', 'accepted', 'returned', 'rejected', 'reopened'))
);
--> statement-breakpoint
CREATE TABLE "task" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"lesson_id" uuid NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"type" text DEFAULT 'file' NOT NULL,
	"title" text NOT NULL,
	"instructions" jsonb NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"accept_types" text[] DEFAULT '{}' NOT NULL,
	"max_files" integer DEFAULT 5 NOT NULL,
	"max_bytes" bigint DEFAULT 209715200 NOT NULL,
	"due_rule" jsonb,
	"late_policy" text DEFAULT 'acceptMarked' NOT NULL,
	"grading" text DEFAULT 'acceptReject' NOT NULL,
	"max_points" integer,
	"pass_points" integer,
	"max_attempts" integer,
	"rubric" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sample_answer" jsonb,
	"show_sample" text DEFAULT 'never' NOT NULL,
	"sla_hours" integer,
	"required" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "task_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "task_type_enum" CHECK ("task"."type" in ('file', 'video')),
	CONSTRAINT "task_late_policy_enum" CHECK ("task"."late_policy" in ('accept', 'acceptMarked', 'refuse')),
	CONSTRAINT "task_grading_enum" CHECK ("task"."grading" in ('acceptReject', 'points')),
	CONSTRAINT "task_show_sample_enum" CHECK ("task"."show_sample" in ('never', 'afterAccept')),
	CONSTRAINT "task_position_range" CHECK ("task"."position" >= 0),
	CONSTRAINT "task_version_range" CHECK ("task"."version" >= 1),
	CONSTRAINT "task_max_files_range" CHECK ("task"."max_files" between 1 and 10),
	CONSTRAINT "task_max_bytes_range" CHECK ("task"."max_bytes" between 1024 and 10737418240),
	CONSTRAINT "task_max_points_range" CHECK ("task"."max_points" between 1 and 1000),
	CONSTRAINT "task_pass_points_range" CHECK ("task"."pass_points" between 1 and 1000),
	CONSTRAINT "task_max_attempts_range" CHECK ("task"."max_attempts" between 1 and 50),
	CONSTRAINT "task_sla_hours_range" CHECK ("task"."sla_hours" between 1 and 2160),
	CONSTRAINT "task_title_length" CHECK (char_length("task"."title") <= 160)
);
--> statement-breakpoint
CREATE TABLE "masterclass" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "masterclass_tenant_id_workshop_id_pk" PRIMARY KEY("tenant_id","workshop_id"),
	CONSTRAINT "masterclass_version_range" CHECK ("masterclass"."version" >= 1)
);
--> statement-breakpoint
CREATE TABLE "masterclass_watch" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"part_id" text NOT NULL,
	"second" integer DEFAULT 0 NOT NULL,
	"watched" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "masterclass_watch_tenant_id_participant_id_part_id_pk" PRIMARY KEY("tenant_id","participant_id","part_id"),
	CONSTRAINT "masterclass_watch_second_range" CHECK ("masterclass_watch"."second" between 0 and 86400),
	CONSTRAINT "masterclass_watch_part_id_length" CHECK (char_length("masterclass_watch"."part_id") <= 40)
);
--> statement-breakpoint
CREATE TABLE "meeting_message" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"offset_ms" integer NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"held" text,
	"author_id" uuid,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"reply_to" uuid,
	"pinned" boolean DEFAULT false NOT NULL,
	"reactions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"answer" jsonb,
	CONSTRAINT "meeting_message_tenant_id_session_id_id_pk" PRIMARY KEY("tenant_id","session_id","id"),
	CONSTRAINT "meeting_message_kind_enum" CHECK ("meeting_message"."kind" in ('message', 'question')),
	CONSTRAINT "meeting_message_state_enum" CHECK ("meeting_message"."state" in ('shown', 'waiting', 'private', 'deleted')),
	CONSTRAINT "meeting_message_held_enum" CHECK ("meeting_message"."held" in ('premod', 'words', 'isolated', 'session')),
	CONSTRAINT "meeting_message_role_enum" CHECK ("meeting_message"."role" in ('host', 'speaker', 'moderator', 'viewer')),
	CONSTRAINT "meeting_message_seq_range" CHECK ("meeting_message"."seq" >= 0)
);
--> statement-breakpoint
CREATE TABLE "meeting_reaction" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"emoji" text NOT NULL,
	CONSTRAINT "meeting_reaction_tenant_id_session_id_message_id_person_id_emoji_pk" PRIMARY KEY("tenant_id","session_id","message_id","person_id","emoji"),
	CONSTRAINT "meeting_reaction_emoji_length" CHECK (char_length("meeting_reaction"."emoji") <= 16)
);
--> statement-breakpoint
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
	"seconds" integer DEFAULT 0 NOT NULL,
	"seat_until" timestamp with time zone,
	CONSTRAINT "meeting_presence_tenant_id_session_id_person_id_pk" PRIMARY KEY("tenant_id","session_id","person_id"),
	CONSTRAINT "meeting_presence_seconds_range" CHECK ("meeting_presence"."seconds" >= 0)
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
	CONSTRAINT "meeting_rating_tenant_id_session_id_person_id_pk" PRIMARY KEY("tenant_id","session_id","person_id"),
	CONSTRAINT "meeting_rating_stars_range" CHECK ("meeting_rating"."stars" between 1 and 5),
	CONSTRAINT "meeting_rating_text_length" CHECK (char_length("meeting_rating"."text") <= 2000)
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
	CONSTRAINT "meeting_room_tenant_id_session_id_pk" PRIMARY KEY("tenant_id","session_id"),
	CONSTRAINT "meeting_room_online_range" CHECK ("meeting_room"."online" >= 0),
	CONSTRAINT "meeting_room_waiting_range" CHECK ("meeting_room"."waiting" >= 0)
);
--> statement-breakpoint
CREATE TABLE "meeting_stream" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"process_id" uuid NOT NULL,
	"device" text DEFAULT 'unknown' NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "meeting_stream_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "meeting_stream_device_enum" CHECK ("meeting_stream"."device" in ('phone', 'desktop', 'tablet', 'unknown'))
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
	"confirmed_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"unsubscribed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "registration_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "registration_once" UNIQUE NULLS NOT DISTINCT("tenant_id","workshop_id","email","session_id"),
	CONSTRAINT "registration_locale_enum" CHECK ("registration"."locale" in ('uk', 'en')),
	CONSTRAINT "registration_state_enum" CHECK ("registration"."state" in ('pending', 'confirmed', 'waitlisted', 'declined', 'canceled')),
	CONSTRAINT "registration_ics_sequence_range" CHECK ("registration"."ics_sequence" >= 0),
	CONSTRAINT "registration_watched_seconds_range" CHECK ("registration"."watched_seconds" >= 0),
	CONSTRAINT "registration_email_length" CHECK (char_length("registration"."email") <= 254),
	CONSTRAINT "registration_name_length" CHECK (char_length("registration"."name") <= 161),
	CONSTRAINT "registration_phone_length" CHECK (char_length("registration"."phone") <= 40),
	CONSTRAINT "registration_time_zone_length" CHECK (char_length("registration"."time_zone") <= 64)
);
--> statement-breakpoint
CREATE TABLE "registration_email" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"registration_id" uuid NOT NULL,
	"session_id" uuid,
	"kind" text NOT NULL,
	"schedule_version" integer NOT NULL,
	"mail_id" uuid,
	"batch_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recalled_at" timestamp with time zone,
	CONSTRAINT "registration_email_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "registration_email_once" UNIQUE NULLS NOT DISTINCT("tenant_id","registration_id","kind","schedule_version","session_id"),
	CONSTRAINT "registration_email_kind_enum" CHECK ("registration_email"."kind" in ('confirmed', 'day', 'hour', 'tenMinutes', 'startMissed', 'attended', 'leftEarly', 'missed', 'pending', 'waitlisted', 'offer', 'declined', 'rescheduled', 'canceled', 'apology')),
	CONSTRAINT "registration_email_schedule_version_range" CHECK ("registration_email"."schedule_version" >= 1)
);
--> statement-breakpoint
CREATE TABLE "next_event_request" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"notified_at" timestamp with time zone,
	CONSTRAINT "next_event_request_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "next_event_request_once" UNIQUE("tenant_id","workshop_id","email"),
	CONSTRAINT "next_event_request_locale_enum" CHECK ("next_event_request"."locale" in ('uk', 'en')),
	CONSTRAINT "next_event_request_email_length" CHECK (char_length("next_event_request"."email") <= 254),
	CONSTRAINT "next_event_request_time_zone_length" CHECK (char_length("next_event_request"."time_zone") <= 64)
);
--> statement-breakpoint
CREATE TABLE "roadmap" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"title" text NOT NULL,
	"intro" text DEFAULT '' NOT NULL,
	"cover_file_id" uuid,
	"visibility" text DEFAULT 'link' NOT NULL,
	"stages" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"call_to_act" jsonb,
	"show_progress" boolean DEFAULT true NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"published_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roadmap_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "roadmap_visibility_enum" CHECK ("roadmap"."visibility" in ('public', 'link', 'students')),
	CONSTRAINT "roadmap_views_range" CHECK ("roadmap"."views" >= 0),
	CONSTRAINT "roadmap_calls_range" CHECK ("roadmap"."calls" >= 0),
	CONSTRAINT "roadmap_version_range" CHECK ("roadmap"."version" >= 1),
	CONSTRAINT "roadmap_title_length" CHECK (char_length("roadmap"."title") <= 160),
	CONSTRAINT "roadmap_intro_length" CHECK (char_length("roadmap"."intro") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "session_button" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"button_id" uuid NOT NULL,
	"label" text NOT NULL,
	"shown" integer NOT NULL,
	"saw" integer NOT NULL,
	"clicked" integer NOT NULL,
	"clicks" integer NOT NULL,
	CONSTRAINT "session_button_tenant_id_session_id_button_id_pk" PRIMARY KEY("tenant_id","session_id","button_id"),
	CONSTRAINT "session_button_shown_range" CHECK ("session_button"."shown" >= 0),
	CONSTRAINT "session_button_saw_range" CHECK ("session_button"."saw" >= 0),
	CONSTRAINT "session_button_clicked_range" CHECK ("session_button"."clicked" >= 0),
	CONSTRAINT "session_button_clicks_range" CHECK ("session_button"."clicks" >= 0)
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
	CONSTRAINT "session_minute_tenant_id_session_id_minute_pk" PRIMARY KEY("tenant_id","session_id","minute"),
	CONSTRAINT "session_minute_joined_range" CHECK ("session_minute"."joined" >= 0),
	CONSTRAINT "session_minute_left_range" CHECK ("session_minute"."left" >= 0),
	CONSTRAINT "session_minute_messages_range" CHECK ("session_minute"."messages" >= 0),
	CONSTRAINT "session_minute_questions_range" CHECK ("session_minute"."questions" >= 0),
	CONSTRAINT "session_minute_reactions_range" CHECK ("session_minute"."reactions" >= 0),
	CONSTRAINT "session_minute_clicks_range" CHECK ("session_minute"."clicks" >= 0)
);
--> statement-breakpoint
CREATE TABLE "session_rollup" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"rolled_seq" bigint DEFAULT 0 NOT NULL,
	"totals" jsonb NOT NULL,
	CONSTRAINT "session_rollup_tenant_id_session_id_pk" PRIMARY KEY("tenant_id","session_id"),
	CONSTRAINT "session_rollup_rolled_seq_range" CHECK ("session_rollup"."rolled_seq" >= 0)
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
	"device" text,
	"messages" integer NOT NULL,
	"questions" integer NOT NULL,
	"reactions" integer NOT NULL,
	"votes" integer NOT NULL,
	"clicks" integer NOT NULL,
	"saw" uuid[] NOT NULL,
	"clicked" uuid[] NOT NULL,
	CONSTRAINT "session_viewer_tenant_id_session_id_participant_id_pk" PRIMARY KEY("tenant_id","session_id","participant_id"),
	CONSTRAINT "session_viewer_device_enum" CHECK ("session_viewer"."device" in ('phone', 'desktop', 'tablet', 'unknown')),
	CONSTRAINT "session_viewer_messages_range" CHECK ("session_viewer"."messages" >= 0),
	CONSTRAINT "session_viewer_questions_range" CHECK ("session_viewer"."questions" >= 0),
	CONSTRAINT "session_viewer_reactions_range" CHECK ("session_viewer"."reactions" >= 0),
	CONSTRAINT "session_viewer_votes_range" CHECK ("session_viewer"."votes" >= 0),
	CONSTRAINT "session_viewer_clicks_range" CHECK ("session_viewer"."clicks" >= 0)
);
--> statement-breakpoint
CREATE TABLE "caption" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"lang" text NOT NULL,
	"text" text NOT NULL,
	"auto" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "caption_tenant_id_file_id_lang_pk" PRIMARY KEY("tenant_id","file_id","lang"),
	CONSTRAINT "caption_lang_enum" CHECK ("caption"."lang" in ('uk', 'en'))
);
--> statement-breakpoint
CREATE TABLE "file" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"parent_id" uuid,
	"area" text DEFAULT 'storage' NOT NULL,
	"kind" text DEFAULT 'file' NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"mime" text DEFAULT '' NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"sample" text,
	"width" integer,
	"height" integer,
	"widths" integer[] DEFAULT '{}' NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_with" uuid,
	CONSTRAINT "file_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "file_area_enum" CHECK ("file"."area" in ('storage', 'homework')),
	CONSTRAINT "file_kind_enum" CHECK ("file"."kind" in ('folder', 'image', 'video', 'audio', 'doc', 'file')),
	CONSTRAINT "file_size_range" CHECK ("file"."size" >= 0),
	CONSTRAINT "file_width_range" CHECK ("file"."width" >= 1),
	CONSTRAINT "file_height_range" CHECK ("file"."height" >= 1)
);
--> statement-breakpoint
CREATE TABLE "file_state" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"event" text NOT NULL,
	"detail" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_state_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "file_state_event_enum" CHECK ("file_state"."event" in ('uploadStarted', 'uploadFinished', 'uploadFailed', 'queued', 'processing', 'encoding', 'resolutionFinished', 'finished', 'failed', 'captionsGenerated', 'titleOrDescriptionGenerated'))
);
--> statement-breakpoint
CREATE TABLE "file_use" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"user_kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_use_tenant_id_file_id_user_kind_user_id_pk" PRIMARY KEY("tenant_id","file_id","user_kind","user_id"),
	CONSTRAINT "file_use_user_kind_enum" CHECK ("file_use"."user_kind" in ('lesson', 'course', 'task', 'submission', 'roadmap', 'message', 'workshop', 'masterclass', 'autowebinar', 'school'))
);
--> statement-breakpoint
CREATE TABLE "generation" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"lang" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"failure" text,
	"progress" integer DEFAULT 0 NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "generation_tenant_id_file_id_kind_lang_pk" PRIMARY KEY("tenant_id","file_id","kind","lang"),
	CONSTRAINT "generation_kind_enum" CHECK ("generation"."kind" in ('captions', 'texts')),
	CONSTRAINT "generation_lang_enum" CHECK ("generation"."lang" in ('uk', 'en')),
	CONSTRAINT "generation_state_enum" CHECK ("generation"."state" in ('queued', 'running', 'done', 'failed')),
	CONSTRAINT "generation_failure_enum" CHECK ("generation"."failure" in ('key_refused', 'model_refused', 'busy', 'unavailable', 'timed_out', 'nonsense', 'no_sound', 'no_ffmpeg', 'nothing_said', 'no_captions', 'edited_meanwhile', 'crashed')),
	CONSTRAINT "generation_progress_range" CHECK ("generation"."progress" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "playback" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"seconds" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "playback_tenant_id_file_id_member_id_pk" PRIMARY KEY("tenant_id","file_id","member_id"),
	CONSTRAINT "playback_seconds_range" CHECK ("playback"."seconds" between 0 and 1000000)
);
--> statement-breakpoint
CREATE TABLE "storage_use" (
	"tenant_id" uuid NOT NULL,
	"original" bigint DEFAULT 0 NOT NULL,
	"made" bigint DEFAULT 0 NOT NULL,
	"promised" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "storage_use_tenant_id_pk" PRIMARY KEY("tenant_id"),
	CONSTRAINT "storage_use_original_range" CHECK ("storage_use"."original" >= 0),
	CONSTRAINT "storage_use_made_range" CHECK ("storage_use"."made" >= 0),
	CONSTRAINT "storage_use_promised_range" CHECK ("storage_use"."promised" >= 0)
);
--> statement-breakpoint
CREATE TABLE "upload" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"parent_id" uuid,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"area" text DEFAULT 'storage' NOT NULL,
	"kind" text NOT NULL,
	"mime" text NOT NULL,
	"size" bigint NOT NULL,
	"sample" text NOT NULL,
	"store_id" text NOT NULL,
	"state" text DEFAULT 'uploadStarted' NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "upload_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "upload_area_enum" CHECK ("upload"."area" in ('storage', 'homework')),
	CONSTRAINT "upload_kind_enum" CHECK ("upload"."kind" in ('folder', 'image', 'video', 'audio', 'doc', 'file')),
	CONSTRAINT "upload_state_enum" CHECK ("upload"."state" in ('uploadStarted', 'uploadFinished', 'uploadFailed')),
	CONSTRAINT "upload_failure_enum" CHECK ("upload"."failure" in ('empty', 'too_large', 'type_refused', 'type_differs', 'size_differs', 'quota', 'abandoned', 'canceled', 'damaged', 'no_picture_or_sound', 'too_long_to_process', 'too_heavy', 'processing_crashed')),
	CONSTRAINT "upload_size_range" CHECK ("upload"."size" >= 0)
);
--> statement-breakpoint
CREATE TABLE "video" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"failure_detail" text,
	"waits_for_disk" boolean DEFAULT false NOT NULL,
	"duration" integer,
	"truncated" boolean DEFAULT false NOT NULL,
	"has_picture" boolean DEFAULT false NOT NULL,
	"has_sound" boolean DEFAULT false NOT NULL,
	"renditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sound_ready" boolean DEFAULT false NOT NULL,
	"sound_facts" jsonb,
	"made" bigint DEFAULT 0 NOT NULL,
	"posters" integer DEFAULT 0 NOT NULL,
	"poster" integer DEFAULT 0 NOT NULL,
	"storyboard" jsonb,
	"chapters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"suggested_name" text,
	"suggested_description" text,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "video_tenant_id_file_id_pk" PRIMARY KEY("tenant_id","file_id"),
	CONSTRAINT "video_state_enum" CHECK ("video"."state" in ('queued', 'processing', 'encoding', 'resolutionFinished', 'finished', 'failed')),
	CONSTRAINT "video_failure_enum" CHECK ("video"."failure" in ('empty', 'too_large', 'type_refused', 'type_differs', 'size_differs', 'quota', 'abandoned', 'canceled', 'damaged', 'no_picture_or_sound', 'too_long_to_process', 'too_heavy', 'processing_crashed')),
	CONSTRAINT "video_progress_range" CHECK ("video"."progress" between 0 and 100),
	CONSTRAINT "video_attempts_range" CHECK ("video"."attempts" >= 0),
	CONSTRAINT "video_duration_range" CHECK ("video"."duration" >= 0),
	CONSTRAINT "video_made_range" CHECK ("video"."made" >= 0),
	CONSTRAINT "video_posters_range" CHECK ("video"."posters" >= 0),
	CONSTRAINT "video_poster_range" CHECK ("video"."poster" >= 0)
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"invited_by" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"message" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"opened_at" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "invitation_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitation_email_length" CHECK (char_length("invitation"."email") <= 254)
);
--> statement-breakpoint
CREATE TABLE "tenant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subdomain" text NOT NULL,
	"name" text NOT NULL,
	"locale" text DEFAULT 'uk' NOT NULL,
	"time_zone" text DEFAULT 'Europe/Kyiv' NOT NULL,
	"currency" text DEFAULT 'UAH' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"primary_color" text,
	"logo_file_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenant_subdomain_unique" UNIQUE("subdomain"),
	CONSTRAINT "tenant_locale_enum" CHECK ("tenant"."locale" in ('uk', 'en')),
	CONSTRAINT "tenant_status_enum" CHECK ("tenant"."status" in ('active', 'suspended', 'deleted')),
	CONSTRAINT "tenant_subdomain_length" CHECK (char_length("tenant"."subdomain") <= 63),
	CONSTRAINT "tenant_name_length" CHECK (char_length("tenant"."name") <= 120),
	CONSTRAINT "tenant_time_zone_length" CHECK (char_length("tenant"."time_zone") <= 64),
	CONSTRAINT "tenant_currency_length" CHECK (char_length("tenant"."currency") <= 3)
);
--> statement-breakpoint
CREATE TABLE "email_verification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "email_verification_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_verification_attempts_range" CHECK ("email_verification"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"account_type" text NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"accepted_at" timestamp with time zone,
	"blocked_at" timestamp with time zone,
	"last_active_at" timestamp with time zone,
	CONSTRAINT "membership_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "membership_tenantId_userId_accountType_unique" UNIQUE("tenant_id","user_id","account_type"),
	CONSTRAINT "membership_account_type_enum" CHECK ("membership"."account_type" in ('ACCOUNT_TYPE_STUDENT', 'ACCOUNT_TYPE_PRODUCT_OWNER', 'ACCOUNT_TYPE_TEAM_MEMBER')),
	CONSTRAINT "membership_roles_enum" CHECK ("membership"."roles" <@ array['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT']::text[]),
	CONSTRAINT "membership_status_enum" CHECK ("membership"."status" in ('active', 'invited', 'registered', 'accepted', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "password_reset" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_code_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"tenant_id" uuid,
	"account_type" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"ip" text,
	"user_agent" text,
	CONSTRAINT "session_id_unique" UNIQUE("id"),
	CONSTRAINT "session_account_type_enum" CHECK ("session"."account_type" in ('ACCOUNT_TYPE_STUDENT', 'ACCOUNT_TYPE_PRODUCT_OWNER', 'ACCOUNT_TYPE_TEAM_MEMBER'))
);
--> statement-breakpoint
CREATE TABLE "sign_up" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"organisation" text NOT NULL,
	"subdomain" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_up_subdomain_unique" UNIQUE("subdomain"),
	CONSTRAINT "sign_up_organisation_length" CHECK (char_length("sign_up"."organisation") <= 120),
	CONSTRAINT "sign_up_subdomain_length" CHECK (char_length("sign_up"."subdomain") <= 63)
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"password_hash" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone" text,
	"locale" text DEFAULT 'uk' NOT NULL,
	"time_zone" text DEFAULT 'Europe/Kyiv' NOT NULL,
	"totp_secret" text,
	"totp_enabled_at" timestamp with time zone,
	"totp_last_step" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login_at" timestamp with time zone,
	CONSTRAINT "user_email_unique" UNIQUE("email"),
	CONSTRAINT "user_locale_enum" CHECK ("user"."locale" in ('uk', 'en')),
	CONSTRAINT "user_email_length" CHECK (char_length("user"."email") <= 254),
	CONSTRAINT "user_first_name_length" CHECK (char_length("user"."first_name") <= 80),
	CONSTRAINT "user_last_name_length" CHECK (char_length("user"."last_name") <= 80),
	CONSTRAINT "user_time_zone_length" CHECK (char_length("user"."time_zone") <= 64)
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
	"deleted_at" timestamp with time zone,
	CONSTRAINT "workshop_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workshop_type_enum" CHECK ("workshop"."type" in ('webinar', 'autoWebinar', 'masterclass')),
	CONSTRAINT "workshop_language_enum" CHECK ("workshop"."language" in ('uk', 'en')),
	CONSTRAINT "workshop_publication_enum" CHECK ("workshop"."publication" in ('draft', 'published')),
	CONSTRAINT "workshop_access_enum" CHECK ("workshop"."access" in ('open', 'registration', 'students', 'paid', 'link')),
	CONSTRAINT "workshop_source_enum" CHECK ("workshop"."source" in ('builtin', 'file')),
	CONSTRAINT "workshop_schedule_version_range" CHECK ("workshop"."schedule_version" >= 1),
	CONSTRAINT "workshop_version_range" CHECK ("workshop"."version" >= 1),
	CONSTRAINT "workshop_planned_minutes_range" CHECK ("workshop"."planned_minutes" between 1 and 1440),
	CONSTRAINT "workshop_title_length" CHECK (char_length("workshop"."title") <= 200),
	CONSTRAINT "workshop_description_length" CHECK (char_length("workshop"."description") <= 20000),
	CONSTRAINT "workshop_time_zone_length" CHECK (char_length("workshop"."time_zone") <= 64)
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
	CONSTRAINT "workshop_item_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workshop_item_kind_enum" CHECK ("workshop_item"."kind" in ('button', 'poll', 'handout')),
	CONSTRAINT "workshop_item_position_range" CHECK ("workshop_item"."position" >= 0)
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
	"video_file_id" uuid,
	"video_offset_ms" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workshop_session_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workshop_session_kind_enum" CHECK ("workshop_session"."kind" in ('live', 'auto', 'rehearsal', 'onDemand')),
	CONSTRAINT "workshop_session_next_seq_range" CHECK ("workshop_session"."next_seq" >= 1),
	CONSTRAINT "workshop_session_planned_minutes_range" CHECK ("workshop_session"."planned_minutes" between 1 and 1440)
);
--> statement-breakpoint
CREATE TABLE "workshop_staff" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"role" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "workshop_staff_tenant_id_workshop_id_member_id_role_pk" PRIMARY KEY("tenant_id","workshop_id","member_id","role"),
	CONSTRAINT "workshop_staff_role_enum" CHECK ("workshop_staff"."role" in ('host', 'speaker', 'moderator')),
	CONSTRAINT "workshop_staff_position_range" CHECK ("workshop_staff"."position" >= 0)
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
	CONSTRAINT "workshop_event_tenant_id_session_id_seq_pk" PRIMARY KEY("tenant_id","session_id","seq"),
	CONSTRAINT "workshop_event_type_enum" CHECK ("workshop_event"."type" in ('webinar.start', 'webinar.finish', 'presentation.change', 'broadcast.change', 'slide.change', 'button.show', 'button.hide', 'handout.show', 'handout.hide', 'poll.open', 'poll.close', 'poll.vote', 'message', 'messageShown', 'messageDeleted', 'messagePinned', 'question', 'question.now', 'answer', 'reaction', 'caption', 'chat.change', 'user.connect', 'user.leave', 'user.click', 'user.sawButton', 'user.muted', 'user.isolated', 'user.banned', 'window.change', 'hand.raise', 'stage.invite', 'stage.change', 'encoder.key', 'host.lost', 'host.back', 'recording.change')),
	CONSTRAINT "workshop_event_audience_enum" CHECK ("workshop_event"."audience" in ('all', 'staff', 'person')),
	CONSTRAINT "workshop_event_seq_range" CHECK ("workshop_event"."seq" >= 1)
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
	CONSTRAINT "workshop_participant_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workshop_participant_kind_enum" CHECK ("workshop_participant"."kind" in ('staff', 'student', 'registrant', 'guest')),
	CONSTRAINT "workshop_participant_role_enum" CHECK ("workshop_participant"."role" in ('host', 'speaker', 'moderator', 'viewer')),
	CONSTRAINT "workshop_participant_locale_enum" CHECK ("workshop_participant"."locale" in ('uk', 'en')),
	CONSTRAINT "workshop_participant_name_length" CHECK (char_length("workshop_participant"."name") <= 161),
	CONSTRAINT "workshop_participant_email_length" CHECK (char_length("workshop_participant"."email") <= 254),
	CONSTRAINT "workshop_participant_time_zone_length" CHECK (char_length("workshop_participant"."time_zone") <= 64)
);
--> statement-breakpoint

-- ---------------------------------------------------------------- Foreign keys

ALTER TABLE "auto_clock" ADD CONSTRAINT "auto_clock_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_clock" ADD CONSTRAINT "auto_clock_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_video" FOREIGN KEY ("tenant_id","video_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_source" FOREIGN KEY ("tenant_id","source_session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_script_entry" ADD CONSTRAINT "auto_script_entry_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_script_entry" ADD CONSTRAINT "auto_script_entry_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "add_on" ADD CONSTRAINT "add_on_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_change" ADD CONSTRAINT "access_change_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_change" ADD CONSTRAINT "access_change_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_change" ADD CONSTRAINT "access_change_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_grant" ADD CONSTRAINT "access_grant_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_grant" ADD CONSTRAINT "access_grant_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_grant" ADD CONSTRAINT "access_grant_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_override" ADD CONSTRAINT "access_override_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_override" ADD CONSTRAINT "access_override_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_override" ADD CONSTRAINT "access_override_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_override" ADD CONSTRAINT "access_override_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_override" ADD CONSTRAINT "access_override_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_note" ADD CONSTRAINT "lesson_note_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_note" ADD CONSTRAINT "lesson_note_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_note" ADD CONSTRAINT "lesson_note_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course" ADD CONSTRAINT "course_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course" ADD CONSTRAINT "course_cover" FOREIGN KEY ("tenant_id","cover_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_module" ADD CONSTRAINT "course_module_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_module" ADD CONSTRAINT "course_module_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_staff" ADD CONSTRAINT "course_staff_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_staff" ADD CONSTRAINT "course_staff_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_staff" ADD CONSTRAINT "course_staff_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson" ADD CONSTRAINT "lesson_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson" ADD CONSTRAINT "lesson_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson" ADD CONSTRAINT "lesson_module" FOREIGN KEY ("tenant_id","module_id") REFERENCES "public"."course_module"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson" ADD CONSTRAINT "lesson_updated_by" FOREIGN KEY ("tenant_id","updated_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_revision" ADD CONSTRAINT "lesson_revision_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_revision" ADD CONSTRAINT "lesson_revision_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_revision" ADD CONSTRAINT "lesson_revision_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_message" ADD CONSTRAINT "homework_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_message" ADD CONSTRAINT "homework_message_task" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."task"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_message" ADD CONSTRAINT "homework_message_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_message" ADD CONSTRAINT "homework_message_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snippet" ADD CONSTRAINT "snippet_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snippet" ADD CONSTRAINT "snippet_owner" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_task" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."task"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_locked_by" FOREIGN KEY ("tenant_id","locked_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_assigned_to" FOREIGN KEY ("tenant_id","assigned_to") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission" ADD CONSTRAINT "submission_reviewed_by" FOREIGN KEY ("tenant_id","reviewed_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission_event" ADD CONSTRAINT "submission_event_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission_event" ADD CONSTRAINT "submission_event_submission" FOREIGN KEY ("tenant_id","submission_id") REFERENCES "public"."submission"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission_event" ADD CONSTRAINT "submission_event_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass" ADD CONSTRAINT "masterclass_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass" ADD CONSTRAINT "masterclass_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass_watch" ADD CONSTRAINT "masterclass_watch_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass_watch" ADD CONSTRAINT "masterclass_watch_participant" FOREIGN KEY ("tenant_id","participant_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_message" ADD CONSTRAINT "meeting_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_message" ADD CONSTRAINT "meeting_message_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_reaction" ADD CONSTRAINT "meeting_reaction_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_reaction" ADD CONSTRAINT "meeting_reaction_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "registration" ADD CONSTRAINT "registration_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_email" ADD CONSTRAINT "registration_email_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_email" ADD CONSTRAINT "registration_email_registration" FOREIGN KEY ("tenant_id","registration_id") REFERENCES "public"."registration"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "next_event_request" ADD CONSTRAINT "next_event_request_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "next_event_request" ADD CONSTRAINT "next_event_request_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roadmap" ADD CONSTRAINT "roadmap_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roadmap" ADD CONSTRAINT "roadmap_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roadmap" ADD CONSTRAINT "roadmap_cover" FOREIGN KEY ("tenant_id","cover_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_button" ADD CONSTRAINT "session_button_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_button" ADD CONSTRAINT "session_button_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_minute" ADD CONSTRAINT "session_minute_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_minute" ADD CONSTRAINT "session_minute_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_rollup" ADD CONSTRAINT "session_rollup_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_rollup" ADD CONSTRAINT "session_rollup_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_viewer" ADD CONSTRAINT "session_viewer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_viewer" ADD CONSTRAINT "session_viewer_participant" FOREIGN KEY ("tenant_id","participant_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caption" ADD CONSTRAINT "caption_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caption" ADD CONSTRAINT "caption_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_owner" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_parent" FOREIGN KEY ("tenant_id","parent_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_state" ADD CONSTRAINT "file_state_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation" ADD CONSTRAINT "generation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation" ADD CONSTRAINT "generation_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "storage_use" ADD CONSTRAINT "storage_use_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_owner" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_invited_by" FOREIGN KEY ("tenant_id","invited_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_verification" ADD CONSTRAINT "email_verification_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_up" ADD CONSTRAINT "sign_up_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_cover" FOREIGN KEY ("tenant_id","cover_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_slides" FOREIGN KEY ("tenant_id","slides_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop" ADD CONSTRAINT "workshop_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_item" ADD CONSTRAINT "workshop_item_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_item" ADD CONSTRAINT "workshop_item_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_session" ADD CONSTRAINT "workshop_session_video" FOREIGN KEY ("tenant_id","video_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_staff" ADD CONSTRAINT "workshop_staff_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_event" ADD CONSTRAINT "workshop_event_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_event" ADD CONSTRAINT "workshop_event_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint

-- ---------------------------------------------------------------- Indexes

CREATE INDEX "auto_clock_tenant_id_session_id_index" ON "auto_clock" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "auto_plan_tenant_id_video_file_id_index" ON "auto_plan" USING btree ("tenant_id","video_file_id") WHERE "auto_plan"."video_file_id" is not null;--> statement-breakpoint
CREATE INDEX "auto_plan_tenant_id_source_session_id_index" ON "auto_plan" USING btree ("tenant_id","source_session_id") WHERE "auto_plan"."source_session_id" is not null;--> statement-breakpoint
CREATE INDEX "auto_script_entry_tenant_id_workshop_id_offset_ms_position_id_index" ON "auto_script_entry" USING btree ("tenant_id","workshop_id","offset_ms","position","id");--> statement-breakpoint
CREATE INDEX "live_event_tenant_id_channel_id_index" ON "live_event" USING btree ("tenant_id","channel","id");--> statement-breakpoint
CREATE INDEX "live_event_created_at_index" ON "live_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_tenant_id_created_at_index" ON "mail" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "mail_queued" ON "mail" USING btree ("tenant_id","created_at") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "access_change_tenant_id_course_id_at_index" ON "access_change" USING btree ("tenant_id","course_id","at");--> statement-breakpoint
CREATE INDEX "access_grant_tenant_id_course_id_student_id_index" ON "access_grant" USING btree ("tenant_id","course_id","student_id");--> statement-breakpoint
CREATE INDEX "access_override_tenant_id_course_id_student_id_index" ON "access_override" USING btree ("tenant_id","course_id","student_id");--> statement-breakpoint
CREATE INDEX "access_override_tenant_id_student_id_index" ON "access_override" USING btree ("tenant_id","student_id") WHERE "access_override"."student_id" is not null;--> statement-breakpoint
CREATE INDEX "access_override_tenant_id_lesson_id_index" ON "access_override" USING btree ("tenant_id","lesson_id") WHERE "access_override"."lesson_id" is not null;--> statement-breakpoint
CREATE INDEX "lesson_note_tenant_id_lesson_id_index" ON "lesson_note" USING btree ("tenant_id","lesson_id");--> statement-breakpoint
CREATE INDEX "lesson_progress_tenant_id_course_id_student_id_index" ON "lesson_progress" USING btree ("tenant_id","course_id","student_id");--> statement-breakpoint
CREATE INDEX "lesson_progress_tenant_id_completed_at_index" ON "lesson_progress" USING btree ("tenant_id","completed_at");--> statement-breakpoint
CREATE INDEX "lesson_progress_tenant_id_last_opened_at_index" ON "lesson_progress" USING btree ("tenant_id","last_opened_at");--> statement-breakpoint
CREATE INDEX "lesson_progress_tenant_id_lesson_id_index" ON "lesson_progress" USING btree ("tenant_id","lesson_id");--> statement-breakpoint
CREATE INDEX "study_group_tenant_id_course_id_start_at_index" ON "study_group" USING btree ("tenant_id","course_id","start_at");--> statement-breakpoint
CREATE INDEX "outline_change_tenant_id_at_index" ON "outline_change" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE INDEX "outline_change_tenant_id_course_id_index" ON "outline_change" USING btree ("tenant_id","course_id");--> statement-breakpoint
CREATE INDEX "course_tenant_id_status_updated_at_id_index" ON "course" USING btree ("tenant_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "course_tenant_id_updated_at_id_index" ON "course" USING btree ("tenant_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "course_tenant_id_cover_file_id_index" ON "course" USING btree ("tenant_id","cover_file_id") WHERE "course"."cover_file_id" is not null;--> statement-breakpoint
CREATE INDEX "course_module_tenant_id_course_id_position_index" ON "course_module" USING btree ("tenant_id","course_id","position");--> statement-breakpoint
CREATE INDEX "course_staff_tenant_id_member_id_index" ON "course_staff" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "lesson_tenant_id_course_id_position_index" ON "lesson" USING btree ("tenant_id","course_id","position");--> statement-breakpoint
CREATE INDEX "lesson_tenant_id_module_id_position_index" ON "lesson" USING btree ("tenant_id","module_id","position");--> statement-breakpoint
CREATE INDEX "transfer_tenant_id_by_created_at_index" ON "transfer" USING btree ("tenant_id","by","created_at");--> statement-breakpoint
CREATE INDEX "transfer_tenant_id_file_id_index" ON "transfer" USING btree ("tenant_id","file_id");--> statement-breakpoint
CREATE INDEX "transfer_tenant_id_course_id_index" ON "transfer" USING btree ("tenant_id","course_id") WHERE "transfer"."course_id" is not null;--> statement-breakpoint
CREATE INDEX "homework_message_tenant_id_task_id_student_id_at_index" ON "homework_message" USING btree ("tenant_id","task_id","student_id","at");--> statement-breakpoint
CREATE INDEX "homework_message_tenant_id_student_id_index" ON "homework_message" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "snippet_tenant_id_owner_id_index" ON "snippet" USING btree ("tenant_id","owner_id");--> statement-breakpoint
CREATE INDEX "submission_tenant_id_state_submitted_at_id_index" ON "submission" USING btree ("tenant_id","state","submitted_at","id");--> statement-breakpoint
CREATE INDEX "submission_tenant_id_course_id_state_submitted_at_id_index" ON "submission" USING btree ("tenant_id","course_id","state","submitted_at","id");--> statement-breakpoint
CREATE INDEX "submission_tenant_id_student_id_lesson_id_index" ON "submission" USING btree ("tenant_id","student_id","lesson_id");--> statement-breakpoint
CREATE INDEX "submission_waiting" ON "submission" USING btree ("tenant_id","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_waiting_course" ON "submission" USING btree ("tenant_id","course_id","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_waiting_whose" ON "submission" USING btree ("tenant_id","assigned_to","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_due" ON "submission" USING btree ("tenant_id","answer_by","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_due_course" ON "submission" USING btree ("tenant_id","course_id","answer_by","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_locked" ON "submission" USING btree ("tenant_id","locked_by") WHERE locked_by is not null;--> statement-breakpoint
CREATE INDEX "submission_tenant_id_lesson_id_index" ON "submission" USING btree ("tenant_id","lesson_id");--> statement-breakpoint
CREATE INDEX "submission_event_tenant_id_submission_id_at_index" ON "submission_event" USING btree ("tenant_id","submission_id","at");--> statement-breakpoint
CREATE INDEX "task_tenant_id_lesson_id_position_index" ON "task" USING btree ("tenant_id","lesson_id","position");--> statement-breakpoint
CREATE INDEX "task_tenant_id_course_id_index" ON "task" USING btree ("tenant_id","course_id");--> statement-breakpoint
CREATE INDEX "masterclass_watch_tenant_id_workshop_id_part_id_index" ON "masterclass_watch" USING btree ("tenant_id","workshop_id","part_id");--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_seq_index" ON "meeting_message" USING btree ("tenant_id","session_id","seq");--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_kind_seq_index" ON "meeting_message" USING btree ("tenant_id","session_id","kind","seq");--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_author_id_at_index" ON "meeting_message" USING btree ("tenant_id","session_id","author_id","at");--> statement-breakpoint
CREATE INDEX "meeting_reaction_tenant_id_session_id_person_id_index" ON "meeting_reaction" USING btree ("tenant_id","session_id","person_id");--> statement-breakpoint
CREATE INDEX "meeting_presence_here" ON "meeting_presence" USING btree ("tenant_id","session_id") WHERE present;--> statement-breakpoint
CREATE INDEX "meeting_presence_tenant_id_person_id_index" ON "meeting_presence" USING btree ("tenant_id","person_id");--> statement-breakpoint
CREATE INDEX "meeting_queue_tenant_id_session_id_id_index" ON "meeting_queue" USING btree ("tenant_id","session_id","id");--> statement-breakpoint
CREATE INDEX "meeting_stream_tenant_id_session_id_person_id_index" ON "meeting_stream" USING btree ("tenant_id","session_id","person_id");--> statement-breakpoint
CREATE INDEX "meeting_stream_tenant_id_process_id_index" ON "meeting_stream" USING btree ("tenant_id","process_id");--> statement-breakpoint
CREATE UNIQUE INDEX "registration_tenant_id_join_digest_index" ON "registration" USING btree ("tenant_id","join_digest");--> statement-breakpoint
CREATE INDEX "registration_tenant_id_workshop_id_state_created_at_id_index" ON "registration" USING btree ("tenant_id","workshop_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "registration_tenant_id_workshop_id_created_at_id_index" ON "registration" USING btree ("tenant_id","workshop_id","created_at","id");--> statement-breakpoint
CREATE INDEX "registration_tenant_id_member_id_index" ON "registration" USING btree ("tenant_id","member_id") WHERE "registration"."member_id" is not null;--> statement-breakpoint
CREATE INDEX "registration_tenant_id_session_id_index" ON "registration" USING btree ("tenant_id","session_id") WHERE "registration"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "registration_email_tenant_id_workshop_id_created_at_id_index" ON "registration_email" USING btree ("tenant_id","workshop_id","created_at","id");--> statement-breakpoint
CREATE INDEX "next_event_request_tenant_id_notified_at_index" ON "next_event_request" USING btree ("tenant_id","notified_at");--> statement-breakpoint
CREATE INDEX "roadmap_tenant_id_course_id_index" ON "roadmap" USING btree ("tenant_id","course_id");--> statement-breakpoint
CREATE INDEX "roadmap_tenant_id_cover_file_id_index" ON "roadmap" USING btree ("tenant_id","cover_file_id") WHERE "roadmap"."cover_file_id" is not null;--> statement-breakpoint
CREATE INDEX "session_viewer_tenant_id_session_id_first_at_participant_id_index" ON "session_viewer" USING btree ("tenant_id","session_id","first_at","participant_id");--> statement-breakpoint
CREATE INDEX "session_viewer_tenant_id_session_id_watched_ms_participant_id_index" ON "session_viewer" USING btree ("tenant_id","session_id","watched_ms","participant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "file_folder_name" ON "file" USING btree ("tenant_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'::uuid),"name") WHERE "file"."kind" = 'folder' and "file"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "file_by_name" ON "file" USING btree ("tenant_id","parent_id",("kind" <> 'folder'),"name" collate natural_order,"id") WHERE "file"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "file_tenant_id_parent_id_size_id_index" ON "file" USING btree ("tenant_id","parent_id","size","id");--> statement-breakpoint
CREATE INDEX "file_tenant_id_parent_id_created_at_id_index" ON "file" USING btree ("tenant_id","parent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "file_tenant_id_size_index" ON "file" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE INDEX "file_tenant_id_sample_index" ON "file" USING btree ("tenant_id","sample");--> statement-breakpoint
CREATE INDEX "file_tenant_id_deleted_at_index" ON "file" USING btree ("tenant_id","deleted_at");--> statement-breakpoint
CREATE INDEX "file_tenant_id_owner_id_index" ON "file" USING btree ("tenant_id","owner_id");--> statement-breakpoint
CREATE INDEX "file_state_tenant_id_file_id_at_index" ON "file_state" USING btree ("tenant_id","file_id","at");--> statement-breakpoint
CREATE INDEX "file_use_tenant_id_user_kind_user_id_index" ON "file_use" USING btree ("tenant_id","user_kind","user_id");--> statement-breakpoint
CREATE INDEX "playback_tenant_id_member_id_index" ON "playback" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "upload_tenant_id_owner_id_state_created_at_index" ON "upload" USING btree ("tenant_id","owner_id","state","created_at");--> statement-breakpoint
CREATE INDEX "upload_state_touched_at_index" ON "upload" USING btree ("state","touched_at");--> statement-breakpoint
CREATE INDEX "video_state_queued_at_index" ON "video" USING btree ("state","queued_at");--> statement-breakpoint
CREATE INDEX "invitation_tenant_id_student_id_index" ON "invitation" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "email_verification_user_id_index" ON "email_verification" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "membership_user_id_index" ON "membership" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "membership_tenant_id_account_type_created_at_index" ON "membership" USING btree ("tenant_id","account_type","created_at");--> statement-breakpoint
CREATE INDEX "password_reset_user_id_index" ON "password_reset" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_user_id_index" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_search" ON "user" USING gin (search_text("first_name" || ' ' || "last_name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_type_updated_at_id_index" ON "workshop" USING btree ("tenant_id","type","updated_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_start_at_id_index" ON "workshop" USING btree ("tenant_id","start_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_updated_at_id_index" ON "workshop" USING btree ("tenant_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_cover_file_id_index" ON "workshop" USING btree ("tenant_id","cover_file_id") WHERE "workshop"."cover_file_id" is not null;--> statement-breakpoint
CREATE INDEX "workshop_tenant_id_slides_file_id_index" ON "workshop" USING btree ("tenant_id","slides_file_id") WHERE "workshop"."slides_file_id" is not null;--> statement-breakpoint
CREATE INDEX "workshop_item_tenant_id_workshop_id_kind_position_index" ON "workshop_item" USING btree ("tenant_id","workshop_id","kind","position");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_session_one" ON "workshop_session" USING btree ("tenant_id","workshop_id") WHERE kind in ('live', 'onDemand');--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_session_start" ON "workshop_session" USING btree ("tenant_id","workshop_id","start_at") WHERE kind = 'auto';--> statement-breakpoint
CREATE INDEX "workshop_session_tenant_id_workshop_id_start_at_index" ON "workshop_session" USING btree ("tenant_id","workshop_id","start_at");--> statement-breakpoint
CREATE INDEX "workshop_session_tenant_id_video_file_id_index" ON "workshop_session" USING btree ("tenant_id","video_file_id") WHERE "workshop_session"."video_file_id" is not null;--> statement-breakpoint
CREATE INDEX "workshop_staff_tenant_id_member_id_index" ON "workshop_staff" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_event_tenant_id_session_id_actor_id_client_id_index" ON "workshop_event" USING btree ("tenant_id","session_id","actor_id","client_id");--> statement-breakpoint
CREATE INDEX "workshop_event_tenant_id_session_id_type_seq_index" ON "workshop_event" USING btree ("tenant_id","session_id","type","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_participant_tenant_id_session_id_member_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workshop_participant_tenant_id_session_id_registration_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","registration_id");--> statement-breakpoint
CREATE INDEX "workshop_participant_tenant_id_session_id_name_id_index" ON "workshop_participant" USING btree ("tenant_id","session_id","name","id");--> statement-breakpoint
CREATE INDEX "workshop_participant_tenant_id_session_id_device_index" ON "workshop_participant" USING btree ("tenant_id","session_id","device");--> statement-breakpoint
CREATE INDEX "workshop_participant_tenant_id_member_id_index" ON "workshop_participant" USING btree ("tenant_id","member_id") WHERE "workshop_participant"."member_id" is not null;--> statement-breakpoint

-- ---------------------------------------------------------------- Row-level security

-- Restricts reads and writes to the rows of one tenant. With FORCE this applies to the owner of the tables too, which is
-- the role of the product. Therefore a migration reads no rows either: it changes data with for_each_tenant, and adds
-- foreign keys on tables that have rows with without_forced_row_security.
create function isolate_tenants(isolated_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', isolated_table);
  execute format('alter table %s force row level security', isolated_table);
  execute format('create policy of_tenant on %s using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', isolated_table);
end $$;
--> statement-breakpoint
select isolate_tenants(t) from unnest(array[
  'access_change', 'access_grant', 'access_override', 'add_on', 'auto_clock', 'auto_script_entry', 'auto_plan', 'caption',
  'course', 'course_staff', 'file', 'file_state', 'file_use', 'generation', 'homework_message', 'invitation',
  'lesson', 'lesson_note', 'lesson_progress', 'lesson_revision', 'live_event', 'masterclass', 'masterclass_watch',
  'meeting_button', 'meeting_message', 'meeting_presence', 'meeting_queue', 'meeting_rating', 'meeting_reaction',
  'meeting_room', 'meeting_stream', 'meeting_vote', 'course_module', 'outline_change', 'playback', 'registration',
  'registration_email', 'next_event_request', 'roadmap', 'session_button', 'session_minute', 'session_rollup',
  'session_viewer', 'snippet', 'storage_use', 'study_group', 'submission', 'submission_event', 'subscription',
  'task', 'transfer', 'upload', 'video', 'workshop', 'workshop_event', 'workshop_item', 'workshop_participant',
  'workshop_session', 'workshop_staff'
]::regclass[]) t;
--> statement-breakpoint
-- A user can read their own memberships in every tenant (a login session finds its tenant this way), but can write in none.
alter table membership enable row level security;
--> statement-breakpoint
alter table membership force row level security;
--> statement-breakpoint
create policy of_tenant on membership using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
--> statement-breakpoint
create policy of_person on membership for select using (user_id = current_person());
--> statement-breakpoint
-- Emails about an account belong to no tenant and are visible only where no tenant is set.
alter table mail enable row level security;
--> statement-breakpoint
alter table mail force row level security;
--> statement-breakpoint
create policy of_tenant on mail using (tenant_id is not distinct from current_tenant())
  with check (tenant_id is not distinct from current_tenant());
--> statement-breakpoint
-- ---------------------------------------------------------------- Functions of the program

-- All data that a request needs about its session, in one round trip: the person, the membership that the
-- host selects, the plan rows of that tenant, and the memberships for the switcher. Null when the token is invalid.
-- On the host of a tenant a staff membership there has priority, on `go` a student's, otherwise the last chosen one.
create function open_session(token bytea, host text) returns jsonb language plpgsql as $$
declare
  s record;
  m record;
begin
  select session.id, session.user_id, session.tenant_id, session.account_type,
         session.last_seen_at < now() - interval '5 minutes' as stale,
         u.email, u.first_name, u.last_name, u.locale, u.time_zone
    into s
    from session join "user" u on u.id = session.user_id
   where session.token_hash = token and session.revoked_at is null and session.expires_at > now();
  if not found then return null; end if;
  perform set_config('app.user_id', s.user_id::text, true);
  select membership.id, membership.tenant_id, membership.account_type, membership.roles,
         tenant.subdomain, tenant.name, tenant.time_zone
    into m
    from membership join tenant on tenant.id = membership.tenant_id
   where membership.user_id = s.user_id and membership.blocked_at is null
     and membership.status in ('active', 'accepted') and tenant.status = 'active'
   order by (tenant.subdomain = host and membership.account_type <> 'ACCOUNT_TYPE_STUDENT') desc,
            (host = 'go' and membership.account_type = 'ACCOUNT_TYPE_STUDENT') desc,
            (membership.tenant_id = s.tenant_id and membership.account_type = s.account_type) is true desc,
            membership.created_at
   limit 1;
  if not found then return null; end if;
  perform set_config('app.tenant_id', m.tenant_id::text, true);
  if s.stale then update session set last_seen_at = now() where token_hash = token; end if;
  return jsonb_build_object(
    'userId', s.user_id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name,
    'locale', s.locale, 'timeZone', s.time_zone, 'sessionId', s.id,
    'tenantId', m.tenant_id, 'subdomain', m.subdomain, 'tenantName', m.name, 'tenantTimeZone', m.time_zone,
    'membershipId', m.id, 'accountType', m.account_type, 'roles', m.roles,
    'plans', (select coalesce(jsonb_agg(jsonb_build_object('group', p."group", 'state', p.state, 'plan', p.plan,
                'period', p.period, 'trialEndsAt', p.trial_ends_at, 'nextPayment', p.next_payment)), '[]')
                from subscription p where p.tenant_id = m.tenant_id),
    'addOns', (select coalesce(jsonb_agg(jsonb_build_object('limit', a."limit", 'quantity', a.quantity,
                'nextPayment', a.next_payment)), '[]') from add_on a where a.tenant_id = m.tenant_id),
    'memberships', (select coalesce(jsonb_agg(jsonb_build_object('membershipId', o.id, 'tenantId', o.tenant_id,
                'subdomain', t.subdomain, 'tenantName', t.name, 'accountType', o.account_type) order by t.name), '[]')
                from membership o join tenant t on t.id = o.tenant_id
               where o.user_id = s.user_id and o.blocked_at is null
                 and o.status in ('active', 'accepted') and t.status = 'active'));
end $$;
--> statement-breakpoint
-- Publishes a payload on a channel of the current tenant. The lock makes the ids of a tenant appear in the order in which
-- its transactions commit: a reader that has seen an id has seen all before it, and can resume after it.
create function publish_live(on_channel text, event_payload jsonb, notify boolean) returns bigint language plpgsql as $$
declare
  event_id bigint;
begin
  perform pg_advisory_xact_lock(4321002, hashtext(current_tenant()::text));
  insert into live_event (tenant_id, channel, payload) values (current_tenant(), on_channel, event_payload) returning id into event_id;
  -- Only the id: a notification holds 8,000 bytes, and equal ones in a transaction are merged.
  if notify then
    perform pg_notify('kafedra_live', json_build_object('t', current_tenant(), 'c', on_channel, 'i', event_id)::text);
  end if;
  return event_id;
end $$;
--> statement-breakpoint
-- Row-level security applies to the owner of the tables too, so the function sets one tenant after another. The newest
-- event of each stays: event streams resume after its id.
create function sweep_live_events() returns void language plpgsql as $$
declare
  entered_tenant_id uuid;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  for entered_tenant_id in select id from tenant loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    delete from live_event
     where created_at < now() - interval '1 hour' and id < (select max(id) from live_event where tenant_id = entered_tenant_id);
  end loop;
  perform set_config('app.tenant_id', before, true);
end $$;
--> statement-breakpoint
create function sweep_throttle() returns void language sql as $$
  delete from throttle where window_ends_at < now() - interval '1 day' and coalesce(blocked_until, 'epoch') < now();
$$;
--> statement-breakpoint
-- The tenants for which `due`, a query restricted by row-level security to one tenant at a time, returns a row; $1 in it is
-- `at`. One statement for all tenants instead of a transaction each, planned once. The policies apply to the owner of
-- the tables too, so the function sets every tenant, as sweep_live_events does. Where the query fails, the tenant is
-- returned: its own run will fail at the same row and report it.
create function tenants_with_work(due text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  entered_tenant_id uuid;
  found boolean;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  if exists (select 1 from pg_prepared_statements where name = 'tenant_has_work') then
    deallocate tenant_has_work;
  end if;
  execute 'prepare tenant_has_work(timestamptz) as select exists (' || due || ')';
  for entered_tenant_id in select id from tenant order by id loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    begin
      execute format('execute tenant_has_work(%L)', at) into found;
    exception when others then
      found := true;
    end;
    if found then return next entered_tenant_id; end if;
  end loop;
  deallocate tenant_has_work;
  perform set_config('app.tenant_id', before, true);
end $$;
--> statement-breakpoint
-- ---------------------------------------------------------------- Functions for migrations

-- Runs a statement once for every tenant, with that tenant set as in a request, and returns the number of rows that it
-- changed in all. For migrations that change data: without a tenant they see no rows. Rows of no tenant (mail about an
-- account) are visible where none is set, to the plain statement.
create function for_each_tenant(statement text) returns bigint language plpgsql as $$
declare
  entered_tenant_id uuid;
  changed bigint;
  sum bigint := 0;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  for entered_tenant_id in select id from tenant order by id loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    execute statement;
    get diagnostics changed = row_count;
    sum := sum + changed;
  end loop;
  perform set_config('app.tenant_id', before, true);
  return sum;
end $$;
--> statement-breakpoint
-- Runs a statement of a migration that has to see the rows of all tenants at once, as the check of a new foreign key
-- does: under FORCE it reads none and reports them as valid. `tables` are all tables that the statement reads.
create function without_forced_row_security(tables regclass[], statement text) returns void language plpgsql as $$
declare
  name regclass;
begin
  foreach name in array tables loop
    execute format('alter table %s no force row level security', name);
  end loop;
  execute statement;
  foreach name in array tables loop
    execute format('alter table %s force row level security', name);
  end loop;
end $$;
