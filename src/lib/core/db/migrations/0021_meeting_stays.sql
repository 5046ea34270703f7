ALTER TABLE "meeting_presence" ADD COLUMN "seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_stream" ADD COLUMN "device" text DEFAULT 'unknown' NOT NULL;