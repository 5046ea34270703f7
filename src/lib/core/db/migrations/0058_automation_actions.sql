ALTER TABLE "automation" DROP CONSTRAINT "automation_action_enum";--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "given_course_id" uuid;--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "webhook_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "webhook_secret" text;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "subject" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "result" text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "response_status" integer;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "next_attempt_at" timestamp with time zone;--> statement-breakpoint
select without_forced_row_security(array['automation', 'course', 'study_group']::regclass[], $$
  ALTER TABLE "automation" ADD CONSTRAINT "automation_given_course" FOREIGN KEY ("tenant_id","given_course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;
  ALTER TABLE "automation" ADD CONSTRAINT "automation_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action
$$);--> statement-breakpoint
CREATE INDEX "automation_tenant_id_given_course_id_index" ON "automation" USING btree ("tenant_id","given_course_id");--> statement-breakpoint
CREATE INDEX "automation_tenant_id_group_id_index" ON "automation" USING btree ("tenant_id","group_id");--> statement-breakpoint
CREATE INDEX "automation_run_pending" ON "automation_run" USING btree ("tenant_id","next_attempt_at") WHERE result = 'pending';--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_webhook_address_length" CHECK (char_length("automation"."webhook_address") <= 1000);--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_webhook_secret_length" CHECK (char_length("automation"."webhook_secret") <= 200);--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_action_enum" CHECK ("automation"."action" in ('notify', 'task', 'tag', 'giveCourse', 'addToGroup', 'removeFromGroup', 'callWebhook'));--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_result_enum" CHECK ("automation_run"."result" in ('done', 'pending', 'refused', 'failed'));--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_subject_length" CHECK (char_length("automation_run"."subject") <= 300);--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_reason_length" CHECK (char_length("automation_run"."reason") <= 80);--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_attempts_range" CHECK ("automation_run"."attempts" between 0 and 100);--> statement-breakpoint
ALTER TABLE "automation_run" ADD CONSTRAINT "automation_run_response_status_range" CHECK ("automation_run"."response_status" between 100 and 999);