DROP INDEX "student_name";--> statement-breakpoint
DROP INDEX "student_active";--> statement-breakpoint
DROP INDEX "student_progress";--> statement-breakpoint
DROP INDEX "user_search";--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "sort_name" text GENERATED ALWAYS AS (coalesce(nullif(name, ''), email)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "sort_active_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(last_active_at, '-infinity')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "sort_progress" integer GENERATED ALWAYS AS (coalesce(progress, -1)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search" text GENERATED ALWAYS AS (search_text(first_name || ' ' || last_name || ' ' || email)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "student_blocked" ON "student" USING btree ("tenant_id","blocked_at") WHERE blocked_at is not null;--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id","sort_name" collate natural_order,"id");--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id","sort_active_at","id");--> statement-breakpoint
CREATE INDEX "student_progress" ON "student" USING btree ("tenant_id","sort_progress","id");--> statement-breakpoint
CREATE INDEX "user_search" ON "user" USING gin ("search" gin_trgm_ops);