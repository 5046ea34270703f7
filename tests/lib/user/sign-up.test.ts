import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openSchool } from '#lib/billing/trial.ts'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import { claimVerification, findPending, resendCode } from '#lib/user/email-verification.ts'
import { addMember, findOrCreateUser } from '#lib/user/member.ts'
import { forgotPassword } from '#lib/user/password-reset.ts'
import { findActor } from '#lib/user/session.ts'
import { signIn } from '#lib/user/sign-in.ts'
import { registerUser } from '#lib/user/sign-up.ts'
import { listEmailsTo, newestEmailTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant } from '../../setup/tenants.ts'

const caller = { address: '10.2.0.1', userAgent: 'tests', locale: 'uk' } as const
const PASSWORD = 'Probna-2026!'
let count = 0
let email: string
let subdomain: string

beforeEach(async () => {
  count += 1
  email = `olena${count}@signup.test`
  subdomain = `signup-${count}`
  await pool.query('delete from throttle')
})
afterAll(() => pool.end())

const signUp = (change: object = {}) =>
  registerUser(
    { email, password: PASSWORD, organisation: 'Школа Мрія', subdomain, firstName: '', lastName: '', ...change },
    caller,
  )
const refusal = (field: string, key: string) =>
  expect.objectContaining({ details: expect.objectContaining({ fields: { [field]: [key] } }) })
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''
const past = (statement: string) => pool.query(statement)

