ALTER TABLE "inbox_item" DROP CONSTRAINT "inbox_item_kind_enum";--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "previous_webhook_secret" text;--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "previous_secret_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_run" ADD COLUMN "resent_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "booking_requested" ON "booking" USING btree ("tenant_id","session_id") WHERE state = 'requested';--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_previous_webhook_secret_length" CHECK (char_length("automation"."previous_webhook_secret") <= 200);--> statement-breakpoint
ALTER TABLE "automation" ADD CONSTRAINT "automation_previous_secret_both" CHECK (("automation"."previous_webhook_secret" is null) = ("automation"."previous_secret_until" is null));--> statement-breakpoint
ALTER TABLE "inbox_item" ADD CONSTRAINT "inbox_item_kind_enum" CHECK ("inbox_item"."kind" in ('chat', 'lesson', 'thread', 'homework', 'test', 'booking', 'task'));