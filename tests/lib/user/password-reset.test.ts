import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { addMember } from '#lib/user/member.ts'
import {
  changePassword,
  findResetLink,
  forgotPassword,
  resetPassword,
  sendResetLink,
  setFirstPassword,
} from '#lib/user/password-reset.ts'
import { findActor } from '#lib/user/session.ts'
import { signIn } from '#lib/user/sign-in.ts'
import { listEmailsTo, newestEmailTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, createTestUser, PASSWORD, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

const caller = { address: '10.5.0.1', userAgent: 'tests', locale: 'uk' } as const
const NEW = 'Nova-2026-parol!'
let home: TestTenant
let count = 0
let email: string
let userId: string

beforeAll(async () => {
  home = await createTestTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `reset${++count}@reset.test`
  userId = await createTestUser(email, PASSWORD)
  await addMember({
    tenantId: home.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
})
afterAll(() => pool.end())

async function mailedToken(): Promise<string> {
  await sendResetLink({ email })
  return new URL((await newestEmailTo(email)).link).searchParams.get('token') ?? ''
}
const reset = (token: string, password = NEW) =>
  resetPassword({ token, password, passwordConfirmation: password }, caller)
const refusal = (key: string) => expect.objectContaining({ details: { fields: { token: [key] } } })

test('a complete account is not completed again by an old invitation', async () => {
  const names = { firstName: 'Інша', lastName: 'Людина', password: NEW }
  await expect(setFirstPassword(userId, names)).rejects.toMatchObject({ code: 'conflict' })
  expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ kind: 'signedIn' })
})

describe('a password reset', () => {
  test('does the same for a known and an unknown email address: one job, no email yet, no difference', async () => {
    expect(await forgotPassword({ email }, caller)).toBeUndefined()
    expect(await forgotPassword({ email: `un${email}` }, caller)).toBeUndefined()
    const { rows } = await pool.query(`select data->>'email' as email from pgboss.job where name = 'user.sendReset'`)
    expect(rows.map((row) => row.email)).toEqual(expect.arrayContaining([email, `un${email}`]))
    expect(await listEmailsTo(email)).toEqual([])
    await sendResetLink({ email: `un${email}` })
    expect(await listEmailsTo(`un${email}`)).toEqual([])
  })

  test('sends three emails an hour, for known and unknown addresses', async () => {
    for (const who of [email, `un${email}`]) {
      for (let n = 0; n < 3; n++) await forgotPassword({ email: who }, caller)
      await expect(forgotPassword({ email: who }, caller)).rejects.toMatchObject({ code: 'too_many' })
    }
  })

  test('sets a new password once, ends every session and notifies the owner', async () => {
    const { token: signedIn } = await signInTestUser(userId, home.tenant.subdomain)
    const token = await mailedToken()
    expect(await findResetLink(token)).toBe('valid')
    await reset(token)
    expect(await findActor(signedIn, home.tenant.subdomain)).toBeNull()
    expect(await signIn({ email, password: NEW }, caller)).toMatchObject({ kind: 'signedIn' })
    await expect(signIn({ email, password: PASSWORD }, caller)).rejects.toMatchObject({ code: 'credentials' })
    expect((await newestEmailTo(email)).subject).toBe('Пароль змінено')
    await expect(reset(token, PASSWORD)).rejects.toEqual(refusal('link_used'))
  })

  test('succeeds once for two concurrent requests', async () => {
    const token = await mailedToken()
    const both = await Promise.allSettled([reset(token), reset(token, 'Insha-2026-x!')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const late = both.find(({ status }) => status === 'rejected')
    expect(late).toMatchObject({ reason: refusal('link_used') })
  })

  test('invalidates all other links when one is used', async () => {
    const [first, second] = [await mailedToken(), await mailedToken()]
    await reset(second)
    expect(await findResetLink(first)).toBe('link_used')
  })

  test('refuses a link after an hour, and a forged one', async () => {
    const token = await mailedToken()
    await pool.query(`update password_reset set expires_at = now() - interval '1 second'`)
    await expect(reset(token)).rejects.toEqual(refusal('link_expired'))
    await expect(reset('x'.repeat(43))).rejects.toEqual(refusal('link_wrong'))
  })

  test('stores a digest of the token only, and does not delay the browser that used it', async () => {
    for (let n = 0; n < 30; n++) {
      await signIn({ email, password: 'x' }, { ...caller, address: `10.5.1.${n}` }).catch(() => {})
    }
    const token = await mailedToken()
    const { rows } = await pool.query('select * from password_reset')
    expect(JSON.stringify(rows)).not.toContain(token)
    const { device } = await reset(token)
    await expect(signIn({ email, password: NEW }, caller)).rejects.toMatchObject({ code: 'too_many' })
    expect(await signIn({ email, password: NEW }, { ...caller, device })).toMatchObject({ kind: 'signedIn' })
  })
})

describe('changing a password', () => {
  test('requires the old one, ends the other sessions and keeps the current one', async () => {
    const [here, there] = [
      await signInTestUser(userId, home.tenant.subdomain),
      await signInTestUser(userId, home.tenant.subdomain),
    ]
    const change = { password: NEW, passwordConfirmation: NEW }
    await expect(changePassword(here.actor, { ...change, current: 'x' })).rejects.toMatchObject({
      details: { fields: { current: ['password_wrong'] } },
    })
    expect(await findActor(there.token, home.tenant.subdomain)).not.toBeNull()
    await changePassword(here.actor, { ...change, current: PASSWORD })
    expect(await findActor(here.token, home.tenant.subdomain)).not.toBeNull()
    expect(await findActor(there.token, home.tenant.subdomain)).toBeNull()
  })
})
