import { verify } from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { addMember, createSchool, findActor, signIn, signOut } from '#lib/user/user.ts'
import { PASSWORD, person, type School, school } from '../../setup/people.ts'

vi.mock('@node-rs/argon2', { spy: true })

const caller = { address: '10.3.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: School
let userId: string

beforeAll(async () => {
  home = await school()
  userId = await person('olena@signin.test', PASSWORD)
  await addMember({
    tenantId: home.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
  await person('nobody@signin.test', PASSWORD)
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
  test('gives a token and the way to the own school', async () => {
    const { token, redirect } = await entered()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(redirect).toBe(`http://${home.tenant.subdomain}.kafedra.localhost:4321/`)
    expect(await findActor(token, home.tenant.subdomain)).toMatchObject({ userId, roles: ['EXPERT'] })
  })

  test('returns to the wish, with query and hash, if it is ours', async () => {
    const at = (path: string) => `http://${home.tenant.subdomain}.kafedra.localhost:4321${path}`
    expect((await entered({ return: '/courses?status=draft#x' })).redirect).toBe(at('/courses?status=draft#x'))
    expect((await entered({ return: at('/team') })).redirect).toBe(at('/team'))
    for (const evil of ['//evil.com', 'https://evil.com/', '/\\evil.com', 'javascript:alert(1)']) {
      expect((await entered({ return: evil })).redirect).toBe(at('/'))
    }
  })

  test('keeps only a digest of the token', async () => {
    const { token } = await entered()
    const { rows } = await pool.query('select * from session where user_id = $1', [userId])
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('answers a wrong password and an unknown e-mail with the same words', async () => {
    const answers = [{ password: 'Nepravylno-1' }, { email: 'unknown@signin.test' }].map((change) =>
      enter(change).catch((error: unknown) => error),
    )
    const [wrong, unknown] = await Promise.all(answers)
    expect(wrong).toMatchObject({ code: 'credentials', status: 422, details: { fields: { email: ['credentials'] } } })
    expect(unknown).toEqual(wrong)
  })

  test('does the same work for an unknown e-mail: one comparison with a hash of the same cost', async () => {
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

  test('lets nobody in whom no school knows', async () => {
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
  test('holds an account back after five tries, whoever knows the password then', async () => {
    for (let n = 0; n < 5; n++)
      await expect(enter({ password: 'Nepravylno-1' })).rejects.toMatchObject({ code: 'credentials' })
    await expect(enter()).rejects.toMatchObject({ code: 'too_many', status: 429 })
    await expect(enter({}, { address: '10.3.9.9' })).rejects.toMatchObject({ code: 'too_many' })
  })

  test('tells nothing: an unknown account is held back the same way', async () => {
    const unknown = { email: 'unknown2@signin.test', password: 'x' }
    for (let n = 0; n < 5; n++) await expect(enter(unknown)).rejects.toMatchObject({ code: 'credentials' })
    await expect(enter(unknown)).rejects.toMatchObject({ code: 'too_many' })
  })

  test('holds an address back after thirty failures over many accounts', async () => {
    const from = { address: '10.3.1.1' }
    for (let n = 0; n < 30; n++) await enter({ email: `many${n}@signin.test` }, from).catch(() => {})
    await expect(enter({}, from)).rejects.toMatchObject({ code: 'too_many' })
    expect((await entered()).token).toBeTruthy()
  })

  test('holds an IPv6 subscriber back who takes a new address each time', async () => {
    const from = (n: number) => ({ address: `2001:db8:7:7::${n}` })
    for (let n = 0; n < 30; n++) await enter({ email: `six${n}@signin.test` }, from(n)).catch(() => {})
    await expect(enter({}, from(99))).rejects.toMatchObject({ code: 'too_many' })
    expect((await entered({}, { address: '2001:db8:7:8::1' })).token).toBeTruthy()
  })

  test('forgets the tries after the right password', async () => {
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await enter({ password: 'Nepravylno-1' }).catch(() => {})
      expect((await entered()).token).toBeTruthy()
    }
  })

  test('survives a restart: it is in the database, where a fresh connection finds it', async () => {
    for (let n = 0; n < 5; n++) await enter({ password: 'Nepravylno-1' }).catch(() => {})
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

describe('one person, many memberships: the host decides', () => {
  test('which of them acts', async () => {
    const own = await createSchool({ subdomain: 'own-of-olena', name: 'Власна', ownerId: userId })
    const third = await school()
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

  test('and a blocked one never does', async () => {
    const { tenant } = await school()
    const who = await person('blocked@signin.test', PASSWORD)
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
