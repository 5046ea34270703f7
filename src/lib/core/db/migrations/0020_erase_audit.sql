-- The log stays append-only, except that the erasure of a person removes the name and the changed values from entries about
-- that person, and the address of the person's own requests. The erasure names the person in app.erased_member.
drop trigger append_only on audit_entry;
--> statement-breakpoint
create trigger append_only before delete or truncate on audit_entry
  for each statement execute function refuse_change();
--> statement-breakpoint
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  erased_id text := nullif(current_setting('app.erased_member', true), '');
begin
  if erased_id is not null and erased_id in (old.object_id::text, old.actor_id::text)
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
--> statement-breakpoint
create trigger append_only_update before update on audit_entry
  for each row execute function refuse_audit_change();
