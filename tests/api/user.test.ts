import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { addMember } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { listEmailsTo, newestEmailTo } from '../setup/servers/sent-emails.ts'
import { createTestTenant, createTestUser, PASSWORD, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let home: TestTenant

beforeAll(async () => {
  home = await createTestTenant()
  const userId = await createTestUser('olena@api.test', PASSWORD)
  await addMember({
    tenantId: home.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

const actorOf = (token: string) => findActor(token, home.tenant.subdomain)

describe('GET user/getSessionInfo', () => {
  test('responds 401 without a session', async () => {
    expect(await requestApi('GET', 'user/getSessionInfo')).toMatchObject({
      status: 401,
      body: { code: 'unauthorized', message: 'Спершу увійдіть.', fields: {} },
    })
  })

  test.each(['OWNER', 'CURATOR', 'STUDENT'] as const)('returns the specified fields to %s', async (role) => {
    const { status, body } = await requestApi('GET', 'user/getSessionInfo', { actor: home.as[role] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user_info: {
        current_account_type: home.as[role].accountType,
        domain: expect.stringContaining(home.tenant.subdomain),
      },
      user_roles: { roles: [role] },
      current_tariff: [{ next_payment: expect.any(String) }, { next_payment: expect.any(String) }],
      current_dop_tariff: [],
      pending_tariff: [],
      current_tenant: { id: home.tenant.id },
      tenant_billing_info: { trial_info: {}, user_tariff_params: { lms_tariff: {}, workshop_tariff: {} } },
    })
  })
})

describe('POST user/login', () => {
  const login = (body: object) => requestApi('POST', 'user/login', { body })

  test('accepts both notations of an address with an internationalised domain', async () => {
    const userId = await createTestUser('olena@xn--80a1acn3a.xn--j1amh', PASSWORD)
    const member = { tenantId: home.tenant.id, userId, accountType: 'ACCOUNT_TYPE_TEAM_MEMBER' } as const
    await addMember({ ...member, roles: ['EXPERT'], status: 'active' })
    for (const email of ['olena@пошта.укр', 'Olena@ПОШТА.УКР', 'olena@xn--80a1acn3a.xn--j1amh']) {
      const { body } = await login({ email, password: PASSWORD })
      expect(await actorOf(String(body.token))).toMatchObject({ userId })
    }
  })

  test('returns token and redirect, and sets the specified cookie', async () => {
    const { status, body, cookies } = await login({ email: ' Olena@API.test ', password: PASSWORD })
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.any(String),
      redirect: `http://${home.tenant.subdomain}.kafedra.localhost:4321/`,
    })
    expect(cookies).toEqual([
      `token=${body.token}; Domain=kafedra.localhost; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax`,
      expect.stringMatching(
        /^device=[\w-]+; Domain=kafedra.localhost; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect(await actorOf(String(body.token))).toMatchObject({ email: 'olena@api.test' })
  })

  test('refuses wrong credentials with the specified message, the same for any email address', async () => {
    const wrong = await login({ email: 'olena@api.test', password: 'x' })
    const unknown = await login({ email: 'unknown@api.test', password: 'x' })
    expect(wrong).toMatchObject({
      status: 422,
      cookies: [],
      body: { message: 'Облікові дані не знайдено в наших записах.' },
    })
    expect(unknown).toEqual(wrong)
  })

  test('reports a missing field by its name', async () => {
    expect(await login({ email: 'olena', password: '' })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid',
        fields: { email: ['Введіть дійсну електронну адресу'], password: ["Це поле є обов'язковим"] },
      },
    })
  })

  test('responds 429 with a message after too many attempts', async () => {
    // All notations of an email address count as the same account.
    const written = ['olena@api.test', 'OLENA@API.TEST', ' olena@api.test ', 'Olena@Api.Test\t', '\nolena@api.test']
    for (const email of written) expect((await login({ email, password: 'x' })).status).toBe(422)
    expect((await login({ email: 'ｏlena@api.test', password: 'x' })).status).toBe(400)
    const { status, body, headers } = await login({ email: 'olena@api.test', password: PASSWORD })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject({
      message: expect.stringMatching(/^Забагато спроб\. Спробуйте за \d+ секунд/),
      fields: { form: [expect.stringMatching(/^З вашої мережі/)] },
      reset: 'http://kafedra.localhost:4321/forgot-password',
    })
  })

  test('does not delay a browser that sends the device cookie of an earlier sign-in', async () => {
    const first = await login({ email: 'olena@api.test', password: PASSWORD })
    const cookie = first.cookies.map((setCookie) => setCookie.split(';')[0]).join('; ')
    for (let n = 0; n < 6; n++) await login({ email: 'olena@api.test', password: 'x' })
    expect((await login({ email: 'olena@api.test', password: PASSWORD })).status).toBe(429)
    const body = { email: 'olena@api.test', password: PASSWORD }
    expect((await requestApi('POST', 'user/login', { body, cookie })).status).toBe(200)
  })

  test('hostile input is refused with a message, never with a token or a status 500', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.anything({ maxDepth: 1 }),
      fc.constant("' or 1=1 --"),
      fc.emailAddress(),
    )
    await fc.assert(
      fc.asyncProperty(value, value, value, async (email, password, wish) => {
        await pool.query('delete from throttle')
        const { status, cookies } = await login({ email, password, return: wish })
        expect([400, 422]).toContain(status)
        expect(cookies).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

describe('signing up over the API', () => {
  const form = { organisation: 'Школа', firstName: 'Нева', password: PASSWORD }

  test('creates a school', async () => {
    const pending = await requestApi('POST', 'user/register', {
      body: { ...form, email: 'neva@api.test', subdomain: 'neva-api' },
    })
    expect(pending).toMatchObject({ status: 200, body: { redirect: 'http://kafedra.localhost:4321/email-verify' } })
    const { pendingToken } = pending.body
    expect(await requestApi('POST', 'user/checkVerification', { body: { pendingToken } })).toMatchObject({
      body: { verified: false },
    })
    const wrong = await requestApi('POST', 'billing/openSchool', { body: { pendingToken, code: '000000' } })
    expect(wrong).toMatchObject({
      status: 422,
      body: { fields: { code: ['Код не збігається. Перевірте цифри в листі.'] } },
    })
    const { code } = await newestEmailTo('neva@api.test')
    const opened = await requestApi('POST', 'billing/openSchool', { body: { pendingToken, code } })
    expect(opened).toMatchObject({ status: 200, body: { redirect: 'http://neva-api.kafedra.localhost:4321/' } })
    expect(opened.cookies[0]).toContain(`token=${opened.body.token};`)
  })

  test('refuses taken values with the specified message', async () => {
    const conflicting = await requestApi('POST', 'user/register', {
      body: { ...form, email: 'olena@api.test', subdomain: 'inshe' },
    })
    expect(conflicting).toMatchObject({
      status: 422,
      body: { fields: { email: ['Ця електронна пошта вже зареєстрована!'] } },
    })
    const weak = await requestApi('POST', 'user/register', {
      body: { ...form, password: 'Ab1!', email: 'x@api.test', subdomain: 'inshe' },
    })
    expect(weak).toMatchObject({ status: 400, body: { fields: { password: ['Не менше 8 символів'] } } })
    const differ = { ...form, passwordConfirmation: 'x', email: 'x@api.test', subdomain: 'inshe' }
    expect(await requestApi('POST', 'user/register', { body: differ })).toMatchObject({
      status: 400,
      body: { fields: { passwordConfirmation: ['Паролі повинні співпадати'] } },
    })
  })

  test('reports whether a subdomain is free', async () => {
    const query = new URLSearchParams({ subdomain: 'api', organisation: 'Школа' })
    expect(await requestApi('GET', `tenant/findSubdomain?${query}`)).toMatchObject({
      status: 200,
      body: { available: false, reason: 'subdomain_reserved', suggestions: expect.arrayContaining(['api-school']) },
    })
  })
})

test('a password reset responds identically for any email address, and sends no email during the response', async () => {
  const answers = [
    await requestApi('POST', 'user/forgotPassword', { body: { email: 'olena@api.test' } }),
    await requestApi('POST', 'user/forgotPassword', { body: { email: 'nobody@api.test' } }),
  ]
  expect(answers[0]).toMatchObject({ status: 200, body: { done: true } })
  expect(answers[1]).toEqual(answers[0])
  expect(await listEmailsTo('olena@api.test')).toEqual([])
})

test('signing out clears the cookie and ends the session', async () => {
  const { body } = await requestApi('POST', 'user/login', { body: { email: 'olena@api.test', password: PASSWORD } })
  const token = String(body.token)
  const { status, cookies } = await requestApi('POST', 'user/logout', { token, body: {} })
  expect(status).toBe(200)
  expect(cookies[0]).toMatch(/^token=; .*Max-Age=0/)
  expect(await actorOf(token)).toBeNull()
})

test('calls that require a signed-in user respond 401 to visitors', async () => {
  const calls = [
    'changePassword',
    'updatePersonal',
    'revokeSession',
    'revokeOtherSessions',
    'switchMembership',
    'beginSecondFactor',
    'enableSecondFactor',
    'renewRecoveryCodes',
    'disableSecondFactor',
  ]
  for (const call of calls)
    expect(await requestApi('POST', `user/${call}`, { body: {} })).toMatchObject({ status: 401 })
  for (const call of ['getPersonal', 'listSessions', 'getSecondFactor']) {
    expect([401, 404]).toContain((await requestApi('GET', `user/${call}`)).status)
  }
})
