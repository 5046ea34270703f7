import { randomBytes } from 'node:crypto'
import { and, count, eq, isNull, lt, or } from 'drizzle-orm'
import { generateSecret, generateURI, verify } from 'otplib'
import { renderSVG } from 'uqr'
import { inSystem, readUntenanted, type Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt, keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sendSecurityNotice } from './emails.ts'
import { verifyPassword } from './password.ts'
import { countLimitedAttempt } from './rate-limits.ts'
import { requireUnboundSession } from './session.ts'
import { recoveryCode, user } from './table.ts'

const ISSUER = 'Kafedra'
const STEP_SECONDS = 30
const RECOVERY_CODES = 10
// Without characters that look alike in handwriting.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export interface SecondFactorState {
  enabled: boolean
  recoveryCodesLeft: number
}

/** Whether the second factor is on, and how many recovery codes are left. */
export async function getSecondFactor(actor: Actor): Promise<SecondFactorState> {
  return readUntenanted(async (tx) => {
    const [[person], [left]] = await Promise.all([
      tx.select({ enabledAt: user.totpEnabledAt }).from(user).where(eq(user.id, actor.userId)),
      tx
        .select({ codes: count() })
        .from(recoveryCode)
        .where(and(eq(recoveryCode.userId, actor.userId), isNull(recoveryCode.usedAt))),
    ])
    return { enabled: Boolean(person?.enabledAt), recoveryCodesLeft: left?.codes ?? 0 }
  })
}

/** A secret for an authenticator app, as text, otpauth address and QR picture (SVG). A second call returns the same secret. */
export async function beginSecondFactor(actor: Actor): Promise<{ secret: string; uri: string; qr: string }> {
  requireUnboundSession(actor)
  const secret = await inSystem(async (tx) => {
    const [person] = await tx
      .select({ secret: user.totpSecret, enabledAt: user.totpEnabledAt })
      .from(user)
      .where(eq(user.id, actor.userId))
      .for('update')
    if (person?.enabledAt) throw new Refusal('conflict')
    const pendingSecret = person?.secret ? decrypt('totp', person.secret) : null
    if (pendingSecret) return pendingSecret
    const secret = generateSecret()
    await tx
      .update(user)
      .set({ totpSecret: encrypt('totp', secret), totpLastStep: null })
      .where(eq(user.id, actor.userId))
    return secret
  })
  const uri = generateURI({ issuer: ISSUER, label: actor.email, secret })
  return { secret, uri, qr: renderSVG(uri, { border: 2 }) }
}

/** Turns the second factor on with a first code of the app. Returns ten recovery codes, which are shown once. Refuses with second_factor. */
export async function enableSecondFactor(actor: Actor, input: { code: string }): Promise<{ recoveryCodes: string[] }> {
  requireUnboundSession(actor)
  await countLimitedAttempt('secondStep', actor.userId)
  return inSystem(async (tx) => {
    if (!(await consumeTotp(tx, actor.userId, input.code, false))) {
      throw new Refusal('second_factor', { fields: { code: ['second_factor_wrong'] } })
    }
    await tx.update(user).set({ totpEnabledAt: new Date() }).where(eq(user.id, actor.userId))
    await sendSecurityNotice(actor, 'secondFactorOn')
    return { recoveryCodes: await replaceRecoveryCodes(tx, actor.userId) }
  })
}

/** Replaces the recovery codes by ten new ones. Refuses with unprocessable for a wrong password. */
export async function renewRecoveryCodes(
  actor: Actor,
  input: { password: string },
): Promise<{ recoveryCodes: string[] }> {
  requireUnboundSession(actor)
  await requirePassword(actor, input.password)
  return inSystem(async (tx) => ({ recoveryCodes: await replaceRecoveryCodes(tx, actor.userId) }))
}

/** Turns the second factor off. Refuses with unprocessable for a wrong password. */
export async function disableSecondFactor(actor: Actor, input: { password: string }): Promise<void> {
  requireUnboundSession(actor)
  await requirePassword(actor, input.password)
  await inSystem(async (tx) => {
    await tx
      .update(user)
      .set({ totpSecret: null, totpEnabledAt: null, totpLastStep: null })
      .where(eq(user.id, actor.userId))
    await tx.delete(recoveryCode).where(eq(recoveryCode.userId, actor.userId))
    await sendSecurityNotice(actor, 'secondFactorOff')
  })
}

/** Uses a code of the app or a recovery code; each works once. Returns whether it was valid. */
export async function consumeCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code)) return consumeTotp(tx, userId, code, true)
  const used = await tx
    .update(recoveryCode)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(recoveryCode.userId, userId),
        eq(recoveryCode.codeHash, recoveryDigest(userId, code)),
        isNull(recoveryCode.usedAt),
      ),
    )
    .returning({ userId: recoveryCode.userId })
  return used.length > 0
}

/** Whether an account has a password; a student who has only used one-time links has none. */
export async function hasPassword(userId: string): Promise<boolean> {
  const [person] = await readUntenanted((tx) =>
    tx.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, userId)),
  )
  return Boolean(person?.passwordHash)
}

/** Checks the actor's password. Refuses with unprocessable (password_wrong) and too_many. */
export async function requirePassword(
  actor: Pick<Actor, 'userId'>,
  password: string,
  field = 'password',
): Promise<void> {
  await countLimitedAttempt('passwordAccount', actor.userId)
  const [person] = await inSystem((tx) =>
    tx.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, actor.userId)),
  )
  if (!(await verifyPassword(person?.passwordHash, password))) {
    throw new Refusal('unprocessable', { fields: { [field]: ['password_wrong'] } })
  }
}

// TOTP, RFC 6238: one step of clock drift each way; a step that was used, or an earlier one, is refused (section 5.2).
async function consumeTotp(tx: Tx, userId: string, code: string, enabled: boolean): Promise<boolean> {
  const [person] = await tx
    .select({ secret: user.totpSecret, enabledAt: user.totpEnabledAt })
    .from(user)
    .where(eq(user.id, userId))
  const secret = person?.secret && Boolean(person.enabledAt) === enabled ? decrypt('totp', person.secret) : null
  if (!secret || !/^\d{6}$/.test(code)) return false
  const result = await verify({ secret, token: code, epochTolerance: STEP_SECONDS })
  if (!result.valid || !('epoch' in result)) return false
  const step = Math.floor(result.epoch / STEP_SECONDS)
  const used = await tx
    .update(user)
    .set({ totpLastStep: step })
    .where(and(eq(user.id, userId), or(isNull(user.totpLastStep), lt(user.totpLastStep, step))))
    .returning({ id: user.id })
  return used.length > 0
}

async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, codeHash: recoveryDigest(userId, code) })))
  return codes
}

function newRecoveryCode(): string {
  const letters = [...randomBytes(32)].filter((byte) => byte < 248).slice(0, 10)
  const text = letters.map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

function recoveryDigest(userId: string, code: string): Buffer {
  return keyedDigest('recovery code', `${userId} ${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
