-- 0060: defects found by external testing.
-- Sessions and secrets.
--> statement-breakpoint
-- Migration 0035 creates it too; a database that was migrated before used the function of PostgreSQL 18.
create or replace function time_ordered_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;
--> statement-breakpoint
do $$
declare
  changed regprocedure;
begin
  foreach changed in array array['record_order_change(sales_order, integer)', 'record_revenue_change(payment, sales_order, integer)']::regprocedure[] loop
    execute replace(pg_get_functiondef(changed), 'uuid' || 'v7()', 'time_ordered_id()');
  end loop;
end $$;
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "bound_tenant_id" uuid;
--> statement-breakpoint
-- Sessions that were started by a login link before this migration.
select for_each_tenant($$
  update session s set bound_tenant_id = current_tenant() from login_link l join membership m on m.tenant_id = l.tenant_id and m.id = l.student_id
   where l.tenant_id = current_tenant() and l.used_at is not null and s.user_id = m.user_id
     and s.created_at between l.used_at - interval '10 seconds' and l.used_at + interval '10 seconds'
$$);
--> statement-breakpoint
-- A session of a one-time login link is limited to the student of its school.
create or replace function open_session(token bytea, host text) returns jsonb language plpgsql as $$
declare
  s record;
  m record;
begin
  select session.id, session.user_id, session.tenant_id, session.account_type, session.bound_tenant_id,
         (session.last_seen_at < now() - interval '5 minutes' or session.last_seen_at = session.created_at) as stale,
         u.email, u.first_name, u.last_name, u.locale, u.time_zone
    into s
    from session join "user" u on u.id = session.user_id
   where session.token_hash = token and session.revoked_at is null and session.expires_at > now();
  if not found then return null; end if;
  perform set_config('app.user_id', s.user_id::text, true);
  select membership.id, membership.tenant_id, membership.account_type, membership.roles,
         tenant.subdomain, tenant.name, tenant.time_zone
    into m
    from membership join tenant on tenant.id = membership.tenant_id
   where membership.user_id = s.user_id and membership.blocked_at is null
     and membership.status in ('active', 'accepted') and tenant.status = 'active'
     and (s.bound_tenant_id is null or (membership.tenant_id = s.bound_tenant_id
       and membership.account_type = 'ACCOUNT_TYPE_STUDENT' and host in ('', 'go', tenant.subdomain)))
   order by (tenant.subdomain = host and membership.account_type <> 'ACCOUNT_TYPE_STUDENT') desc,
            (host = 'go' and membership.account_type = 'ACCOUNT_TYPE_STUDENT') desc,
            (membership.tenant_id = s.tenant_id and membership.account_type = s.account_type) is true desc,
            membership.created_at
   limit 1;
  if not found then return null; end if;
  perform set_config('app.tenant_id', m.tenant_id::text, true);
  if s.stale then
    update session set last_seen_at = now() where token_hash = token;
    -- Skipped while the member is being changed: a lookup of many sessions must not wait or cause a deadlock.
    update membership set last_active_at = now() where (tenant_id, id) in
      (select o.tenant_id, o.id from membership o where o.tenant_id = m.tenant_id and o.id = m.id for update skip locked);
  end if;
  return jsonb_build_object(
    'userId', s.user_id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name,
    'locale', s.locale, 'timeZone', s.time_zone, 'sessionId', s.id,
    'isBoundToSchool', s.bound_tenant_id is not null,
    'tenantId', m.tenant_id, 'subdomain', m.subdomain, 'tenantName', m.name, 'tenantTimeZone', m.time_zone,
    'membershipId', m.id, 'accountType', m.account_type, 'roles', m.roles,
    'plans', (select coalesce(jsonb_agg(jsonb_build_object('group', p."group", 'state', p.state, 'plan', p.plan,
                'period', p.period, 'trialEndsAt', p.trial_ends_at, 'nextPayment', p.next_payment)), '[]')
                from subscription p where p.tenant_id = m.tenant_id),
    'addOns', (select coalesce(jsonb_agg(jsonb_build_object('limit', a."limit", 'quantity', a.quantity,
                'nextPayment', a.next_payment)), '[]') from add_on a where a.tenant_id = m.tenant_id),
    'unreadNotifications', (select count(*) from notification n where n.tenant_id = m.tenant_id and n.member_id = m.id
                and n.read_at is null and n.archived_at is null),
    'memberships', (select coalesce(jsonb_agg(jsonb_build_object('membershipId', o.id, 'tenantId', o.tenant_id,
                'subdomain', t.subdomain, 'tenantName', t.name, 'accountType', o.account_type) order by t.name), '[]')
                from membership o join tenant t on t.id = o.tenant_id
               where o.user_id = s.user_id and o.blocked_at is null
                 and o.status in ('active', 'accepted') and t.status = 'active'
                 and (s.bound_tenant_id is null or o.id = m.id)));
