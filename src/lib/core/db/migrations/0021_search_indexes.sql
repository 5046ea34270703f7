DROP INDEX "student_present";--> statement-breakpoint
DROP INDEX "student_name";--> statement-breakpoint
DROP INDEX "student_created";--> statement-breakpoint
DROP INDEX "student_active";--> statement-breakpoint
DROP INDEX "user_search";--> statement-breakpoint
-- A text with each Ukrainian and Russian letter as an ASCII letter or digit: pg_trgm ignores other letters where LC_CTYPE
-- is C, so that a search read all people. Different letters may become the same one; the search compares the text too.
CREATE FUNCTION ascii_letters(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN translate(value, 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэёъ', 'abvhgde4jzyi75klmnoprstufxcqw9386yee3');
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search_ascii" text GENERATED ALWAYS AS (ascii_letters(search_text(first_name || ' ' || last_name || ' ' || email))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "student_present" ON "student" USING btree ("tenant_id","id","sort_name","sort_active_at","sort_progress","overdue_count","created_at") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id","sort_name" collate natural_order,"id","user_id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_created" ON "student" USING btree ("tenant_id","created_at","id","user_id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id","sort_active_at","id","user_id") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "user_search" ON "user" USING gin ("search_ascii" gin_trgm_ops);