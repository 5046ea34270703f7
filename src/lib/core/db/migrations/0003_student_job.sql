CREATE TABLE "student_job" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"action" text NOT NULL,
	"change" jsonb NOT NULL,
	"actor" jsonb NOT NULL,
	"state" text NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"done_count" integer DEFAULT 0 NOT NULL,
	"unchanged_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "student_job_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_job_action_enum" CHECK ("student_job"."action" in ('invite', 'addToCourse', 'addToGroup', 'extend', 'freeze', 'tag', 'untag', 'email', 'block', 'unblock', 'delete', 'restore')),
	CONSTRAINT "student_job_state_enum" CHECK ("student_job"."state" in ('draft', 'queued', 'running', 'done', 'recalled')),
	CONSTRAINT "student_job_total_range" CHECK ("student_job"."total" >= 0),
	CONSTRAINT "student_job_done_count_range" CHECK ("student_job"."done_count" >= 0),
	CONSTRAINT "student_job_unchanged_count_range" CHECK ("student_job"."unchanged_count" >= 0),
	CONSTRAINT "student_job_failed_count_range" CHECK ("student_job"."failed_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "student_job_row" (
	"tenant_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"outcome" text,
	"reason" text,
	CONSTRAINT "student_job_row_tenant_id_job_id_student_id_pk" PRIMARY KEY("tenant_id","job_id","student_id"),
	CONSTRAINT "student_job_row_outcome_enum" CHECK ("student_job_row"."outcome" in ('done', 'unchanged', 'failed')),
	CONSTRAINT "student_job_row_reason_length" CHECK (char_length("student_job_row"."reason") <= 60)
);
--> statement-breakpoint
ALTER TABLE "student_job" ADD CONSTRAINT "student_job_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_job" ADD CONSTRAINT "student_job_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_job_row" ADD CONSTRAINT "student_job_row_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_job_row" ADD CONSTRAINT "student_job_row_job" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."student_job"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_job_row" ADD CONSTRAINT "student_job_row_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "student_job_tenant_id_by_created_at_index" ON "student_job" USING btree ("tenant_id","by","created_at");--> statement-breakpoint
CREATE INDEX "student_job_row_tenant_id_student_id_index" ON "student_job_row" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "student_job_row_waiting" ON "student_job_row" USING btree ("tenant_id","job_id","student_id") WHERE "student_job_row"."outcome" is null;
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['student_job', 'student_job_row']::regclass[]) t;
