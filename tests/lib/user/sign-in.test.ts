import { verify } from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { addMember, createSchool } from '#lib/user/member.ts'
import { findActor, signOut } from '#lib/user/session.ts'
import { signIn } from '#lib/user/sign-in.ts'
import { createTestTenant, createTestUser, PASSWORD, type TestTenant } from '../../setup/tenants.ts'

vi.mock('@node-rs/argon2', { spy: true })

const caller = { address: '10.3.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: TestTenant
let userId: string

beforeAll(async () => {
  home = await createTestTenant()
  userId = await createTestUser('olena@signin.test', PASSWORD)
  await addMember({
    tenantId: home.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
  await createTestUser('nobody@signin.test', PASSWORD)
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

const enter = (change: object = {}, from: object = {}) =>
  signIn({ email: 'olena@signin.test', password: PASSWORD, ...change }, { ...caller, ...from })

async function entered(change: object = {}, from: object = {}) {
  const answer = await enter(change, from)
  if (answer.kind !== 'signedIn') throw new Error(answer.kind)
  return answer
}

describe('signing in', () => {
  test("returns a token and the URL of the person's school", async () => {
    const { token, redirect } = await entered()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(redirect).toBe(`http://${home.tenant.subdomain}.kafedra.localhost:4321/`)
    expect(await findActor(token, home.tenant.subdomain)).toMatchObject({ userId, roles: ['EXPERT'] })
  })

  test('returns to the requested page, with query and hash, if it is one of the installation', async () => {
    const at = (path: string) => `http://${home.tenant.subdomain}.kafedra.localhost:4321${path}`
    expect((await entered({ return: '/courses?status=draft#x' })).redirect).toBe(at('/courses?status=draft#x'))
    expect((await entered({ return: at('/team') })).redirect).toBe(at('/team'))
    for (const evil of ['//evil.com', 'https://evil.com/', '/\\evil.com', 'javascript:alert(1)']) {
      expect((await entered({ return: evil })).redirect).toBe(at('/'))
    }
  })

  test('stores a digest of the token only', async () => {
    const { token } = await entered()
    const { rows } = await pool.query('select * from session where user_id = $1', [userId])
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('answers a wrong password and an unknown email address identically', async () => {
    const answers = [{ password: 'Nepravylno-1' }, { email: 'unknown@signin.test' }].map((change) =>
      enter(change).catch((error: unknown) => error),
    )
    const [wrong, unknown] = await Promise.all(answers)
    expect(wrong).toMatchObject({ code: 'credentials', status: 422, details: { fields: { email: ['credentials'] } } })
    expect(unknown).toEqual(wrong)
  })

  test('takes the same work for an unknown email address: one comparison with a hash of the same cost', async () => {
    const compared = vi.mocked(verify)
    const costs: unknown[] = []
    for (const change of [{ password: 'Nepravylno-1' }, { email: 'unknown@signin.test' }]) {
      compared.mockClear()
      await enter(change).catch(() => {})
      costs.push(compared.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4)))
    }
    expect(costs[0]).toHaveLength(1)
    expect(costs[1]).toEqual(costs[0])
  })

  test('refuses a person without a membership', async () => {
    await expect(enter({ email: 'nobody@signin.test' })).rejects.toMatchObject({ code: 'forbidden' })
    const { rows } = await pool.query(
      `select count(*)::int as n from session s join "user" u on u.id = s.user_id where u.email = 'nobody@signin.test'`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  test('ends with signing out', async () => {
    const { token } = await entered()
    await signOut(token)
    await signOut(token)
    await signOut(null)
    expect(await findActor(token, '')).toBeNull()
  })
})

describe('the throttle', () => {
  const WRONG = { password: 'Nepravylno-1' }
  const fail = (change: object, from: object, times: number) =>
    Promise.all(Array.from({ length: times }, () => enter({ ...WRONG, ...change }, from).catch(() => {})))
  const refusedWith = (reason: string) => ({
    code: 'too_many',
    status: 429,
    details: {
      fields: { form: [reason] },
      data: { reset: 'http://kafedra.localhost:4321/forgot-password' },
      retryAfterSeconds: expect.any(Number),
    },
  })

  test('delays the guessing network, and nobody who signs in from elsewhere', async () => {
    for (let n = 0; n < 5; n++) await expect(enter(WRONG)).rejects.toMatchObject({ code: 'credentials' })
    await expect(enter()).rejects.toMatchObject(refusedWith('sign_in_held_account'))
    expect((await entered({}, { address: '10.3.9.9' })).token).toBeTruthy()
  })

  test('never delays a device that signed in to the account before, whatever strangers do', async () => {
    const { device } = await entered({}, { address: '10.3.0.77' })
    for (let n = 0; n < 30; n++) await enter(WRONG, { address: `10.4.0.${n}` }).catch(() => {})
    await fail({}, {}, 10)
    await expect(enter({}, { address: '10.3.9.9' })).rejects.toMatchObject(refusedWith('sign_in_held_account'))
    expect((await entered({}, { device })).token).toBeTruthy()
    expect((await entered({}, { device, address: '10.4.0.1' })).token).toBeTruthy()
  })

  test('a device is recognized for its own account only, and a modified cookie is unknown', async () => {
    const other = await createTestUser('other@signin.test', PASSWORD)
    await addMember({
      tenantId: home.tenant.id,
      userId: other,
      accountType: 'ACCOUNT_TYPE_STUDENT',
      status: 'accepted',
    })
    const { device } = await entered({ email: 'other@signin.test' })
    await fail({}, {}, 6)
    for (const cookie of [device, `${device?.slice(0, -2)}AA`, '', 'x.y.z', '..']) {
      await expect(enter({}, { device: cookie })).rejects.toMatchObject({ code: 'too_many' })
    }
  })

  test('delays a recognized device for its own guesses, with a separate counter', async () => {
    const { device } = await entered()
    await fail({}, { device }, 10)
    await expect(enter({}, { device })).rejects.toMatchObject(refusedWith('sign_in_held_device'))
    expect((await entered({}, { address: '10.3.5.5' })).token).toBeTruthy()
  })

  test('allows no additional guesses when they arrive at once', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => enter(WRONG)))
    const compared = answers.filter((answer) => answer.status === 'rejected' && answer.reason.code === 'credentials')
    expect(compared).toHaveLength(5)
  })

  test('never delays anybody for more than a quarter of an hour', async () => {
    for (let n = 0; n < 12; n++) {
      await enter(WRONG).catch(() => {})
      await pool.query(`update throttle set blocked_until = now() where key like 'signInPair%'`)
    }
    await enter(WRONG).catch(() => {})
    await expect(enter()).rejects.toMatchObject({ details: { retryAfterSeconds: 900, message: 'too_many_minutes' } })
  })

  test('reveals nothing: an unknown account is delayed likewise', async () => {
    const unknown = { email: 'unknown2@signin.test', password: 'x' }
    for (let n = 0; n < 5; n++) await expect(enter(unknown)).rejects.toMatchObject({ code: 'credentials' })
    await expect(enter(unknown)).rejects.toMatchObject(refusedWith('sign_in_held_account'))
  })

  test('counts the accounts that a network fails to sign in to, not its failures', async () => {
    const from = { address: '10.3.1.1' }
    for (let n = 0; n < 60; n++) await enter({ email: 'one@signin.test' }, from).catch(() => {})
    expect((await entered({}, from)).token).toBeTruthy()
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => enter({ email: `many${n}@signin.test` }, from).catch(() => {})),
    )
    const { device } = await entered()
    await expect(enter({}, from)).rejects.toMatchObject(refusedWith('sign_in_held_network'))
    expect((await entered({}, { ...from, device })).token).toBeTruthy()
    expect((await entered()).token).toBeTruthy()
  })

  test('delays a network after fifty accounts, however many are tried at once', async () => {
    const from = { address: '10.3.1.2' }
    const tries = Array.from({ length: 80 }, (_, n) => enter({ email: `flood${n}@signin.test` }, from))
    const answers = await Promise.allSettled(tries)
    const compared = answers.filter((answer) => answer.status === 'rejected' && answer.reason.code === 'credentials')
    expect(compared).toHaveLength(50)
  })

  test('does not count accounts that sign in: a class behind one address is admitted', async () => {
    const from = { address: '10.3.1.3' }
    for (let n = 0; n < 49; n++) await enter({ email: `class${n}@signin.test` }, from).catch(() => {})
    for (let n = 0; n < 3; n++) expect((await entered({}, from)).token).toBeTruthy()
    await expect(enter({ email: 'class50@signin.test' }, from)).rejects.toMatchObject({ code: 'credentials' })
  })

  test('delays an IPv6 subscriber who changes the address each time', async () => {
    const from = (n: number) => ({ address: `2001:db8:7:7::${n}` })
    for (let n = 0; n < 5; n++) await enter(WRONG, from(n)).catch(() => {})
    await expect(enter({}, from(99))).rejects.toMatchObject({ code: 'too_many' })
    expect((await entered({}, { address: '2001:db8:7:8::1' })).token).toBeTruthy()
  })

  test('resets after the right password', async () => {
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await enter(WRONG).catch(() => {})
      expect((await entered()).token).toBeTruthy()
    }
  })

  test('survives a restart, because it is stored in the database', async () => {
    for (let n = 0; n < 5; n++) await enter(WRONG).catch(() => {})
    const fresh = new pg.Client({ connectionString: config.databaseUrl })
    await fresh.connect()
    const { rows } = await fresh.query('select count(*)::int as n from throttle where blocked_until > now()')
    await fresh.end()
    expect(rows).toEqual([{ n: 1 }])
    const { rows: all } = await pool.query('select key from throttle')
    expect(JSON.stringify(all)).not.toContain('olena')
    expect(JSON.stringify(all)).not.toContain(caller.address)
  })
})

describe('a person with several memberships', () => {
  test('actions with the membership of the host', async () => {
    const own = await createSchool({ subdomain: 'own-of-olena', name: 'Власна', ownerId: userId })
    const third = await createTestTenant()
    await addMember({ tenantId: third.tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
    const { token } = await entered()
    const at = async (host: string) => {
      const actor = await findActor(token, host)
      return actor && { school: actor.tenantId, roles: actor.roles }
    }
    expect(await at('own-of-olena')).toEqual({ school: own.tenantId, roles: ['OWNER'] })
    expect(await at(home.tenant.subdomain)).toEqual({ school: home.tenant.id, roles: ['EXPERT'] })
    expect(await at('go')).toEqual({ school: third.tenant.id, roles: ['STUDENT'] })
    expect((await findActor(token, ''))?.memberships).toHaveLength(3)
  })

  test('never actions with a blocked membership', async () => {
    const { tenant } = await createTestTenant()
    const who = await createTestUser('blocked@signin.test', PASSWORD)
    await addMember({ tenantId: tenant.id, userId: who, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
    const { token } = await entered({ email: 'blocked@signin.test' })
    const client = await pool.connect()
    await client.query(
      `begin; select set_config('app.tenant_id', '${tenant.id}', true); update membership set blocked_at = now() where user_id = '${who}'; commit`,
    )
    client.release()
    expect(await findActor(token, 'go')).toBeNull()
    await expect(enter({ email: 'blocked@signin.test' })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