end $$;
--> statement-breakpoint
-- Ends the sessions of one-time login links of a person: an account with another membership, password, address or second
-- factor is not one for which the school could have created a link.
create function end_bound_sessions(person uuid) returns void language sql as $$
  with ended as (
    update session set revoked_at = now() where user_id = person and bound_tenant_id is not null and revoked_at is null returning id)
  select pg_notify('kafedra_live', json_build_object('cut', json_build_object('sessionId', id))::text) from ended
$$;
--> statement-breakpoint
create function end_bound_sessions_of_member() returns trigger language plpgsql as $$
begin
  if not is_restoring() then perform end_bound_sessions(new.user_id); end if;
  return null;
end $$;
--> statement-breakpoint
create function end_bound_sessions_of_user() returns trigger language plpgsql as $$
begin
  if not is_restoring() then perform end_bound_sessions(new.id); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger membership_ends_bound_sessions after insert on membership
  for each row execute function end_bound_sessions_of_member();
--> statement-breakpoint
create trigger membership_change_ends_bound_sessions after update of status, account_type, roles, blocked_at, removed_at on membership
  for each row when (old.status is distinct from new.status or old.account_type is distinct from new.account_type
    or old.roles is distinct from new.roles or old.blocked_at is distinct from new.blocked_at or old.removed_at is distinct from new.removed_at)
  execute function end_bound_sessions_of_member();
--> statement-breakpoint
create trigger user_ends_bound_sessions after update of password_hash, email, totp_enabled_at on "user"
  for each row when (old.password_hash is distinct from new.password_hash or old.email is distinct from new.email
    or old.totp_enabled_at is distinct from new.totp_enabled_at)
  execute function end_bound_sessions_of_user();
--> statement-breakpoint
--> statement-breakpoint
CREATE TABLE "secret_key" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"next_fingerprint" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_key_one" CHECK ("secret_key"."id" = 1)
);
-- End of sessions and secrets.

-- Offers, orders and payments.
CREATE TABLE "refused_sale" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"buyer_key" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refused_sale_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "refused_sale_tenantId_offerId_buyerKey_unique" UNIQUE("tenant_id","offer_id","buyer_key"),
	CONSTRAINT "refused_sale_buyer_key_length" CHECK (char_length("refused_sale"."buyer_key") <= 64),
	CONSTRAINT "refused_sale_email_length" CHECK (char_length("refused_sale"."email") <= 254),
	CONSTRAINT "refused_sale_name_length" CHECK (char_length("refused_sale"."name") <= 160)
);
--> statement-breakpoint
ALTER TABLE "refused_sale" ADD CONSTRAINT "refused_sale_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_sale" ADD CONSTRAINT "refused_sale_offer" FOREIGN KEY ("tenant_id","offer_id") REFERENCES "public"."offer"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_sale_tenant_id_created_at_id_index" ON "refused_sale" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
select isolate_tenants('refused_sale');--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "reserved_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "address_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "network_key" text;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_network_key_length" CHECK (char_length("sales_order"."network_key") <= 64);--> statement-breakpoint
DROP INDEX "order_rollup_group";--> statement-breakpoint
ALTER TABLE "order_rollup" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "order_rollup_group" ON "order_rollup" USING btree ("tenant_id","grain","first_day","state","currency","offer_id","coupon_id","is_test") WHERE grain <> 'change';--> statement-breakpoint
-- Orders that only test payments were made for.
select for_each_tenant($$ update sales_order o set is_test = true
   where exists (select 1 from payment p where p.tenant_id = o.tenant_id and p.purpose = 'order' and p.purpose_id = o.id and p.is_test)
     and not exists (select 1 from payment p where p.tenant_id = o.tenant_id and p.purpose = 'order' and p.purpose_id = o.id
       and not p.is_test and p.paid_at is not null) $$);
