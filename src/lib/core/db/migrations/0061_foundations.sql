-- Emails of events to unconfirmed addresses.
ALTER TABLE "registration" ADD COLUMN "address_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration" ADD COLUMN "network_digest" text;--> statement-breakpoint
ALTER TABLE "registration_email" ADD COLUMN "refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_network_digest_length" CHECK (char_length("registration"."network_digest") <= 64);--> statement-breakpoint
select for_each_tenant($$ update registration set address_confirmed_at = created_at where member_id is not null $$);
-- End of emails of events to unconfirmed addresses.
--> statement-breakpoint
-- Rollups of sales: each order knows the time zone in which it was counted, so that a change of the zone of its tenant
-- moves the orders piece by piece.
ALTER TABLE "sales_order" ADD COLUMN "rollup_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
select for_each_tenant($$ update sales_order o set rollup_zone = t.time_zone from tenant t where t.id = o.tenant_id $$);
--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_rollup_zone_index" ON "sales_order" USING btree ("tenant_id","rollup_zone");--> statement-breakpoint
drop trigger sales_rollups_of_tenant on tenant;
--> statement-breakpoint
drop function rebuild_sales_rollups_of_tenant();
--> statement-breakpoint
-- Computes the rollups of the current tenant from its orders and payments, for example after a script has inserted them.
create or replace function rebuild_sales_rollups() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sales rollup ' || current_tenant(), 0));
  update sales_order o set rollup_zone = t.time_zone from tenant t where o.tenant_id = current_tenant() and t.id = o.tenant_id;
  delete from order_rollup where tenant_id = current_tenant();
  delete from revenue_rollup where tenant_id = current_tenant();
  perform record_order_change(o, 1) from sales_order o where o.tenant_id = current_tenant();
  perform record_revenue_change(p, o, 1)
     from payment p join sales_order o on o.tenant_id = p.tenant_id and o.id = p.purpose_id
    where p.tenant_id = current_tenant() and p.purpose = 'order' and p.paid_at is not null;
end $$;
--> statement-breakpoint
create function set_rollup_zone() returns trigger language plpgsql as $$
begin
  if not is_restoring() then select time_zone into new.rollup_zone from tenant where id = new.tenant_id; end if;
  return new;
end $$;
--> statement-breakpoint
create trigger rollup_zone_of_order before insert on sales_order for each row execute function set_rollup_zone();
--> statement-breakpoint
create or replace function record_order_change(o sales_order, sign integer) returns void language sql as $$
  insert into order_rollup (tenant_id, id, grain, first_day, state, currency, course_id, offer_id, coupon_id, is_test,
      order_count, paid_amount, refunded_amount)
  values (o.tenant_id, gen_random_uuid(), 'change', (o.created_at at time zone o.rollup_zone)::date, o.state, o.currency, o.course_id,
      o.offer_id, coalesce(o.coupon_id, '00000000-0000-0000-0000-000000000000'), o.is_test, sign, sign * o.paid_amount,
      sign * o.refunded_amount)
$$;
--> statement-breakpoint
create or replace function record_revenue_change(p payment, o sales_order, sign integer) returns void language sql as $$
  insert into revenue_rollup (tenant_id, id, dimension, month, is_test, currency, course_id, offer_id, coupon_id, source,
      payment_count, received, refunded)
  select o.tenant_id, time_ordered_id(), 'change', to_char(p.paid_at at time zone o.rollup_zone, 'YYYY-MM'), p.is_test, p.currency,
      o.course_id, o.offer_id, coalesce(o.coupon_id, '00000000-0000-0000-0000-000000000000'),
      left(coalesce(o.source ->> 'utm_source', ''), 200),
      case when p.kind <> 'refund' then sign else 0 end,
      case when p.kind <> 'refund' then sign * p.amount::bigint else 0 end,
      case when p.kind = 'refund' then sign * p.amount::bigint else 0 end
   where p.purpose = 'order' and p.paid_at is not null
     and (p.kind in ('once', 'refund') and p.status = 'success'
       or p.kind = 'recurrent' and p.parent_id is not null and p.status in ('success', 'recurrent refund'))
