import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { homePath } from '#lib/core/access/routes.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inSystem, type Tx } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { tooManyRefusal } from '#lib/core/http/throttle.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { suggestSubdomains } from '#lib/tenant/tenant.ts'
import { addKnownDevice } from './device.ts'
import { sendVerificationEmail } from './emails.ts'
import { createSchool } from './member.ts'
import { isPendingTokenOf, issuePendingToken, readPendingToken } from './pending-token.ts'
import { clearLimit, countLimitedAttempt } from './rate-limits.ts'
import type { VerifyEmail } from './schema.ts'
import { beginSession, completeSignIn, type RequestOrigin, type SignInResult } from './session.ts'
import { emailVerification, signUp, user } from './table.ts'
import { createCode, createToken, digestToken } from './token.ts'

const CODE_MINUTES = 30
const CODE_ATTEMPTS = 5
const RESEND_SECONDS = 60
const PENDING_TOKEN_MINUTES = 60

/** A pending confirmation of an email address: the pending token of this browser and when the code expires (ISO instant). */
export interface PendingVerification {
  pendingToken: string
  expireDate: string
}
export type Verification = SignInResult

interface Person {
  id: string
  email: string
  locale: Locale
  passwordHash: string | null
}
type Problem = 'link_wrong' | 'link_used' | 'link_expired' | 'code_wrong' | 'code_expired' | 'attempts_exhausted'

/**
 * Counts a verification email against its address and the network of the request, before the transaction of
 * `issueVerification`. Refuses with too_many.
 */
export async function countVerificationEmail(email: string, caller: Pick<RequestOrigin, 'address'>): Promise<void> {
  await countLimitedAttempt('emailNetwork', caller.address)
  await countLimitedAttempt('verificationEmail', email, { fields: { form: ['emails_exhausted'] } })
}

/**
 * For a sign-in before the email address is confirmed: a valid code remains valid; a new one is sent only when there is
 * none. Refuses with too_many.
 */
export async function continueVerification(
  person: Person,
  caller: Pick<RequestOrigin, 'address'>,
): Promise<PendingVerification> {
  const current = await inSystem((tx) => findOpen(tx, person.id))
  if (current) return pendingOf(person, current.expiresAt)
  await countVerificationEmail(person.email, caller)
  return inSystem(async (tx) => {
    await lockUser(tx, person.id)
    const issued = await findOpen(tx, person.id)
    return issued ? pendingOf(person, issued.expiresAt) : issueVerification(tx, person)
  })
}

/** Sends a new code and link and invalidates the older ones, in the surrounding transaction. */
export async function issueVerification(tx: Tx, person: Person): Promise<PendingVerification> {
  const [code, token] = [createCode(), createToken()]
  const expiresAt = new Date(Date.now() + CODE_MINUTES * MINUTE_MS)
  await tx
    .update(emailVerification)
    .set({ expiresAt: sql`least(${emailVerification.expiresAt}, now())` })
    .where(and(eq(emailVerification.userId, person.id), isNull(emailVerification.usedAt)))
  await tx.insert(emailVerification).values({
    userId: person.id,
    codeHash: codeDigest(person.id, code),
    tokenHash: digestToken(token),
    expiresAt,
  })
  await sendVerificationEmail(person, { code, token })
  return pendingOf(person, expiresAt)
}

/**
 * Confirms an e-mail by the mailed link, or by the code together with the pending token of the browser that signed up.
 * A sign-up becomes a tenant with its owner; `onTenantCreated` runs in that transaction. Refuses with unprocessable
 * (code or link wrong, expired, used, attempts exhausted) and too_many: the attempts of a day are counted over all
 * codes.
 */
