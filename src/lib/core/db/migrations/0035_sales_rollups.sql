CREATE TABLE "order_rollup" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"grain" text NOT NULL,
	"first_day" date NOT NULL,
	"state" text NOT NULL,
	"currency" text NOT NULL,
	"course_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"coupon_id" uuid NOT NULL,
	"order_count" integer NOT NULL,
	"paid_amount" bigint NOT NULL,
	"refunded_amount" bigint NOT NULL,
	CONSTRAINT "order_rollup_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "order_rollup_grain_enum" CHECK ("order_rollup"."grain" in ('change', 'all', 'month', 'day')),
	CONSTRAINT "order_rollup_state_enum" CHECK ("order_rollup"."state" in ('new', 'awaiting_payment', 'paid', 'partially_refunded', 'refunded', 'expired', 'canceled', 'active', 'overdue', 'suspended', 'paused', 'completed')),
	CONSTRAINT "order_rollup_currency_enum" CHECK ("order_rollup"."currency" in ('UAH', 'USD', 'EUR'))
);
--> statement-breakpoint
CREATE TABLE "revenue_rollup" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"dimension" text NOT NULL,
	"month" text NOT NULL,
	"is_test" boolean NOT NULL,
	"currency" text NOT NULL,
	"course_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"coupon_id" uuid NOT NULL,
	"source" text NOT NULL,
	"payment_count" integer NOT NULL,
	"received" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "revenue_rollup_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "revenue_rollup_dimension_enum" CHECK ("revenue_rollup"."dimension" in ('change', 'offer', 'source', 'coupon')),
	CONSTRAINT "revenue_rollup_currency_enum" CHECK ("revenue_rollup"."currency" in ('UAH', 'USD', 'EUR'))
);
--> statement-breakpoint
ALTER TABLE "order_rollup" ADD CONSTRAINT "order_rollup_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_rollup" ADD CONSTRAINT "revenue_rollup_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_rollup_tenant_id_grain_first_day_index" ON "order_rollup" USING btree ("tenant_id","grain","first_day");--> statement-breakpoint
CREATE UNIQUE INDEX "order_rollup_group" ON "order_rollup" USING btree ("tenant_id","grain","first_day","state","currency","offer_id","coupon_id") WHERE grain <> 'change';--> statement-breakpoint
CREATE INDEX "revenue_rollup_tenant_id_is_test_month_index" ON "revenue_rollup" USING btree ("tenant_id","is_test","month");--> statement-breakpoint
CREATE INDEX "revenue_rollup_change" ON "revenue_rollup" USING btree ("tenant_id") WHERE dimension = 'change';--> statement-breakpoint
CREATE UNIQUE INDEX "revenue_rollup_group" ON "revenue_rollup" USING btree ("tenant_id","month","is_test","currency","course_id","dimension","offer_id","coupon_id","source") WHERE dimension <> 'change';
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['order_rollup', 'revenue_rollup']::regclass[]) t;
--> statement-breakpoint
-- A UUID of version 7 (RFC 9562): milliseconds since 1970, then random bits. PostgreSQL has such a function since version 18 only.
create or replace function time_ordered_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;
--> statement-breakpoint
-- ---------------------------------------------------------------- Rollups of orders and revenue
-- Triggers only add rows, so that concurrent payments of a school never wait for each other.

-- Days and months depend on the time zone of the tenant. Its change waits for transactions that have used the former one.
create function lock_sales_rollup(locked_tenant_id uuid) returns void language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('sales rollup ' || locked_tenant_id, 0)) $$;
--> statement-breakpoint
create function record_order_change(o sales_order, sign integer) returns void language sql as $$
  insert into order_rollup (tenant_id, id, grain, first_day, state, currency, course_id, offer_id, coupon_id,
      order_count, paid_amount, refunded_amount)
  select o.tenant_id, time_ordered_id(), 'change', (o.created_at at time zone t.time_zone)::date, o.state, o.currency, o.course_id, o.offer_id,
      coalesce(o.coupon_id, '00000000-0000-0000-0000-000000000000'), sign, sign * o.paid_amount, sign * o.refunded_amount
    from tenant t where t.id = o.tenant_id