describe('signing up', () => {
  test('creates an unverified account and emails code and link; the school does not exist yet', async () => {
    const pending = await signUp()
    expect(new Date(pending.expireDate).getTime() - Date.now()).toBeGreaterThan(29 * 60_000)
    const letter = await newestEmailTo(email)
    expect(letter.subject).toContain(letter.code)
    expect(letter.link).toMatch(/^http:\/\/kafedra\.localhost:4321\/email-verify\?token=[\w-]{43}$/)
    expect(await findTenant(subdomain)).toBeNull()
    expect(await findPending(pending.pendingToken)).toMatchObject({ email, verified: false })
  })

  test('sends the email in the language of the form', async () => {
    await registerUser(
      { email, password: PASSWORD, organisation: 'Dream', subdomain, firstName: '', lastName: '' },
      { ...caller, locale: 'en' },
    )
    expect(await newestEmailTo(email)).toMatchObject({ locale: 'en', subject: expect.stringContaining('Kafedra code') })
  })

  test('the code creates the school: tenant, owner, trial and session at once', async () => {
    const { pendingToken } = await signUp()
    const { code } = await newestEmailTo(email)
    const { token, redirect } = await openSchool({ pendingToken, code }, caller)
    expect(redirect).toBe(`http://${subdomain}.kafedra.localhost:4321/`)
    const actor = await findActor(token, subdomain)
    expect(actor).toMatchObject({ email, subdomain, accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER', roles: ['OWNER'] })
    expect(actor?.plans.map(({ group }) => group).sort()).toEqual(['lms', 'workshop'])
  })

  test('the owner has the name that was typed', async () => {
    const { pendingToken } = await signUp({ firstName: 'Ґанна', lastName: 'Їжакевич' })
    const { code } = await newestEmailTo(email)
    const { token } = await openSchool({ pendingToken, code }, caller)
    expect(await findActor(token, subdomain)).toMatchObject({ firstName: 'Ґанна', lastName: 'Їжакевич' })
  })

  test('the link creates it too, once', async () => {
    await signUp()
    const token = tokenIn((await newestEmailTo(email)).link)
    expect((await openSchool({ token }, caller)).redirect).toContain(subdomain)
    await expect(openSchool({ token }, caller)).rejects.toEqual(refusal('token', 'link_used'))
    await expect(openSchool({ token: 'x'.repeat(43) }, caller)).rejects.toEqual(refusal('token', 'link_wrong'))
  })

  test.each(['link', 'code', 'both'])('used twice concurrently it creates one school: by %s', async (by) => {
    const { pendingToken } = await signUp()
    const letter = await newestEmailTo(email)
    const link = { token: tokenIn(letter.link) }
    const code = { pendingToken, code: letter.code }
    const inputs = by === 'link' ? [link, link] : by === 'code' ? [code, code] : [link, code]
    const answers = await Promise.allSettled(inputs.map((input) => openSchool(input, caller)))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find((answer) => answer.status === 'rejected')).toMatchObject({ reason: { code: 'unprocessable' } })
    const { rows } = await pool.query('select count(*)::int as schools from tenant where subdomain like $1', [
      `${subdomain}%`,
    ])
    expect(rows).toEqual([{ schools: 1 }])
  })

  test('is refused after five wrong codes, even with the right one', async () => {
    const { pendingToken } = await signUp()
    const { code } = await newestEmailTo(email)
    for (let n = 1; n <= 4; n++) {
      await expect(openSchool({ pendingToken, code: wrong(code) }, caller)).rejects.toEqual(
        refusal('code', 'code_wrong'),
      )
    }
    const fifth = openSchool({ pendingToken, code: wrong(code) }, caller)
    await expect(fifth).rejects.toEqual(refusal('code', 'attempts_exhausted'))
    await expect(openSchool({ pendingToken, code }, caller)).rejects.toEqual(refusal('code', 'attempts_exhausted'))
    expect(await findTenant(subdomain)).toBeNull()
  })

  test('counts five concurrent codes as five', async () => {
    const { pendingToken } = await signUp()
    const { code } = await newestEmailTo(email)
    await Promise.allSettled(Array.from({ length: 8 }, () => openSchool({ pendingToken, code: wrong(code) }, caller)))
    await expect(openSchool({ pendingToken, code }, caller)).rejects.toEqual(refusal('code', 'attempts_exhausted'))
  })

  test('refuses code and link after half an hour', async () => {
    const { pendingToken } = await signUp()
    const { code, link } = await newestEmailTo(email)
    await past(`update email_verification set expires_at = now() - interval '1 second'`)
    await expect(openSchool({ pendingToken, code }, caller)).rejects.toEqual(refusal('code', 'code_expired'))
    await expect(openSchool({ token: tokenIn(link) }, caller)).rejects.toEqual(refusal('token', 'link_expired'))
  })

  test('refuses a code without the pending verification of the browser that signed up', async () => {
    const { pendingToken } = await signUp()
    const { code } = await newestEmailTo(email)
    for (const forged of ['', 'x', `${pendingToken.slice(0, -2)}AA`, Buffer.alloc(80).toString('base64url')]) {
      await expect(openSchool({ pendingToken: forged, code }, caller)).rejects.toEqual(refusal('code', 'code_expired'))
    }
  })

  test('allows a new code after a minute, which invalidates the old one', async () => {
    const { pendingToken } = await signUp()
    const first = await newestEmailTo(email)
    await expect(resendCode({ pendingToken }, caller)).rejects.toMatchObject({ code: 'too_many' })
    await past(`update email_verification set created_at = now() - interval '61 seconds'`)
    const second = await resendCode({ pendingToken }, caller)
    expect(await listEmailsTo(email)).toHaveLength(2)
    await expect(openSchool({ token: tokenIn(first.link) }, caller)).rejects.toEqual(refusal('token', 'link_expired'))
    const { code } = await newestEmailTo(email)
    expect((await openSchool({ pendingToken: second.pendingToken, code }, caller)).token).toBeTruthy()
  })

  test('signs the waiting browser in when the link is opened elsewhere', async () => {
    const { pendingToken } = await signUp()
    expect(await claimVerification({ pendingToken }, caller)).toBeNull()
    await openSchool({ token: tokenIn((await newestEmailTo(email)).link) }, { ...caller, address: '10.2.0.9' })
    const claimed = await claimVerification({ pendingToken }, caller)
    expect(claimed?.redirect).toContain(subdomain)
    expect(await findActor(claimed?.token ?? '', subdomain)).toMatchObject({ email })
  })

  test('sends no more codes to a browser that waits for a verified address', async () => {
    const { pendingToken } = await signUp()
    await openSchool({ pendingToken, code: (await newestEmailTo(email)).code }, caller)
    await past(`update email_verification set created_at = now() - interval '2 minutes'`)
    await expect(resendCode({ pendingToken }, caller)).rejects.toMatchObject({ code: 'gone' })
    await expect(resendCode({ pendingToken: 'made-up' }, caller)).rejects.toMatchObject({ code: 'gone' })
  })

  test('does not sign a waiting browser in past a second factor', async () => {
    const { pendingToken } = await signUp()
    const { token } = await openSchool({ pendingToken, code: (await newestEmailTo(email)).code }, caller)
    const actor = await findActor(token, subdomain)
    await pool.query('update "user" set totp_enabled_at = now() where id = $1', [actor?.userId])
    await expect(claimVerification({ pendingToken }, caller)).rejects.toMatchObject({ code: 'gone' })
    await expect(claimVerification({ pendingToken: 'made-up' }, caller)).rejects.toMatchObject({ code: 'gone' })
  })
})

describe('a conflict at sign-up', () => {
  test('is reported for an email address that has an account', async () => {
    const { as } = await createTestTenant()
    await expect(signUp({ email: as.EXPERT.email })).rejects.toEqual(refusal('email', 'email_taken'))
  })

  test('is reported for a day for an email address and a subdomain that wait to be verified', async () => {
    await signUp()
    await expect(signUp()).rejects.toEqual(refusal('email', 'email_taken'))
    await expect(signUp({ email: `other${email}` })).rejects.toMatchObject({
      details: { fields: { subdomain: ['subdomain_taken'] }, data: { suggestions: expect.any(Array) } },
    })
    await past(`update sign_up set created_at = now() - interval '25 hours'`)
    expect((await signUp({ email: `other${email}` })).pendingToken).toBeTruthy()
    expect((await signUp({ subdomain: `${subdomain}-b`, password: 'Zovsim-insha-1' })).pendingToken).toBeTruthy()
  })

  test('of two concurrent sign-ups grants one', async () => {
    const both = await Promise.allSettled([signUp(), signUp({ email: `zz${email}` }), signUp()])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of a subdomain taken after its reservation expired yields the nearest free one', async () => {
    const { pendingToken } = await signUp()
    const { code } = await newestEmailTo(email)
    await inSystem((tx) =>
      tx.execute(sql`insert into tenant (id, subdomain, name) values (gen_random_uuid(), ${subdomain}, 'x')`),
    )
    const { redirect } = await openSchool({ pendingToken, code }, caller)
    expect(redirect).toMatch(/^http:\/\/shkola-mriia/)
  })

  test('does not exist for an invited student without an account, who stays invited', async () => {
    const { tenant } = await createTestTenant()
    const { userId, known } = await findOrCreateUser({ email })
    expect(known).toBe(false)
    await addMember({ tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'invited' })
    const { pendingToken } = await signUp()
    const { token } = await openSchool({ pendingToken, code: (await newestEmailTo(email)).code }, caller)
    expect((await findActor(token, subdomain))?.memberships).toHaveLength(1)
  })
})

describe('signing in before the email address is verified', () => {
  const enter = async (address: string = caller.address) => {
    const answer = await signIn({ email, password: PASSWORD }, { ...caller, address })
    if (answer.kind !== 'unverified') throw new Error(answer.kind)
    return answer
  }
  const expire = () =>
    past(`update email_verification set expires_at = now() - interval '1 s', created_at = now() - interval '61 s'`)

  test('shows the waiting page, where the emailed code is still valid', async () => {
    await signUp()
    const { code } = await newestEmailTo(email)
    const { pendingToken } = await enter()
    expect((await openSchool({ pendingToken, code }, caller)).redirect).toContain(subdomain)
  })

  test('sends no email while a code is valid, however often it is repeated at once', async () => {
    await signUp()
    await expect(signIn({ email, password: 'Nepravylno-1' }, caller)).rejects.toMatchObject({ code: 'credentials' })
    await Promise.all(Array.from({ length: 8 }, (_, n) => enter(`10.2.7.${n}`)))
    expect(await listEmailsTo(email)).toHaveLength(1)
    await expire()
    await Promise.allSettled(Array.from({ length: 8 }, (_, n) => enter(`10.2.8.${n}`)))
    expect(await listEmailsTo(email)).toHaveLength(2)
  })

  test('sends five codes an hour to an address, from any network', async () => {
    const { pendingToken } = await signUp()
    for (let n = 0; n < 8; n++) {
      await expire()
      await signIn({ email, password: PASSWORD }, { ...caller, address: `10.2.9.${n}` }).catch(() => {})
    }
    expect(await listEmailsTo(email)).toHaveLength(5)
    await expire()
    await expect(resendCode({ pendingToken }, caller)).rejects.toMatchObject({
      code: 'too_many',
      details: { fields: { form: ['emails_exhausted'] } },
    })
    expect(await listEmailsTo(email)).toHaveLength(5)
  })

  test('grants no new attempts with a new code: fifteen a day for an address', async () => {
    let { pendingToken } = await signUp()
    const answers: string[] = []
    for (let round = 0; round < 4; round++) {
      const { code } = await newestEmailTo(email)
      for (let n = 0; n < 5; n++) {
        const tried = openSchool({ pendingToken, code: wrong(code) }, { ...caller, address: `10.2.6.${round}` })
        answers.push(
          await tried.then(
            () => 'opened',
            (error: { code: string }) => error.code,
          ),
        )
      }
      await expire()
      pendingToken = (await enter()).pendingToken
    }
    expect(answers.filter((answer) => answer === 'unprocessable')).toHaveLength(15)
    const { code, link } = await newestEmailTo(email)
    await expect(openSchool({ pendingToken, code }, caller)).rejects.toMatchObject({
      code: 'too_many',
      details: { fields: { code: ['codes_exhausted'] } },
    })
    expect((await openSchool({ token: tokenIn(link) }, caller)).redirect).toContain(subdomain)
  })
})

describe('emails caused by a stranger', () => {
  test('are limited to sixty an hour for a network', async () => {
    await pool.query('delete from throttle')
    for (let n = 0; n < 60; n++)
      await forgotPassword({ email: `far${n}@signup.test` }, { ...caller, address: '10.2.5.1' })
    const sixtyFirst = forgotPassword({ email: 'far60@signup.test' }, { ...caller, address: '10.2.5.1' })
    await expect(sixtyFirst).rejects.toMatchObject({ code: 'too_many' })
    await forgotPassword({ email: 'far61@signup.test' }, { ...caller, address: '10.2.5.2' })
  })

  test('are not counted for refused sign-ups', async () => {
    const { pendingToken } = await signUp()
    for (let n = 0; n < 8; n++) await expect(signUp()).rejects.toEqual(refusal('email', 'email_taken'))
    await past(`update email_verification set created_at = now() - interval '61 seconds'`)
    expect((await resendCode({ pendingToken }, caller)).pendingToken).toBeTruthy()
  })
})