--> statement-breakpoint
select for_each_tenant($$ update sales_order set reserved_until = expires_at where state = 'awaiting_payment' $$);
--> statement-breakpoint
create or replace function record_order_change(o sales_order, sign integer) returns void language sql as $$
  insert into order_rollup (tenant_id, id, grain, first_day, state, currency, course_id, offer_id, coupon_id, is_test,
      order_count, paid_amount, refunded_amount)
  select o.tenant_id, gen_random_uuid(), 'change', (o.created_at at time zone t.time_zone)::date, o.state, o.currency, o.course_id,
      o.offer_id, coalesce(o.coupon_id, '00000000-0000-0000-0000-000000000000'), o.is_test, sign, sign * o.paid_amount,
      sign * o.refunded_amount
    from tenant t where t.id = o.tenant_id
$$;
--> statement-breakpoint
drop trigger order_rollup_of_changed_order on sales_order;
--> statement-breakpoint
create trigger order_rollup_of_changed_order after update on sales_order for each row
  when ((old.created_at, old.state, old.currency, old.course_id, old.offer_id, old.coupon_id, old.paid_amount, old.refunded_amount, old.source, old.is_test)
    is distinct from (new.created_at, new.state, new.currency, new.course_id, new.offer_id, new.coupon_id, new.paid_amount, new.refunded_amount, new.source, new.is_test))
  execute function roll_up_order();
--> statement-breakpoint
select for_each_tenant($$ select rebuild_sales_rollups() $$);
--> statement-breakpoint
ALTER TABLE "payment_callback" DROP CONSTRAINT "payment_callback_problem_enum";
--> statement-breakpoint
ALTER TABLE "payment" ADD COLUMN "provider_status" text;
--> statement-breakpoint
ALTER TABLE "payment_callback" ADD COLUMN "provider_status" text;
--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_provider_status_length" CHECK (char_length("payment"."provider_status") <= 60);
--> statement-breakpoint
ALTER TABLE "payment_callback" ADD CONSTRAINT "payment_callback_provider_status_length" CHECK (char_length("payment_callback"."provider_status") <= 60);
--> statement-breakpoint
ALTER TABLE "payment_callback" ADD CONSTRAINT "payment_callback_problem_enum" CHECK ("payment_callback"."problem" in ('signature', 'format', 'unknown_payment', 'provider', 'amount', 'currency', 'test', 'status', 'internal'));
--> statement-breakpoint
-- The mailbox to which an address delivers, for limits per person; the same as mailboxOf of core/shared/text/mailbox.ts.
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case
    when m.name = '' or m.name is null then m.address
    else m.name || '@' || case when m.is_google then 'gmail.com' else m.domain end
  end
  from (
    select a.address, a.domain, a.is_google,
      case
        when a.is_google then replace(split_part(a.local, '+', 1), '.', '')
        when a.domain in ('outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'icloud.com', 'me.com', 'mac.com', 'proton.me',
          'protonmail.com', 'pm.me', 'fastmail.com', 'fastmail.fm', 'yahoo.com', 'zoho.com') then split_part(a.local, '+', 1)
      end as name
    from (
      select l.address, substring(l.address from '@([^@]*)$') as domain, substring(l.address from '^(.*)@[^@]*$') as local,
        substring(l.address from '@([^@]*)$') in ('gmail.com', 'googlemail.com') as is_google
      from (select lower(btrim(mailbox_of.address)) as address) l
    ) a
  ) m
$$;
--> statement-breakpoint
CREATE INDEX "sales_order_coupon_mailbox" ON "sales_order" USING btree ("tenant_id","coupon_id",mailbox_of("email")) WHERE "sales_order"."coupon_id" is not null;
--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "refund_choices" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "access_ended_at" timestamp with time zone;
--> statement-breakpoint
-- Orders whose access a refund of a part has ended keep no seat.
select for_each_tenant($$ update sales_order o set access_ended_at = e.at
  from (select distinct on (order_id) order_id, at, text from order_entry
    where tenant_id = current_tenant() and kind = 'access' order by order_id, at desc) e
  where o.tenant_id = current_tenant() and o.id = e.order_id and e.text = 'endNow' and o.state = 'partially_refunded' $$);
-- End of offers, orders and payments.