$$;
--> statement-breakpoint
-- Counts some orders of the current tenant, with their payments, in its present time zone instead of the former one. Waits
-- for transactions that have counted something, and they for this one; the caller limits both. Returns the number of orders.
create function move_sales_rollups(max_orders integer) returns integer language plpgsql as $$
declare
  zone text;
  moved uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('sales rollup ' || current_tenant(), 0));
  select time_zone into zone from tenant where id = current_tenant();
  moved := array(select id from sales_order where tenant_id = current_tenant() and (rollup_zone < zone or rollup_zone > zone)
    limit max_orders for no key update skip locked);
  perform record_order_change(o, -1), record_order_change(jsonb_populate_record(o, jsonb_build_object('rollup_zone', zone)), 1)
     from sales_order o
    where o.tenant_id = current_tenant() and o.id = any(moved)
      and (o.created_at at time zone o.rollup_zone)::date <> (o.created_at at time zone zone)::date;
  perform record_revenue_change(p, o, -1),
      record_revenue_change(p, jsonb_populate_record(o, jsonb_build_object('rollup_zone', zone)), 1)
     from sales_order o join payment p on p.tenant_id = o.tenant_id and p.purpose = 'order' and p.purpose_id = o.id
    where o.tenant_id = current_tenant() and o.id = any(moved)
      and to_char(p.paid_at at time zone o.rollup_zone, 'YYYY-MM') <> to_char(p.paid_at at time zone zone, 'YYYY-MM');
  update sales_order set rollup_zone = zone where tenant_id = current_tenant() and id = any(moved);
  return cardinality(moved);
end $$;
--> statement-breakpoint
-- End of rollups of sales.
--> statement-breakpoint
-- Access to courses: src/lib/course/access/access.ts for one student, and these functions for lists. A property test compares them.
-- The planner inlines the functions that return rows: they are language sql, stable, and neither strict nor security definer.
CREATE INDEX "membership_blocked" ON "membership" USING btree ("tenant_id","id") WHERE blocked_at is not null;--> statement-breakpoint
-- The instant of a local time: the earlier one of a time that occurs twice; a skipped time moves forward by the gap.
create function instant_of_local_time(local_time timestamp, zone text) returns timestamptz language plpgsql stable as $$
declare
  day_before timestamptz := (local_time - interval '1 day') at time zone 'UTC';
  earlier timestamptz := (local_time - ((day_before at time zone zone) - (day_before at time zone 'UTC'))) at time zone 'UTC';
begin
  if earlier at time zone zone = local_time then return earlier; end if;
  return local_time at time zone zone;
end $$;
--> statement-breakpoint
-- The end of a grant, moved by its freezes in the local time of its group or of the tenant; null: no end, or unknown while
-- a freeze has no end.
create function moved_grant_end(starts_at timestamptz, ends_at timestamptz, frozen jsonb, group_zone text)
returns timestamptz language plpgsql stable as $$
declare
  zone text := coalesce(group_zone, (select t.time_zone from tenant t where t.id = current_tenant()));
  moved timestamptz := ends_at;
  frozen_period record;
  frozen_at timestamptz;
  duration interval;
begin
  for frozen_period in
    select (f.value ->> 'from')::timestamptz as starts, (f.value ->> 'to')::timestamptz as ends
      from jsonb_array_elements(frozen) with ordinality f order by f.ordinality
  loop
    frozen_at := greatest(frozen_period.starts, starts_at);
    exit when moved is null or frozen_at >= moved;
    if frozen_period.ends is null then return null; end if;
    duration := (frozen_period.ends at time zone zone) - (frozen_at at time zone zone);
    if duration > interval '0' then
      moved := instant_of_local_time((moved at time zone zone) + duration, zone);
    end if;
  end loop;
  return moved;
