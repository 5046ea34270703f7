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