-- Tests.
-- Attempts that were started before keep the stored ids.
ALTER TABLE "quiz_attempt" ADD COLUMN "part_key" uuid;
--> statement-breakpoint
CREATE TABLE "quiz_late_answer" (
	"tenant_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"value" jsonb NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"accepted_by" uuid,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "quiz_late_answer_tenant_id_attempt_id_question_id_revision_pk" PRIMARY KEY("tenant_id","attempt_id","question_id","revision"),
	CONSTRAINT "quiz_late_answer_revision_range" CHECK ("quiz_late_answer"."revision" >= 1)
);
--> statement-breakpoint
ALTER TABLE "quiz_attempt_event" DROP CONSTRAINT "quiz_attempt_event_event_enum";
--> statement-breakpoint
ALTER TABLE "quiz_late_answer" ADD CONSTRAINT "quiz_late_answer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quiz_late_answer" ADD CONSTRAINT "quiz_late_answer_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."quiz_attempt"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quiz_late_answer" ADD CONSTRAINT "quiz_late_answer_question" FOREIGN KEY ("tenant_id","question_id") REFERENCES "public"."question"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quiz_late_answer" ADD CONSTRAINT "quiz_late_answer_accepted_by" FOREIGN KEY ("tenant_id","accepted_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "quiz_late_answer_tenant_id_question_id_index" ON "quiz_late_answer" USING btree ("tenant_id","question_id");
--> statement-breakpoint
CREATE INDEX "quiz_late_answer_tenant_id_accepted_by_index" ON "quiz_late_answer" USING btree ("tenant_id","accepted_by");
--> statement-breakpoint
ALTER TABLE "quiz_attempt_event" ADD CONSTRAINT "quiz_attempt_event_event_enum" CHECK ("quiz_attempt_event"."event" in ('started', 'resumed', 'expired', 'submitted', 'abandoned', 'timeGranted', 'graded', 'regraded', 'lateAccepted'));
--> statement-breakpoint
select isolate_tenants('quiz_late_answer');
--> statement-breakpoint
ALTER TABLE "transfer" DROP CONSTRAINT "transfer_split_enum";
--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_split_enum" CHECK ("transfer"."split" in ('headings', 'modules', 'bold', 'numbered', 'pages', 'none'));
--> statement-breakpoint
-- The order of newer attempts comes from their secret key.
ALTER TABLE "quiz_attempt" ALTER COLUMN "seed" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "question" DROP CONSTRAINT "question_type_enum";
--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_type_enum" CHECK ("question"."type" in ('single', 'multiple', 'trueFalse', 'shortText', 'number', 'essay', 'fileUpload', 'matching', 'ordering', 'gapText', 'gapSelect', 'gapMixed', 'hotspot', 'scale'));
--> statement-breakpoint
-- End of tests.

-- Calendars and bookings.
--> statement-breakpoint
ALTER TABLE "busy_calendar" DROP CONSTRAINT "busy_calendar_error_enum";
--> statement-breakpoint
ALTER TABLE "busy_calendar" ADD COLUMN "skipped_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "busy_calendar" ADD CONSTRAINT "busy_calendar_skipped_count_range" CHECK ("busy_calendar"."skipped_count" >= 0);
--> statement-breakpoint
ALTER TABLE "busy_calendar" ADD CONSTRAINT "busy_calendar_error_enum" CHECK ("busy_calendar"."error" in ('calendar_not_web', 'calendar_private', 'calendar_silent', 'calendar_refused', 'calendar_too_large', 'calendar_redirects', 'calendar_format', 'calendar_failed'));
--> statement-breakpoint
-- End of calendars and bookings.

-- Students.
-- Searches compare composed letters: "й" typed as two characters is the same letter.
create or replace function search_text(value text) returns text language sql immutable strict parallel safe
  as $$ select translate(lower(normalize(value, NFC) collate "und-x-icu"), '’ʼ‘´`′', '''''''''''''') $$;
--> statement-breakpoint
-- A phone in the form in which all searches compare it: its last nine digits, however the country code and the punctuation
-- are written; of several numbers the first. The same as `phoneKey` in core/shared/text/phone.ts.
create function phone_key(value text) returns text language sql immutable strict parallel safe
  return right(regexp_replace(regexp_replace(value, '[,;/#].*$', ''), '[^0-9]', '', 'g'), 9);
