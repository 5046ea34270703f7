import { generate } from 'otplib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addMember } from '#lib/user/member.ts'
import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '#lib/user/second-factor.ts'
import { signIn, signInWithCode } from '#lib/user/sign-in.ts'
import { newestEmailTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, createTestUser, PASSWORD, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

const caller = { address: '10.4.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: TestTenant
let count = 0
let actor: Actor
let email: string

beforeEach(async () => {
  await pool.query('delete from throttle')
  home ??= await createTestTenant()
  email = `totp${++count}@factor.test`
  const userId = await createTestUser(email, PASSWORD)
  await addMember({
    tenantId: home.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
  actor = (await signInTestUser(userId, home.tenant.subdomain)).actor
})
afterAll(() => pool.end())

const now = () => Math.floor(Date.now() / 1000)
const codeAt = (secret: string, steps = 0) => generate({ secret, epoch: now() + steps * 30 })

/** Enabled with the code of the previous time step, so that the current one is unused. */
async function switchedOn() {
  const { secret } = await beginSecondFactor(actor)
  const { recoveryCodes } = await enableSecondFactor(actor, { code: await codeAt(secret, -1) })
  return { secret, recoveryCodes }
}

async function firstStep(): Promise<string> {
  const answer = await signIn({ email, password: PASSWORD }, caller)
  if (answer.kind !== 'secondStep') throw new Error(answer.kind)
  return answer.pendingToken
}

test('is set up with a QR picture and a first code; the secret is stored encrypted', async () => {
  const { secret, uri, qr } = await beginSecondFactor(actor)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Kafedra:/)
  expect(qr).toMatch(/^<svg/)
  expect(await beginSecondFactor(actor)).toMatchObject({ secret })
  const { rows } = await pool.query('select totp_secret from "user" where id = $1', [actor.userId])
  expect(rows[0].totp_secret).not.toContain(secret)
  await expect(enableSecondFactor(actor, { code: '000000' })).rejects.toMatchObject({ code: 'second_factor' })
  expect((await getSecondFactor(actor)).enabled).toBe(false)
  const { recoveryCodes } = await enableSecondFactor(actor, { code: await codeAt(secret) })
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(await getSecondFactor(actor)).toEqual({ enabled: true, recoveryCodesLeft: 10 })
  expect((await newestEmailTo(email)).subject).toBe('Двоетапний вхід увімкнено')
  await expect(beginSecondFactor(actor)).rejects.toMatchObject({ code: 'conflict' })
})

test('the password alone yields no token', async () => {
  await switchedOn()
  expect(await firstStep()).toBeTruthy()
  await expect(signIn({ email, password: 'Nepravylno-1' }, caller)).rejects.toMatchObject({ code: 'credentials' })
})

test('a code signs in once: a replay is refused, and so is any earlier code', async () => {
  const { secret } = await switchedOn()
  const [earlier, code] = [await codeAt(secret, -1), await codeAt(secret)]
  expect(await signInWithCode({ pendingToken: await firstStep(), code }, caller)).toMatchObject({ kind: 'signedIn' })
  for (const spent of [code, earlier]) {
    await expect(signInWithCode({ pendingToken: await firstStep(), code: spent }, caller)).rejects.toMatchObject({
      code: 'second_factor',
      details: { fields: { code: ['second_factor_wrong'] } },
    })
  }
})

test('one code used twice concurrently signs in once', async () => {
  const { secret } = await switchedOn()
  const pendingToken = await firstStep()
  const code = await codeAt(secret)
  const both = await Promise.allSettled([1, 2].map(() => signInWithCode({ pendingToken, code }, caller)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('password and code may be sent together, as programs do', async () => {
  const { secret } = await switchedOn()
  expect(await signIn({ email, password: PASSWORD, code: await codeAt(secret) }, caller)).toMatchObject({
    kind: 'signedIn',
  })
})

test('a recovery code works once, in any notation', async () => {
  const { recoveryCodes } = await switchedOn()
  const [code = ''] = recoveryCodes
  const written = code.toUpperCase().replace('-', '')
  expect(await signInWithCode({ pendingToken: await firstStep(), code: written }, caller)).toMatchObject({
    kind: 'signedIn',
  })
  await expect(signInWithCode({ pendingToken: await firstStep(), code }, caller)).rejects.toMatchObject({
    code: 'second_factor',
  })
  expect((await getSecondFactor(actor)).recoveryCodesLeft).toBe(9)
})

test('a recovery code or a first code used twice concurrently works once', async () => {
  const { secret } = await beginSecondFactor(actor)
  const first = await codeAt(secret, -1)
  const on = await Promise.allSettled([1, 2].map(() => enableSecondFactor(actor, { code: first })))
  expect(on.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const done = on.find((answer) => answer.status === 'fulfilled')
  const code = done?.value.recoveryCodes[3] ?? ''
  const pendingTokens = [await firstStep(), await firstStep()]
  const entered = await Promise.allSettled(
    pendingTokens.map((pendingToken) => signInWithCode({ pendingToken, code }, caller)),
  )
  expect(entered.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await getSecondFactor(actor)).toEqual({ enabled: true, recoveryCodesLeft: 9 })
})

test('a pending sign-in is valid for its account, for five minutes and until the password changes', async () => {
  const { secret } = await switchedOn()
  for (const pendingToken of ['', 'x', Buffer.alloc(64).toString('base64url')]) {
    await expect(signInWithCode({ pendingToken, code: await codeAt(secret) }, caller)).rejects.toMatchObject({
      code: 'gone',
    })
  }
  const pendingToken = await firstStep()
  await pool.query(`update "user" set password_hash = password_hash || 'x' where id = $1`, [actor.userId])
  await expect(signInWithCode({ pendingToken, code: await codeAt(secret) }, caller)).rejects.toMatchObject({
    code: 'gone',
  })
})

test('guesses are delayed after five attempts', async () => {
  const { secret } = await switchedOn()
  await pool.query('delete from throttle')
  const pendingToken = await firstStep()
  for (let n = 0; n < 5; n++) await signInWithCode({ pendingToken, code: '000000' }, caller).catch(() => {})
  await expect(signInWithCode({ pendingToken, code: await codeAt(secret) }, caller)).rejects.toMatchObject({
    code: 'too_many',
  })
})

test('a recognized device is not delayed by guesses of others', async () => {
  const { secret, recoveryCodes } = await switchedOn()
  const entered = await signInWithCode({ pendingToken: await firstStep(), code: await codeAt(secret) }, caller)
  if (entered.kind !== 'signedIn') throw new Error(entered.kind)
  const pendingToken = await firstStep()
  const guesses = Array.from({ length: 12 }, () => signInWithCode({ pendingToken, code: '000000' }, caller))
  const answers = await Promise.allSettled(guesses)
  const compared = answers.filter((answer) => answer.status === 'rejected' && answer.reason.code === 'second_factor')
  expect(compared).toHaveLength(5)
  const [code = ''] = recoveryCodes
  const stranger = signInWithCode({ pendingToken, code }, caller)
  await expect(stranger).rejects.toMatchObject({ details: { fields: { form: ['second_step_held'] } } })
  const { device } = entered
  expect(await signInWithCode({ pendingToken, code }, { ...caller, device })).toMatchObject({ kind: 'signedIn' })
})

test('new recovery codes and disabling require the password', async () => {
  const { recoveryCodes } = await switchedOn()
  const refused = { code: 'unprocessable', details: { fields: { password: ['password_wrong'] } } }
  await expect(renewRecoveryCodes(actor, { password: 'x' })).rejects.toMatchObject(refused)
  await expect(disableSecondFactor(actor, { password: 'x' })).rejects.toMatchObject(refused)
  const renewed = await renewRecoveryCodes(actor, { password: PASSWORD })
  expect(renewed.recoveryCodes).not.toEqual(recoveryCodes)
  const [old = ''] = recoveryCodes
  await expect(signInWithCode({ pendingToken: await firstStep(), code: old }, caller)).rejects.toMatchObject({
    code: 'second_factor',
  })
  await disableSecondFactor(actor, { password: PASSWORD })
  expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ kind: 'signedIn' })
})
