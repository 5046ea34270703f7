ALTER TABLE "chat_scheduled_message" DROP CONSTRAINT "chat_scheduled_message_failure_enum";--> statement-breakpoint
DROP INDEX "chat_file_unsent";--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD COLUMN "is_voice" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_file" ADD COLUMN "scheduled_id" uuid;--> statement-breakpoint
select without_forced_row_security(array['chat_file', 'chat_scheduled_message']::regclass[], $$
  alter table chat_file add constraint chat_file_scheduled foreign key (tenant_id, scheduled_id) references chat_scheduled_message (tenant_id, id)
$$);--> statement-breakpoint
CREATE INDEX "chat_file_scheduled_index" ON "chat_file" USING btree ("tenant_id","scheduled_id") WHERE "chat_file"."scheduled_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_file_unsent" ON "chat_file" USING btree ("tenant_id","created_at") WHERE seq is null and scheduled_id is null;--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD CONSTRAINT "chat_scheduled_message_failure_enum" CHECK ("chat_scheduled_message"."failure" in ('forbidden', 'plan_inactive', 'file_missing'));--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_message_or_scheduled" CHECK (seq is null or scheduled_id is null);