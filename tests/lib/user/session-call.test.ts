import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { signOut } from '#lib/user/session.ts'
import { handleSessionInfoCall, isSessionAlive } from '#lib/user/session-call.ts'
import { getSessionInfo } from '#lib/user/session-info.ts'
import { membership } from '#lib/user/table.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
afterAll(() => pool.end())

const hostOf = (subdomain: string) => `${subdomain}.${config.baseDomain}`

test('the bearer token or cookie of a member opens the session of the host', async () => {
  const expected = await getSessionInfo(home.as.EXPERT)
  const host = hostOf(home.tenant.subdomain)
  const token = home.token.EXPERT
  expect(await handleSessionInfoCall(host, `Bearer ${token}`, undefined)).toEqual(expected)
  expect(await handleSessionInfoCall(host, undefined, `locale=uk; token=${token}; theme=day`)).toEqual(expected)
})

test('requests that are not plainly valid are left to the API handler', async () => {
  const host = hostOf(home.tenant.subdomain)
  const good = `Bearer ${home.token.OWNER}`
  expect(await handleSessionInfoCall(host, undefined, undefined)).toBeNull()
  expect(await handleSessionInfoCall(host, 'Bearer nonsense-nonsense-nonsense', undefined)).toBeNull()
  expect(await handleSessionInfoCall(host, undefined, `xtoken=${home.token.OWNER}`)).toBeNull()
  // A second token cookie set by another host: that host determines the order in which browsers send them.
  const both = [home.token.OWNER, other.token.OWNER].map((token) => `token=${token}`)
  expect(await handleSessionInfoCall(host, undefined, both.join('; '))).toBeNull()
  expect(await handleSessionInfoCall(host, undefined, both.reverse().join('; '))).toBeNull()
  expect(await handleSessionInfoCall(hostOf(other.tenant.subdomain), good, undefined)).toBeNull()
  expect(await handleSessionInfoCall('evil.test', good, undefined)).toBeNull()
})

test('a session is valid in the schools of its person, until it ends', async () => {
  const { EXPERT: token } = home.token
  expect(await isSessionAlive(token, home.tenant.id)).toBe(true)
  expect(await isSessionAlive(token, other.tenant.id)).toBe(false)
  expect(await isSessionAlive('nonsense-nonsense-nonsense', home.tenant.id)).toBe(false)
  await signOut(token)
  expect(await isSessionAlive(token, home.tenant.id)).toBe(false)
})

test('a session is invalid in a school that has blocked its person', async () => {
  const { MENTOR: token } = home.token
  const { membershipId } = home.as.MENTOR
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.update(membership).set({ blockedAt: new Date() }).where(eq(membership.id, membershipId)),
  )
  expect(await isSessionAlive(token, home.tenant.id)).toBe(false)
})
