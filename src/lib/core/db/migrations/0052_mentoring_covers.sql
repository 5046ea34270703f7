ALTER TABLE "file_use" DROP CONSTRAINT "file_use_user_kind_enum";--> statement-breakpoint
ALTER TABLE "mentor_program" ADD COLUMN "cover_file_id" uuid;--> statement-breakpoint
ALTER TABLE "notification_delivery" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
select without_forced_row_security(array['mentor_program', 'file']::regclass[], $$
  ALTER TABLE "mentor_program" ADD CONSTRAINT "mentor_program_cover" FOREIGN KEY ("tenant_id","cover_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action
$$);--> statement-breakpoint
CREATE INDEX "mentor_program_tenant_id_cover_file_id_index" ON "mentor_program" USING btree ("tenant_id","cover_file_id") WHERE "mentor_program"."cover_file_id" is not null;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_user_kind_enum" CHECK ("file_use"."user_kind" in ('lesson', 'course', 'task', 'submission', 'roadmap', 'message', 'workshop', 'masterclass', 'autowebinar', 'certificate', 'school', 'question', 'quiz', 'attempt', 'mentoring'));
--> statement-breakpoint
select for_each_tenant($$
  insert into notification_preference (tenant_id, member_id, topic, channel, frequency, changed_at)
  select tenant_id, member_id, 'mentoring_request', channel, frequency, changed_at from notification_preference
  where topic = 'mentoring' on conflict do nothing
$$);
--> statement-breakpoint
select for_each_tenant($$
  update notification_preference set frequency = 'immediate'
  where topic in ('mentoring', 'event', 'event_reminder') and frequency in ('hourly', 'daily', 'weekly')
$$);
