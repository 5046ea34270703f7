-- The wall between schools. FORCE makes it hold for the owner of the tables too, which the app's role is.
-- A migration that changes data or adds a foreign key on a walled table must take NO FORCE first and FORCE again
-- in the same transaction: under FORCE it would see no rows and call that valid.
create function current_tenant() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;
--> statement-breakpoint
create function current_person() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;
--> statement-breakpoint
create function wall(walled regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', walled);
  execute format('alter table %s force row level security', walled);
  execute format('create policy of_tenant on %s using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', walled);
end $$;
--> statement-breakpoint
select wall(t) from unnest(array['subscription', 'add_on', 'invitation', 'file', 'course', 'course_staff', 'module',
  'lesson', 'lesson_revision', 'access_grant', 'lesson_progress', 'live_event']::regclass[]) t;
--> statement-breakpoint
-- A person sees the own memberships in every school (that is how a session finds its school), but writes in none.
alter table membership enable row level security;
--> statement-breakpoint
alter table membership force row level security;
--> statement-breakpoint
create policy of_tenant on membership using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
--> statement-breakpoint
create policy of_person on membership for select using (user_id = current_person());
--> statement-breakpoint
-- Letters about an account belong to no school and are seen only where no school is set.
alter table mail enable row level security;
--> statement-breakpoint
alter table mail force row level security;
--> statement-breakpoint
create policy of_tenant on mail using (tenant_id is not distinct from current_tenant())
  with check (tenant_id is not distinct from current_tenant());