end $$;
--> statement-breakpoint
create function is_grant_frozen(frozen jsonb, moment timestamptz) returns boolean language plpgsql stable as $$
begin
  return exists (select from jsonb_array_elements(frozen) f
    where (f.value ->> 'from')::timestamptz <= moment
      and (f.value ->> 'to' is null or (f.value ->> 'to')::timestamptz > moment));
end $$;
--> statement-breakpoint
-- The grants that have not been revoked: their students are enrolled in the course, and members of the group, even if
-- access has not begun, is frozen, or has ended.
create function enrolled_grants() returns setof access_grant language sql stable parallel safe as $$
  select g.* from access_grant g where g.tenant_id = current_tenant() and g.revoked_at is null
$$;
--> statement-breakpoint
-- All grants with their effective start and end: a grant of a group starts with the group, and ends with it unless it has
-- its own end.
create function grant_periods()
returns table (grant_id uuid, student_id uuid, course_id uuid, group_id uuid, module_ids uuid[], starts_at timestamptz,
  ends_at timestamptz, frozen jsonb, revoked_at timestamptz)
language sql stable as $$
  select a.id, a.student_id, a.course_id, case when a.source_type = 'group' then a.source_id end, a.module_ids,
      stored.starts_at, case when a.frozen = '[]'::jsonb or stored.ends_at is null then stored.ends_at else moved_grant_end(stored.starts_at,
        stored.ends_at, a.frozen, g.time_zone) end,
      a.frozen, a.revoked_at
    from access_grant a
      left join study_group g on g.tenant_id = a.tenant_id and g.id = a.source_id and a.source_type = 'group'
      cross join lateral (select greatest(a.starts_at, g.start_at), coalesce(a.ends_at, g.end_at)) stored(starts_at, ends_at)
   where a.tenant_id = current_tenant()
$$;
--> statement-breakpoint
-- The grants that are neither revoked nor ended at an instant: they open their course then, or may do so later.
create function unended_grants(moment timestamptz) returns table (student_id uuid, course_id uuid, group_id uuid)
language sql stable as $$
  select a.student_id, a.course_id, a.group_id from grant_periods() a
   where (a.revoked_at is null or a.revoked_at > moment) and (a.ends_at is null or a.ends_at > moment)
$$;
--> statement-breakpoint
-- The grants that open their course at an instant, with their effective start and end, and `closes_at`: when they stop
-- opening it, by their end, the end of the course or their next freeze. A student without a row has no access.
-- The blocked students are read once a query, by their index.
create function course_access(moment timestamptz)
returns table (grant_id uuid, student_id uuid, course_id uuid, group_id uuid, module_ids uuid[], starts_at timestamptz,
  ends_at timestamptz, closes_at timestamptz)
language sql stable as $$
  select a.grant_id, a.student_id, a.course_id, a.group_id, a.module_ids, a.starts_at, a.ends_at,
      least(a.ends_at, c.access_end, case when a.frozen <> '[]'::jsonb then (select min((f.value ->> 'from')::timestamptz)
        from jsonb_array_elements(a.frozen) f where (f.value ->> 'from')::timestamptz > moment) end)
    from grant_periods() a
      join course c on c.tenant_id = current_tenant() and c.id = a.course_id and c.status <> 'draft'
        and (c.access_start is null or c.access_start <= moment) and (c.access_end is null or c.access_end > moment)
   where a.student_id not in (select m.id from membership m where m.tenant_id = current_tenant() and m.blocked_at is not null)
     and (a.revoked_at is null or a.revoked_at > moment) and a.starts_at <= moment
     and (a.ends_at is null or a.ends_at > moment) and (a.frozen = '[]'::jsonb or not is_grant_frozen(a.frozen, moment))
$$;
--> statement-breakpoint
-- End of access to courses.
