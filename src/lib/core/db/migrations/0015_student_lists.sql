ALTER TABLE "student_import_column" DROP CONSTRAINT "student_import_column_field_enum";--> statement-breakpoint
ALTER TABLE "student_import_row" DROP CONSTRAINT "student_import_row_reason_enum";--> statement-breakpoint
DROP INDEX "student_name";--> statement-breakpoint
DROP INDEX "student_created";--> statement-breakpoint
DROP INDEX "student_active";--> statement-breakpoint
DROP INDEX "student_progress";--> statement-breakpoint
DROP INDEX "student_overdue";--> statement-breakpoint
DROP INDEX "student_status";--> statement-breakpoint
ALTER TABLE "student_import_row" ADD COLUMN "field_values" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "access_grant_current" ON "access_grant" USING btree ("tenant_id","course_id","student_id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "access_grant_current_group" ON "access_grant" USING btree ("tenant_id","source_id","student_id") WHERE revoked_at is null and source_type = 'group';--> statement-breakpoint
CREATE INDEX "student_present" ON "student" USING btree ("tenant_id","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id","sort_name" collate natural_order,"id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_created" ON "student" USING btree ("tenant_id","created_at","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id","sort_active_at","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_progress" ON "student" USING btree ("tenant_id","sort_progress","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_overdue" ON "student" USING btree ("tenant_id","overdue_count","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_status" ON "student" USING btree ("tenant_id","status","created_at","id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
ALTER TABLE "student_import_column" ADD CONSTRAINT "student_import_column_field_length" CHECK (char_length("student_import_column"."field") <= 60);--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_reason_enum" CHECK ("student_import_row"."reason" in ('email_missing', 'email_invalid', 'duplicate', 'limit_student_count', 'unknown_course', 'unknown_group', 'tag_invalid', 'field_invalid', 'blocked', 'course_archived', 'refused'));