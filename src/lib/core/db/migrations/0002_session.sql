-- Everything that a request needs to know of its session, in one round trip: the person, the membership that the
-- host asks for, that school's plan rows, and the memberships for the switcher. Null when the token is not good.
-- On a school's host a staff membership there comes first, on `go` a student's, else the one chosen last.
create function open_session(token bytea, host text) returns jsonb language plpgsql as $$
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
  if s.stale then update session set last_seen_at = now() where token_hash = token; end if;
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
