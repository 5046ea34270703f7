DROP INDEX "student_name";--> statement-breakpoint
DROP INDEX "student_created";--> statement-breakpoint
DROP INDEX "student_active";--> statement-breakpoint
DROP INDEX "student_progress";--> statement-breakpoint
DROP INDEX "student_overdue";--> statement-breakpoint
DROP INDEX "student_status";--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "search" text GENERATED ALWAYS AS (search_text(name || ' ' || email)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id","sort_name" collate natural_order,"id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_created" ON "student" USING btree ("tenant_id","created_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id","sort_active_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_progress" ON "student" USING btree ("tenant_id","sort_progress","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_overdue" ON "student" USING btree ("tenant_id","overdue_count","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_status" ON "student" USING btree ("tenant_id","status","created_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;
--> statement-breakpoint
-- Entries that name a person by the email address only, in app.erased_email: of links that did not admit them.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  erased_id text := nullif(current_setting('app.erased_member', true), '');
  erased_email text := nullif(current_setting('app.erased_email', true), '');
begin
  if (erased_id in (old.object_id::text, old.actor_id::text) or old.object_name = erased_email)
    and (new.tenant_id, new.id, new.created_at, new.actor_id, new.action, new.object_id)
      is not distinct from (old.tenant_id, old.id, old.created_at, old.actor_id, old.action, old.object_id)
    and (new.object_name = old.object_name or new.object_name = '')
    and (new.before is not distinct from old.before or new.before is null)
    and (new.after is not distinct from old.after or new.after is null)
    and (new.address is not distinct from old.address or new.address is null)
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
