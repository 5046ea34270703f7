CREATE INDEX "submission_waiting" ON "submission" USING btree ("tenant_id","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_waiting_course" ON "submission" USING btree ("tenant_id","course_id","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_waiting_whose" ON "submission" USING btree ("tenant_id","assigned_to","submitted_at","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_due" ON "submission" USING btree ("tenant_id","answer_by","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_due_course" ON "submission" USING btree ("tenant_id","course_id","answer_by","id") WHERE state in ('submitted', 'in_review');--> statement-breakpoint
CREATE INDEX "submission_locked" ON "submission" USING btree ("tenant_id","locked_by") WHERE locked_by is not null;