$$;
--> statement-breakpoint
-- A subscription itself has no money; its charges have it, also after they were returned.
create function record_revenue_change(p payment, o sales_order, sign integer) returns void language sql as $$
  insert into revenue_rollup (tenant_id, id, dimension, month, is_test, currency, course_id, offer_id, coupon_id, source,
      payment_count, received, refunded)
  select o.tenant_id, time_ordered_id(), 'change', to_char(p.paid_at at time zone t.time_zone, 'YYYY-MM'), p.is_test, p.currency, o.course_id,
      o.offer_id, coalesce(o.coupon_id, '00000000-0000-0000-0000-000000000000'), left(coalesce(o.source ->> 'utm_source', ''), 200),
      case when p.kind <> 'refund' then sign else 0 end,
      case when p.kind <> 'refund' then sign * p.amount::bigint else 0 end,
      case when p.kind = 'refund' then sign * p.amount::bigint else 0 end
    from tenant t
   where t.id = o.tenant_id and p.purpose = 'order' and p.paid_at is not null
     and (p.kind in ('once', 'refund') and p.status = 'success'
       or p.kind = 'recurrent' and p.parent_id is not null and p.status in ('success', 'recurrent refund'))
$$;
--> statement-breakpoint
create function roll_up_order() returns trigger language plpgsql as $$
declare
  counted payment;
begin
  if is_restoring() then return null; end if;
  perform lock_sales_rollup(coalesce(new.tenant_id, old.tenant_id));
  if tg_op <> 'INSERT' then perform record_order_change(old, -1); end if;
  if tg_op <> 'DELETE' then perform record_order_change(new, 1); end if;
  if tg_op = 'UPDATE' and (old.course_id, old.offer_id, old.coupon_id, old.source ->> 'utm_source')
    is distinct from (new.course_id, new.offer_id, new.coupon_id, new.source ->> 'utm_source')
  then
    for counted in select * from payment where tenant_id = new.tenant_id and purpose = 'order' and purpose_id = new.id loop
      perform record_revenue_change(counted, old, -1);
      perform record_revenue_change(counted, new, 1);
    end loop;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger order_rollup_of_order after insert or delete on sales_order for each row execute function roll_up_order();
--> statement-breakpoint
create trigger order_rollup_of_changed_order after update on sales_order for each row
  when ((old.created_at, old.state, old.currency, old.course_id, old.offer_id, old.coupon_id, old.paid_amount, old.refunded_amount, old.source)
    is distinct from (new.created_at, new.state, new.currency, new.course_id, new.offer_id, new.coupon_id, new.paid_amount, new.refunded_amount, new.source))
  execute function roll_up_order();
--> statement-breakpoint
create function roll_up_payment() returns trigger language plpgsql as $$
declare
  paid_order sales_order;
begin
  if is_restoring() then return null; end if;
  perform lock_sales_rollup(coalesce(new.tenant_id, old.tenant_id));
  select * into paid_order from sales_order
   where tenant_id = coalesce(new.tenant_id, old.tenant_id) and id = coalesce(new.purpose_id, old.purpose_id);
  if not found then return null; end if;
  if tg_op <> 'INSERT' then perform record_revenue_change(old, paid_order, -1); end if;
  if tg_op <> 'DELETE' then perform record_revenue_change(new, paid_order, 1); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger revenue_rollup_of_payment after insert on payment for each row
  when (new.paid_at is not null and new.purpose = 'order') execute function roll_up_payment();
--> statement-breakpoint
create trigger revenue_rollup_of_deleted_payment after delete on payment for each row
  when (old.paid_at is not null and old.purpose = 'order') execute function roll_up_payment();
--> statement-breakpoint
create trigger revenue_rollup_of_changed_payment after update on payment for each row
  when (new.purpose = 'order' and (old.status, old.kind, old.amount, old.currency, old.is_test, old.paid_at)
    is distinct from (new.status, new.kind, new.amount, new.currency, new.is_test, new.paid_at)) execute function roll_up_payment();
--> statement-breakpoint
-- Computes the rollups of the current tenant from its orders and payments.
create function rebuild_sales_rollups() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sales rollup ' || current_tenant(), 0));
  delete from order_rollup where tenant_id = current_tenant();
  delete from revenue_rollup where tenant_id = current_tenant();
  perform record_order_change(o, 1) from sales_order o where o.tenant_id = current_tenant();
  perform record_revenue_change(p, o, 1)
     from payment p join sales_order o on o.tenant_id = p.tenant_id and o.id = p.purpose_id
    where p.tenant_id = current_tenant() and p.purpose = 'order' and p.paid_at is not null;
end $$;
--> statement-breakpoint
create function rebuild_sales_rollups_of_tenant() returns trigger language plpgsql as $$
declare
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  if is_restoring() then return null; end if;
  perform set_config('app.tenant_id', new.id::text, true);
  perform rebuild_sales_rollups();
  perform set_config('app.tenant_id', tenant_before, true);
  return null;
end $$;
--> statement-breakpoint
create trigger sales_rollups_of_tenant after update of time_zone on tenant for each row
  when (old.time_zone is distinct from new.time_zone) execute function rebuild_sales_rollups_of_tenant();
--> statement-breakpoint
select for_each_tenant($$ select rebuild_sales_rollups() $$);
