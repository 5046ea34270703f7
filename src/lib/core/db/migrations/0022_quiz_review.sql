CREATE TABLE "quiz_analysis" (
	"tenant_id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"attempts" integer NOT NULL,
	"items" jsonb NOT NULL,
	"computed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quiz_analysis_tenant_id_quiz_id_pk" PRIMARY KEY("tenant_id","quiz_id"),
	CONSTRAINT "quiz_analysis_attempts_range" CHECK ("quiz_analysis"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "quiz_regrade" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"keys" jsonb NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"checked" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"last_attempt_id" uuid,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "quiz_regrade_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quiz_regrade_state_enum" CHECK ("quiz_regrade"."state" in ('running', 'done')),
	CONSTRAINT "quiz_regrade_checked_range" CHECK ("quiz_regrade"."checked" >= 0),
	CONSTRAINT "quiz_regrade_changed_range" CHECK ("quiz_regrade"."changed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "quiz_review" (
	"tenant_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"state" text NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"answer_by" timestamp with time zone,
	"assigned_to" uuid,
	"draft" jsonb,
	"revision" integer DEFAULT 0 NOT NULL,
	"edited_by" uuid,
	"edited_at" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"reviewed_by" uuid,
	"reviewed_at" timestamp with time zone,
	CONSTRAINT "quiz_review_tenant_id_attempt_id_pk" PRIMARY KEY("tenant_id","attempt_id"),
	CONSTRAINT "quiz_review_state_enum" CHECK ("quiz_review"."state" in ('waiting', 'reviewed')),
	CONSTRAINT "quiz_review_revision_range" CHECK ("quiz_review"."revision" >= 0),
	CONSTRAINT "quiz_review_comment_length" CHECK (char_length("quiz_review"."comment") <= 4000)
);
--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD COLUMN "spent_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quiz_analysis" ADD CONSTRAINT "quiz_analysis_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_analysis" ADD CONSTRAINT "quiz_analysis_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_regrade" ADD CONSTRAINT "quiz_regrade_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_regrade" ADD CONSTRAINT "quiz_regrade_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_regrade" ADD CONSTRAINT "quiz_regrade_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."quiz_attempt"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_quiz" FOREIGN KEY ("tenant_id","quiz_id") REFERENCES "public"."quiz"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_assigned_to" FOREIGN KEY ("tenant_id","assigned_to") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_edited_by" FOREIGN KEY ("tenant_id","edited_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_review" ADD CONSTRAINT "quiz_review_reviewed_by" FOREIGN KEY ("tenant_id","reviewed_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quiz_regrade_tenant_id_quiz_id_at_index" ON "quiz_regrade" USING btree ("tenant_id","quiz_id","at");--> statement-breakpoint
CREATE INDEX "quiz_regrade_tenant_id_by_index" ON "quiz_regrade" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "quiz_review_tenant_id_quiz_id_index" ON "quiz_review" USING btree ("tenant_id","quiz_id");--> statement-breakpoint
CREATE INDEX "quiz_review_tenant_id_student_id_index" ON "quiz_review" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "quiz_review_tenant_id_edited_by_index" ON "quiz_review" USING btree ("tenant_id","edited_by");--> statement-breakpoint
CREATE INDEX "quiz_review_tenant_id_reviewed_by_index" ON "quiz_review" USING btree ("tenant_id","reviewed_by");--> statement-breakpoint
CREATE INDEX "quiz_review_tenant_id_state_submitted_at_attempt_id_index" ON "quiz_review" USING btree ("tenant_id","state","submitted_at","attempt_id");--> statement-breakpoint
CREATE INDEX "quiz_review_course_state" ON "quiz_review" USING btree ("tenant_id","course_id","state","submitted_at","attempt_id");--> statement-breakpoint
CREATE INDEX "quiz_review_waiting" ON "quiz_review" USING btree ("tenant_id","submitted_at","attempt_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "quiz_review_waiting_course" ON "quiz_review" USING btree ("tenant_id","course_id","submitted_at","attempt_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "quiz_review_assigned" ON "quiz_review" USING btree ("tenant_id","assigned_to","submitted_at","attempt_id");--> statement-breakpoint
CREATE INDEX "quiz_review_due" ON "quiz_review" USING btree ("tenant_id","answer_by","attempt_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "quiz_review_due_course" ON "quiz_review" USING btree ("tenant_id","course_id","answer_by","attempt_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "quiz_attempt_tenant_id_quiz_id_started_at_id_index" ON "quiz_attempt" USING btree ("tenant_id","quiz_id","started_at","id");--> statement-breakpoint
ALTER TABLE "quiz_answer" ADD CONSTRAINT "quiz_answer_spent_ms_range" CHECK ("quiz_answer"."spent_ms" >= 0);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['quiz_review', 'quiz_regrade', 'quiz_analysis']::regclass[]) t;
--> statement-breakpoint
select for_each_tenant($$
  insert into quiz_review (tenant_id, attempt_id, quiz_id, course_id, student_id, state, submitted_at, answer_by)
  select a.tenant_id, a.id, a.quiz_id, q.course_id, a.student_id, 'waiting', a.submitted_at,
         a.submitted_at + c.homework_sla_hours * interval '1 hour'
    from quiz_attempt a
    join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
    join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
   where a.state = 'needsReview' and a.submitted_at is not null
$$);
