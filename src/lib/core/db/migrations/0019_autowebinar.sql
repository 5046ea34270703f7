DROP TABLE "registration_letter" CASCADE;--> statement-breakpoint
DROP TABLE "registration_wish" CASCADE;--> statement-breakpoint
ALTER TABLE "registration" DROP COLUMN "confirmed_at";--> statement-breakpoint
ALTER TABLE "registration" DROP COLUMN "canceled_at";--> statement-breakpoint
ALTER TABLE "workshop" DROP COLUMN "deleted_at";--> statement-breakpoint
ALTER TABLE "mail" DROP COLUMN "attachments";--> statement-breakpoint
ALTER TABLE "mail" DROP COLUMN "unsubscribe";--> statement-breakpoint
ALTER TABLE "mail" DROP COLUMN "send_after";--> statement-breakpoint
select wall('auto_plan'::regclass);--> statement-breakpoint
select wall('auto_line'::regclass);--> statement-breakpoint
select wall('auto_clock'::regclass);