CREATE TABLE "ownership_transfer" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"owner_token_hash" "bytea" NOT NULL,
	"recipient_token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"owner_confirmed_at" timestamp with time zone,
	"recipient_confirmed_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "ownership_transfer_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "ownership_transfer_ownerTokenHash_unique" UNIQUE("owner_token_hash"),
	CONSTRAINT "ownership_transfer_recipientTokenHash_unique" UNIQUE("recipient_token_hash")
);
--> statement-breakpoint
CREATE TABLE "team_invitation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"invited_by" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "team_invitation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "team_invitation_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "vacation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"deputy_id" uuid NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "vacation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "vacation_start_at_end_at_order" CHECK ("vacation"."start_at" < "vacation"."end_at")
);
--> statement-breakpoint
ALTER TABLE "membership" ADD COLUMN "position" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "membership" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "membership" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ownership_transfer" ADD CONSTRAINT "ownership_transfer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ownership_transfer" ADD CONSTRAINT "ownership_transfer_owner" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ownership_transfer" ADD CONSTRAINT "ownership_transfer_recipient" FOREIGN KEY ("tenant_id","recipient_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitation" ADD CONSTRAINT "team_invitation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitation" ADD CONSTRAINT "team_invitation_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitation" ADD CONSTRAINT "team_invitation_invited_by" FOREIGN KEY ("tenant_id","invited_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vacation" ADD CONSTRAINT "vacation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vacation" ADD CONSTRAINT "vacation_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vacation" ADD CONSTRAINT "vacation_deputy" FOREIGN KEY ("tenant_id","deputy_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ownership_transfer_tenant_id_owner_id_index" ON "ownership_transfer" USING btree ("tenant_id","owner_id");--> statement-breakpoint
CREATE INDEX "ownership_transfer_tenant_id_recipient_id_index" ON "ownership_transfer" USING btree ("tenant_id","recipient_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ownership_transfer_open" ON "ownership_transfer" USING btree ("tenant_id") WHERE completed_at is null and canceled_at is null;--> statement-breakpoint
CREATE INDEX "team_invitation_tenant_id_member_id_created_at_index" ON "team_invitation" USING btree ("tenant_id","member_id","created_at");--> statement-breakpoint
CREATE INDEX "team_invitation_tenant_id_invited_by_index" ON "team_invitation" USING btree ("tenant_id","invited_by");--> statement-breakpoint
CREATE INDEX "vacation_tenant_id_member_id_end_at_index" ON "vacation" USING btree ("tenant_id","member_id","end_at");--> statement-breakpoint
CREATE INDEX "vacation_tenant_id_deputy_id_end_at_index" ON "vacation" USING btree ("tenant_id","deputy_id","end_at");--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_revision_range" CHECK ("membership"."revision" >= 1);--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_position_length" CHECK (char_length("membership"."position") <= 120);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['team_invitation', 'vacation', 'ownership_transfer']::regclass[]) t;
--> statement-breakpoint
-- As before, and it records when a member was last active.
create or replace function open_session(token bytea, host text) returns jsonb language plpgsql as $$
declare
  s record;
  m record;
begin
  select session.id, session.user_id, session.tenant_id, session.account_type,
         session.last_seen_at < now() - interval '5 minutes' as stale,
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
    'tenantId', m.tenant_id, 'subdomain', m.subdomain, 'tenantName', m.name, 'tenantTimeZone', m.time_zone,
    'membershipId', m.id, 'accountType', m.account_type, 'roles', m.roles,
    'plans', (select coalesce(jsonb_agg(jsonb_build_object('group', p."group", 'state', p.state, 'plan', p.plan,
                'period', p.period, 'trialEndsAt', p.trial_ends_at, 'nextPayment', p.next_payment)), '[]')
                from subscription p where p.tenant_id = m.tenant_id),
    'addOns', (select coalesce(jsonb_agg(jsonb_build_object('limit', a."limit", 'quantity', a.quantity,
                'nextPayment', a.next_payment)), '[]') from add_on a where a.tenant_id = m.tenant_id),
    'memberships', (select coalesce(jsonb_agg(jsonb_build_object('membershipId', o.id, 'tenantId', o.tenant_id,
                'subdomain', t.subdomain, 'tenantName', t.name, 'accountType', o.account_type) order by t.name), '[]')
                from membership o join tenant t on t.id = o.tenant_id
               where o.user_id = s.user_id and o.blocked_at is null
                 and o.status in ('active', 'accepted') and t.status = 'active'));
end $$;
