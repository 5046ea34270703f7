import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { addMember } from '#lib/user/member.ts'
import { SessionInfo } from '#lib/user/schema.ts'
import { findActor, listSessions, revokeOtherSessions, revokeSession, switchMembership } from '#lib/user/session.ts'
import { getSessionInfo } from '#lib/user/session-info.ts'
import { getPersonal, updatePersonal } from '#lib/user/user.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
afterAll(() => pool.end())

test('a session is found in one statement', async () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  expect(await findActor(home.token.OWNER, home.tenant.subdomain)).toMatchObject({ roles: ['OWNER'] })
  expect(sent.mock.calls.map(([statement]) => statement)).toMatchObject([{ name: 'open_session' }])
  sent.mockRestore()
})

test('concurrent lookups, of two schools and long inactive, each find their own person and school', async () => {
  await pool.query(`update session set last_seen_at = now() - interval '1 hour'`)
  const everybody = [home, other].flatMap((school) => ROLES.map((role) => ({ school, role })))
  const lookups = Array.from({ length: 20 }, (_, n) => [...everybody.slice(n), ...everybody.slice(0, n)]).flat()
  const found = await Promise.all(
    lookups.map(({ school, role }) =>
      findActor(school.token[role], role === 'STUDENT' ? 'go' : school.tenant.subdomain),
    ),
  )
  for (const [index, { school, role }] of lookups.entries()) {
    const { userId, tenantId, plans, memberships } = school.as[role]
    expect(found[index]).toMatchObject({ userId, tenantId, plans, memberships })
  }
})

test('invalid, expired and revoked tokens are refused', async () => {
  for (const token of ['', 'x', `${home.token.OWNER}x`, '\u0000', "' or 1=1 --"]) {
    expect(await findActor(token, home.tenant.subdomain)).toBeNull()
  }
  const { token, actor } = await signInTestUser(home.as.MEMBER.userId, home.tenant.subdomain)
  await pool.query(`update session set expires_at = now() - interval '1 second' where id = $1`, [actor.sessionId])
  expect(await findActor(token, home.tenant.subdomain)).toBeNull()
})

test("lists the person's devices and ends one or all others, but nobody else's", async () => {
  const userId = home.as.EXPERT.userId
  const [here, there, third] = [
    await signInTestUser(userId, home.tenant.subdomain),
    await signInTestUser(userId, home.tenant.subdomain),
    await signInTestUser(userId, home.tenant.subdomain),
  ]
  const devices = await listSessions(here.actor)
  expect(devices).toHaveLength(4)
  expect(devices[0]).toMatchObject({ sessionId: here.actor.sessionId, current: true, userAgent: 'tests' })
  expect(JSON.stringify(devices)).not.toContain(here.token)
  await revokeSession(here.actor, { sessionId: there.actor.sessionId })
  expect(await findActor(there.token, home.tenant.subdomain)).toBeNull()
  for (const sessionId of [there.actor.sessionId, other.as.OWNER.sessionId, home.as.OWNER.sessionId]) {
    await expect(revokeSession(here.actor, { sessionId })).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await revokeOtherSessions(here.actor)).toBe(2)
  expect(await findActor(third.token, home.tenant.subdomain)).toBeNull()
  expect(await findActor(here.token, home.tenant.subdomain)).not.toBeNull()
})

test('switches between own memberships only, and stores the choice where the host does not determine it', async () => {
  const { userId } = home.as.CURATOR
  await addMember({ tenantId: other.tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
  const { actor, token } = await signInTestUser(userId, home.tenant.subdomain)
  const [student] = actor.memberships.filter(({ accountType }) => accountType === 'ACCOUNT_TYPE_STUDENT')
  const { redirect } = await switchMembership(actor, { membershipId: student?.membershipId ?? '' })
  expect(redirect).toBe('http://go.kafedra.localhost:4321/profile')
  expect(await findActor(token, '')).toMatchObject({ tenantId: other.tenant.id, roles: ['STUDENT'] })
  await expect(switchMembership(actor, { membershipId: other.as.OWNER.membershipId })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('session info has exactly the fields of the specification', () => {
  const info = SessionInfo.parse(getSessionInfo(home.as.OWNER))
  expect(Object.keys(info)).toEqual([
    'user_info',
    'user_roles',
    'current_tariff',
    'current_dop_tariff',
    'pending_tariff',
    'current_tenant',
    'tenant_billing_info',
  ])
  expect(info.user_info).toMatchObject({
    current_account_type: 'ACCOUNT_TYPE_PRODUCT_OWNER',
    domain: `${home.tenant.subdomain}.kafedra.localhost:4321`,
  })
  expect(info.user_roles).toEqual({ roles: ['OWNER'] })
  expect(info.current_tariff.map(({ group }) => group).sort()).toEqual(['lms', 'workshop'])
  const lms = info.current_tariff.find(({ group }) => group === 'lms')
  expect(lms).toEqual({ group: 'lms', lms_tariff: { plan: 'pro', period: 'month' }, next_payment: expect.any(String) })
  expect(info.tenant_billing_info).toMatchObject({
    trial_info: { is_trial: true },
    user_tariff_params: { lms_tariff: { plan: 'pro' }, workshop_tariff: { plan: 'pro' } },
  })
})

test('personal data: fields that are not given stay unchanged', async () => {
  await updatePersonal(home.as.MENTOR, { firstName: 'Оксана', phone: '+380 44 123 45 67', timeZone: 'Europe/Warsaw' })
  await updatePersonal(home.as.MENTOR, { locale: 'en' })
  await updatePersonal(home.as.MENTOR, {})
  expect(await getPersonal(home.as.MENTOR)).toMatchObject({
    firstName: 'Оксана',
    lastName: 'Тест',
    phone: '+380 44 123 45 67',
    timeZone: 'Europe/Warsaw',
    locale: 'en',
  })
})

test('batched lookups each find their own person', async () => {
  const schools = [home, other]
  const lookups = Array.from({ length: 200 }, (_, n) => {
    const { token, tenant } = schools[n % 2] ?? home
    return n % 5 === 0
      ? { token: 'x'.repeat(43), host: tenant.subdomain, expected: null }
      : { token: token.OWNER, host: tenant.subdomain, expected: tenant.id }
  })
  const answers = await Promise.all(lookups.map(({ token, host }) => findActor(token, host)))
  expect(answers.map((actor) => actor?.tenantId ?? null)).toEqual(lookups.map(({ expected }) => expected))
  for (const actor of answers) if (actor) expect(actor.plans).toHaveLength(2)
})
