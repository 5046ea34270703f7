ALTER TABLE "video" ADD COLUMN "sound_facts" jsonb;--> statement-breakpoint
ALTER TABLE "video" ADD COLUMN "made" bigint DEFAULT 0 NOT NULL;