--> statement-breakpoint
-- The name of a person as in official lists: surname, given name, patronymic.
create function formal_name(last_name text, first_name text, patronymic text) returns text language sql immutable parallel safe
  return trim(last_name || ' ' || first_name || ' ' || coalesce(patronymic, ''));
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "patronymic" text;--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_patronymic_length" CHECK (char_length("user"."patronymic") <= 80);--> statement-breakpoint
ALTER TABLE "user" drop column "search";--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search" text GENERATED ALWAYS AS (search_text(first_name || ' ' || coalesce(patronymic || ' ', '') || last_name || ' ' || email)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "user" drop column "search_ascii";--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search_ascii" text GENERATED ALWAYS AS (ascii_letters(search_text(first_name || ' ' || coalesce(patronymic || ' ', '') || last_name || ' ' || email))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "user_search" ON "user" USING gin ("search_ascii" gin_trgm_ops);--> statement-breakpoint
DROP INDEX "user_phone";--> statement-breakpoint
CREATE INDEX "user_phone" ON "user" USING gin (phone_key("phone") gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "formal_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
select for_each_tenant($$ update student s set formal_name = formal_name(u.last_name, u.first_name, u.patronymic)
  from "user" u where u.id = s.user_id and s.anonymized_at is null $$);
--> statement-breakpoint
-- Drops the indexes that include the column too.
ALTER TABLE "student" drop column "search";--> statement-breakpoint
DROP INDEX "student_present";--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "search" text GENERATED ALWAYS AS (search_text(formal_name || ' ' || email)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "sort_surname" text GENERATED ALWAYS AS (coalesce(nullif(formal_name, ''), email)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "student_present" ON "student" USING btree ("tenant_id","id","sort_name","sort_surname","sort_active_at","sort_progress","overdue_count","created_at") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id","sort_name" collate natural_order,"id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_surname" ON "student" USING btree ("tenant_id","sort_surname" collate natural_order,"id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_created" ON "student" USING btree ("tenant_id","created_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id","sort_active_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_progress" ON "student" USING btree ("tenant_id","sort_progress","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_overdue" ON "student" USING btree ("tenant_id","overdue_count","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "student_status" ON "student" USING btree ("tenant_id","status","created_at","id","user_id","search") WHERE deleted_at is null and anonymized_at is null;
--> statement-breakpoint
create or replace function copy_user_to_students() returns trigger language plpgsql as $$
declare
  entered_tenant_id uuid;
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  person_before text := coalesce(current_setting('app.user_id', true), '');
begin
  if is_restoring() then return null; end if;
  if (old.first_name, old.last_name, old.patronymic, old.email, old.phone, old.locale, old.time_zone)
     is not distinct from (new.first_name, new.last_name, new.patronymic, new.email, new.phone, new.locale, new.time_zone) then
    return null;
  end if;
  perform set_config('app.user_id', new.id::text, true);
  for entered_tenant_id in select tenant_id from membership where user_id = new.id and account_type = 'ACCOUNT_TYPE_STUDENT' loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    update student set name = trim(new.first_name || ' ' || new.last_name), email = new.email, phone = new.phone,
           formal_name = formal_name(new.last_name, new.first_name, new.patronymic),
           revision = revision + 1
     where tenant_id = entered_tenant_id and user_id = new.id and anonymized_at is null;
    if new.email <> old.email then
      update student s set bounced_at = null, status = case m.status when 'active' then 'accepted' else m.status end
        from membership m
       where s.tenant_id = entered_tenant_id and s.user_id = new.id and s.bounced_at is not null
         and m.tenant_id = entered_tenant_id and m.id = s.id;
    end if;
  end loop;
  perform set_config('app.tenant_id', tenant_before, true);
  perform set_config('app.user_id', person_before, true);
  return null;
end $$;
--> statement-breakpoint
create or replace function copy_membership_to_student() returns trigger language plpgsql as $$
declare
  clears_bounce boolean := tg_op = 'UPDATE';
begin
  if is_restoring() then return null; end if;
  if clears_bounce then
    clears_bounce := new.user_id <> old.user_id or (new.status = 'accepted' and old.status <> 'accepted');
  end if;
  insert into student (tenant_id, id, user_id, name, formal_name, email, phone, status, created_at, blocked_at, last_active_at)
  select new.tenant_id, new.id, new.user_id, trim(u.first_name || ' ' || u.last_name),
         formal_name(u.last_name, u.first_name, u.patronymic), u.email, u.phone,
         case new.status when 'active' then 'accepted' else new.status end, new.created_at, new.blocked_at, new.last_active_at
    from "user" u where u.id = new.user_id
  on conflict (tenant_id, id) do update
    set status = case when student.bounced_at is null or clears_bounce then excluded.status else 'unknown' end,
        bounced_at = case when clears_bounce then null else student.bounced_at end,
        created_at = excluded.created_at, blocked_at = excluded.blocked_at,
        last_active_at = greatest(student.last_active_at, excluded.last_active_at),
        user_id = excluded.user_id,
        name = case when student.user_id = excluded.user_id then student.name else excluded.name end,
        formal_name = case when student.user_id = excluded.user_id then student.formal_name else excluded.formal_name end,
        email = case when student.user_id = excluded.user_id then student.email else excluded.email end,
        phone = case when student.user_id = excluded.user_id then student.phone else excluded.phone end,
        revision = student.revision + (student.user_id <> excluded.user_id)::int;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger students_of_user
  after update of first_name, last_name, patronymic, email, phone, locale, time_zone on "user"
  for each row execute function copy_user_to_students();
--> statement-breakpoint
-- Orders are found by the same form of a phone.
create or replace function order_words(buyer_name text, email text, phone text, recipient_name text, recipient_email text)
  returns setof text language sql immutable as $$
  select distinct left(word, 80)
    from regexp_split_to_table(search_text(concat_ws(' ', buyer_name, email, phone_key(phone),
      recipient_name, recipient_email)), '[\s@.,;:/()+"«»_-]+') word where word <> '' $$;
--> statement-breakpoint
select for_each_tenant($$ insert into order_word (tenant_id, order_id, word)
  select o.tenant_id, o.id, word
    from sales_order o, order_words(o.buyer_name, o.email, o.phone, o.recipient_name, o.recipient_email) word
    where o.phone ~ '[,;/#]'
  on conflict do nothing $$);
--> statement-breakpoint
ALTER TABLE "student_import_row" ADD COLUMN "patronymic" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "student_import_row" ADD COLUMN "warnings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_patronymic_length" CHECK (char_length("student_import_row"."patronymic") <= 80);--> statement-breakpoint
ALTER TABLE "student_import_row" DROP CONSTRAINT "student_import_row_reason_enum";--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_reason_enum" CHECK ("student_import_row"."reason" in ('email_missing', 'email_invalid', 'email_look_alike', 'email_no_dot', 'duplicate', 'limit_student_count', 'unknown_course', 'unknown_group', 'tag_invalid', 'field_invalid', 'blocked', 'course_archived', 'group_full', 'group_finished', 'refused'));
--> statement-breakpoint
-- Remembered guesses of earlier versions, some of them wrong; from now on only choices of the staff are stored.
select for_each_tenant($$ delete from student_import_column $$);
--> statement-breakpoint
-- End of students.

-- Chat and email.
update tenant_domain d set status = 'failed', check_error = 'txt_missing' where status = 'pending' and exists
  (select 1 from tenant_domain e where e.domain = d.domain and e.status = 'pending'
    and (e.created_at, e.tenant_id) < (d.created_at, d.tenant_id));
--> statement-breakpoint
CREATE UNIQUE INDEX "tenant_domain_pending" ON "tenant_domain" USING btree ("domain") WHERE status = 'pending';
--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" DROP CONSTRAINT "chat_scheduled_message_failure_enum";
--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD CONSTRAINT "chat_scheduled_message_failure_enum" CHECK ("chat_scheduled_message"."failure" in ('forbidden', 'plan_inactive', 'file_missing', 'unverified'));
--> statement-breakpoint
-- Searches in messages compare the letters themselves: their transliteration took "ь" for 3 and "a" for "а". The words are
-- without apostrophes, stress marks and invisible characters; "C++" and "C#" are words besides "C". The same as
-- `searchedForm` in chat/search/excerpt-rules.ts.
create or replace function search_words(value text) returns text[] language sql immutable strict parallel safe
  as $$ select array(select distinct word
    from (select regexp_replace(search_text(value), '[''\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]', '', 'g') as text) folded,
      regexp_matches(folded.text collate "und-x-icu", '[[:alnum:]]+(?:\+\+|#)?', 'g') found,
      lateral (values (left(found[1], 40)), (left(rtrim(found[1], '+#'), 40))) part(word)
    order by 1 limit 500) $$;
--> statement-breakpoint
select for_each_tenant($$ delete from chat_word $$);
--> statement-breakpoint
select for_each_tenant($$ delete from chat_vocabulary $$);
--> statement-breakpoint
select for_each_tenant($$ select change_message_words(m, '{}', words_of_message(m)) from chat_message m $$);
--> statement-breakpoint
-- End of chat and email.

-- Certificates.
-- The PDFs of revoked and replaced certificates are rendered again, with a mark.
select for_each_tenant($$ update certificate set rendered_at = null where state in ('revoked', 'replaced') $$);
--> statement-breakpoint
-- End of certificates.

-- Events.
ALTER TABLE "meeting_message" DROP CONSTRAINT "meeting_message_role_enum";--> statement-breakpoint
ALTER TABLE "workshop_participant" DROP CONSTRAINT "workshop_participant_role_enum";--> statement-breakpoint
ALTER TABLE "meeting_message" ADD CONSTRAINT "meeting_message_role_enum" CHECK ("meeting_message"."role" in ('host', 'speaker', 'moderator', 'viewer', 'student'));--> statement-breakpoint
ALTER TABLE "workshop_participant" ADD CONSTRAINT "workshop_participant_role_enum" CHECK ("workshop_participant"."role" in ('host', 'speaker', 'moderator', 'viewer', 'student'));
--> statement-breakpoint
ALTER TABLE "file" DROP CONSTRAINT "file_area_enum";--> statement-breakpoint
ALTER TABLE "upload" DROP CONSTRAINT "upload_area_enum";--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_area_enum" CHECK ("file"."area" in ('storage', 'homework', 'quiz', 'chat', 'replay', 'presentation'));--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_area_enum" CHECK ("upload"."area" in ('storage', 'homework', 'quiz', 'chat', 'replay', 'presentation'));
--> statement-breakpoint
-- End of events.

-- Pages and settings.
-- Titles of questions show a gap instead of its marker.
select for_each_tenant($$ update question set title = left(regexp_replace(title, '\[\[[A-Za-z0-9_-]{1,40}\]\]', '___', 'g'), 300)
   where tenant_id = current_tenant() and type like 'gap%' and title like '%[[%' $$);
--> statement-breakpoint
-- End of pages and settings.

-- Storage and jobs.
--> statement-breakpoint
-- A named lock until the end of the transaction. A long wait is reported, so that it is logged with the name of the lock.
create function lock_until_commit(lock_name text, lock_key text, is_shared boolean) returns void language plpgsql as $$
declare
  started timestamptz := clock_timestamp();
  key bigint := hashtextextended(lock_name || ' ' || lock_key, 0);
begin
  if is_shared then perform pg_advisory_xact_lock_shared(key); else perform pg_advisory_xact_lock(key); end if;
  perform report_lock_wait(lock_name, started);
end $$;
--> statement-breakpoint
create function report_lock_wait(lock_name text, started timestamptz) returns void language plpgsql as $$
declare
  waited_ms integer := extract(epoch from clock_timestamp() - started) * 1000;
begin
  if waited_ms > 500 then
    raise warning using errcode = '01L01', message = lock_name, detail = waited_ms::text;
  end if;
end $$;
--> statement-breakpoint
create or replace function publish_live(on_channel text, event_payload jsonb, notify boolean) returns bigint language plpgsql as $$
declare
  event_id bigint;
  started timestamptz := clock_timestamp();
begin
  perform pg_advisory_xact_lock(4321002, hashtext(current_tenant()::text));
  perform report_lock_wait('live events', started);
  insert into live_event (tenant_id, channel, payload) values (current_tenant(), on_channel, event_payload) returning id into event_id;
  -- Only the id: a notification holds 8,000 bytes, and equal ones in a transaction are merged.
  if notify then
    perform pg_notify('kafedra_live', json_build_object('t', current_tenant(), 'c', on_channel, 'i', event_id)::text);
  end if;
  return event_id;
end $$;
--> statement-breakpoint
create or replace function lock_sales_rollup(locked_tenant_id uuid) returns void language plpgsql as $$
declare
  started timestamptz := clock_timestamp();
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('sales rollup ' || locked_tenant_id, 0));
  perform report_lock_wait('sales rollup', started);
end $$;
--> statement-breakpoint
-- End of storage and jobs.
