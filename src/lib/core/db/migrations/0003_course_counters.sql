DROP INDEX "access_grant_tenant_id_course_id_created_at_index";--> statement-breakpoint
ALTER TABLE "course" ADD COLUMN "published_lesson_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "lesson" ADD COLUMN "words" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "access_grant_tenant_id_course_id_student_id_index" ON "access_grant" USING btree ("tenant_id","course_id","student_id");--> statement-breakpoint
CREATE INDEX "lesson_progress_tenant_id_last_opened_at_index" ON "lesson_progress" USING btree ("tenant_id","last_opened_at");