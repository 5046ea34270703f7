ALTER TABLE "lesson" ADD COLUMN "nodes" integer;--> statement-breakpoint
ALTER TABLE "lesson" ADD COLUMN "characters" integer;