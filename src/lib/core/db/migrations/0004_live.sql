-- Says something on a channel of the current school. The lock makes the ids of a school appear in the order in which
-- its transactions commit: a reader that has seen an id has seen all before it, and can resume after it.
create function publish_live(on_channel text, what jsonb, notify boolean) returns bigint language plpgsql as $$
declare
  said bigint;
begin
  perform pg_advisory_xact_lock(4321002, hashtext(current_tenant()::text));
  insert into live_event (tenant_id, channel, payload) values (current_tenant(), on_channel, what) returning id into said;
  -- A pointer, not the thing: a notice holds 8,000 bytes, and equal ones in a transaction fold into one.
  if notify then
    perform pg_notify('kafedra_live', json_build_object('t', current_tenant(), 'c', on_channel, 'i', said)::text);
  end if;
  return said;
end $$;
--> statement-breakpoint
-- The wall binds the tables' owner too, so the sweep goes from school to school. Each keeps its newest event: it tells
-- streams where they are.
create function sweep_live_events() returns void language plpgsql as $$
declare
  school uuid;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  for school in select id from tenant loop
    perform set_config('app.tenant_id', school::text, true);
    delete from live_event
     where created_at < now() - interval '1 hour' and id < (select max(id) from live_event where tenant_id = school);
  end loop;
  perform set_config('app.tenant_id', before, true);
end $$;
--> statement-breakpoint
create function sweep_throttle() returns void language sql as $$
  delete from throttle where window_ends_at < now() - interval '1 day' and coalesce(blocked_until, 'epoch') < now();
$$;
