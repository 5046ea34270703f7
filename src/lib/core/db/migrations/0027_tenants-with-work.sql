ALTER TABLE "transfer" ADD COLUMN "asker" jsonb;--> statement-breakpoint
CREATE INDEX "mail_queued" ON "mail" USING btree ("tenant_id","created_at") WHERE status = 'queued';
--> statement-breakpoint
-- The tenants for which `due`, a query bound by row-level security to one tenant at a time, returns a row; $1 in it is
-- `at`. One statement for all tenants instead of a transaction each, planned once. The policies bind the owner of the
-- tables too, so the function enters every tenant, as sweep_live_events does. Where the query fails, the tenant is
-- returned: its own run will meet the same row and report it.
create function tenants_with_work(due text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  school uuid;
  found boolean;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  if exists (select 1 from pg_prepared_statements where name = 'tenant_has_work') then
    deallocate tenant_has_work;
  end if;
  execute 'prepare tenant_has_work(timestamptz) as select exists (' || due || ')';
  for school in select id from tenant order by id loop
    perform set_config('app.tenant_id', school::text, true);
    begin
      execute format('execute tenant_has_work(%L)', at) into found;
    exception when others then
      found := true;
    end;
    if found then return next school; end if;
  end loop;
  deallocate tenant_has_work;
  perform set_config('app.tenant_id', before, true);
end $$;