export async function verifyEmail(
  input: VerifyEmail,
  caller: RequestOrigin,
  onTenantCreated: (tenantId: string) => Promise<void>,
): Promise<Verification> {
  await countLimitedAttempt('verifyNetwork', caller.address)
  const email = 'token' in input ? null : await countCode(input.pendingToken)
  const outcome = await inSystem(async (tx) => {
    const checked = 'token' in input ? await checkLink(tx, input.token) : await checkCode(tx, input)
    if ('problem' in checked) return checked
    await tx.update(emailVerification).set({ usedAt: new Date() }).where(eq(emailVerification.id, checked.id))
    await tx.update(user).set({ emailVerifiedAt: new Date() }).where(eq(user.id, checked.userId))
    const subdomain = await createSignedUpTenant(tx, checked.userId, onTenantCreated)
    return { token: await beginSession(tx, checked.userId, caller), userId: checked.userId, subdomain }
  })
  // Thrown outside the transaction, so that counted attempts are committed.
  if ('problem' in outcome) {
    throw new Refusal('unprocessable', { fields: { ['token' in input ? 'token' : 'code']: [outcome.problem] } })
  }
  if (email) await clearLimit('codeEmail', email)
  if (!outcome.subdomain) return completeSignIn(outcome.token, caller)
  return {
    token: outcome.token,
    device: addKnownDevice(caller.device, outcome.userId),
    redirect: addressOf(outcome.subdomain, homePath({ accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER' })),
  }
}

/** Sends a new code for the browser that has the pending token. Refuses with too_many within 60 s, gone for an old token. */
export async function resendCode(
  input: { pendingToken: string },
  caller: Pick<RequestOrigin, 'address'>,
): Promise<PendingVerification> {
  const person = await findPendingUser(input.pendingToken)
  if (!person || person.verified) throw new Refusal('gone')
  requireResendAllowed(await inSystem((tx) => findNewest(tx, person.id)))
  await countVerificationEmail(person.email, caller)
  return inSystem(async (tx) => {
    await lockUser(tx, person.id)
    requireResendAllowed(await findNewest(tx, person.id))
    return issueVerification(tx, person)
  })
}

function requireResendAllowed(newest: VerificationState | undefined): void {
  const wait = newest ? RESEND_SECONDS - (Date.now() - newest.createdAt.getTime()) / 1000 : 0
  if (wait > 0) throw tooManyRefusal(Math.ceil(wait))
}

/** The data of the waiting page: the email address, and when the newest code expires and may be sent again. Null when the pending token is too old. */
export async function findPending(pendingToken: string) {
  const person = await findPendingUser(pendingToken)
  if (!person) return null
  return inSystem(async (tx) => {
    const last = await findNewest(tx, person.id)
    return {
      email: person.email,
      verified: person.verified,
      expireDate: (last?.expiresAt ?? new Date()).toISOString(),
      resendDate: new Date((last?.createdAt.getTime() ?? 0) + RESEND_SECONDS * 1000).toISOString(),
    }
  })
}

/** Signs the waiting browser in after the link was opened in another one; null before. Refuses with gone. */
export async function claimVerification(
  input: { pendingToken: string },
  caller: RequestOrigin,
): Promise<SignInResult | null> {
  const person = await findPendingUser(input.pendingToken)
  if (!person || person.secondFactor) throw new Refusal('gone')
  if (!person.verified) return null
  const token = await inSystem((tx) => beginSession(tx, person.id, caller))
  return completeSignIn(token, caller)
}

interface VerificationState {
  createdAt: Date
  expiresAt: Date
  attempts: number
}

async function findNewest(tx: Tx, userId: string): Promise<VerificationState | undefined> {
  const { createdAt, expiresAt, attempts } = emailVerification
  const [newest] = await tx
    .select({ createdAt, expiresAt, attempts })
    .from(emailVerification)
    .where(eq(emailVerification.userId, userId))
    .orderBy(desc(emailVerification.createdAt))
    .limit(1)
  return newest
}

async function findOpen(tx: Tx, userId: string): Promise<VerificationState | null> {
  const newest = await findNewest(tx, userId)
  return newest && newest.expiresAt > new Date() && newest.attempts < CODE_ATTEMPTS ? newest : null
}

async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
}

function pendingOf(person: Person, expiresAt: Date): PendingVerification {
  return {
    pendingToken: issuePendingToken('verification', person, PENDING_TOKEN_MINUTES),
    expireDate: expiresAt.toISOString(),
  }
}

// Counted by the address and not by the code, so that a new code does not reset the count. Returns the address.
async function countCode(pendingToken: string): Promise<string | null> {
  const person = await findPendingUser(pendingToken)
  if (!person) return null
  await countLimitedAttempt('codeEmail', person.email, { fields: { code: ['codes_exhausted'] } })
  return person.email
}

async function findPendingUser(pendingToken: string) {
  const read = readPendingToken('verification', pendingToken)
  if (!read) return null
  const [person] = await inSystem((tx) =>
    tx
      .select({
        id: user.id,
        email: user.email,
        locale: user.locale,
        passwordHash: user.passwordHash,
        verified: sql<boolean>`${user.emailVerifiedAt} is not null`,
        secondFactor: sql<boolean>`${user.totpEnabledAt} is not null`,
      })
      .from(user)
      .where(eq(user.id, read.userId)),
  )
  return person && isPendingTokenOf(read, person) ? person : null
}

type CheckResult = { id: string; userId: string } | { problem: Problem }

async function checkLink(tx: Tx, token: string): Promise<CheckResult> {
  const [verification] = await tx
    .select()
    .from(emailVerification)
    .where(eq(emailVerification.tokenHash, digestToken(token)))
    .for('update')
  if (!verification) return { problem: 'link_wrong' }
  if (verification.usedAt) return { problem: 'link_used' }
  return verification.expiresAt > new Date() ? verification : { problem: 'link_expired' }
}

async function checkCode(tx: Tx, input: { pendingToken: string; code: string }): Promise<CheckResult> {
  const pendingToken = readPendingToken('verification', input.pendingToken)
  if (!pendingToken) return { problem: 'code_expired' }
  const [newest] = await tx
    .select()
    .from(emailVerification)
    .where(eq(emailVerification.userId, pendingToken.userId))
    .orderBy(desc(emailVerification.createdAt))
    .limit(1)
    .for('update')
  if (!newest || newest.usedAt || newest.expiresAt <= new Date()) return { problem: 'code_expired' }
  if (newest.attempts >= CODE_ATTEMPTS) return { problem: 'attempts_exhausted' }
  await tx
    .update(emailVerification)
    .set({ attempts: newest.attempts + 1 })
    .where(eq(emailVerification.id, newest.id))
  const isRight = timingSafeEqual(newest.codeHash, codeDigest(pendingToken.userId, input.code))
  return isRight ? newest : { problem: newest.attempts + 1 >= CODE_ATTEMPTS ? 'attempts_exhausted' : 'code_wrong' }
}

// The reservation of a subdomain lasts a day; if it is taken afterwards, the tenant gets a similar available one.
async function createSignedUpTenant(
  tx: Tx,
  userId: string,
  onTenantCreated: (tenantId: string) => Promise<void>,
): Promise<string | null> {
  const [pending] = await tx.delete(signUp).where(eq(signUp.userId, userId)).returning()
  if (!pending) return null
  const [owner] = await tx
    .select({ locale: user.locale, timeZone: user.timeZone })
    .from(user)
    .where(eq(user.id, userId))
  const [alternative = pending.subdomain] = await suggestSubdomains(pending.organisation)
  const school = { name: pending.organisation, ...owner, ownerId: userId }
  for (const subdomain of [pending.subdomain, alternative]) {
    const created = await createSchool({ ...school, subdomain }).catch((error: unknown) => {
      if (error instanceof Refusal && subdomain !== alternative) return null
      throw error
    })
    if (!created) continue
    await onTenantCreated(created.tenantId)
    return subdomain
  }
  return null
}

function codeDigest(userId: string, code: string): Buffer {
  return keyedDigest('email code', `${userId} ${code}`)
}
