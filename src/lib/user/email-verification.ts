import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { homePath } from '#lib/core/access/route-access.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inSystem, type Tx } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { tooManyRefusal } from '#lib/core/http/throttle.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { suggestSubdomains } from '#lib/tenant/tenant.ts'
import { addKnownDevice } from './device.ts'
import { sendVerificationEmail } from './emails.ts'
import { createSchool } from './member.ts'
import { clearLimit, countLimitedAttempt } from './rate-limits.ts'
import type { VerifyEmail } from './schema.ts'
import { beginSession, completeSignIn, type RequestOrigin, type SignInResult } from './session.ts'
import { emailVerification, signUp, user } from './table.ts'
import { issueTicket, isTicketOf, readTicket } from './ticket.ts'
import { createCode, createToken, digest } from './token.ts'

const CODE_MINUTES = 30
const CODE_ATTEMPTS = 5
const RESEND_SECONDS = 60
const TICKET_MINUTES = 60

/** Waiting for the e-mail to be confirmed: the ticket of this browser and when the code ends (ISO instant). */
export interface PendingVerification {
  ticket: string
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
 * Counts a letter with a code against its address and the network that asks for it, before the transaction of
 * `issueVerification`. Refuses with too_many.
 */
export async function countVerificationEmail(email: string, caller: Pick<RequestOrigin, 'address'>): Promise<void> {
  await countLimitedAttempt('letterNetwork', caller.address)
  await countLimitedAttempt('verificationEmail', email, { fields: { form: ['letters_exhausted'] } })
}

/**
 * For somebody who signs in before the e-mail is confirmed: the code that is in the mailbox stays good; only when there is
 * none a new one is mailed. Refuses with too_many.
 */
export async function continueVerification(
  person: Person,
  caller: Pick<RequestOrigin, 'address'>,
): Promise<PendingVerification> {
  const open = await inSystem((tx) => findOpen(tx, person.id))
  if (open) return pendingOf(person, open.expiresAt)
  await countVerificationEmail(person.email, caller)
  return inSystem(async (tx) => {
    await lockPerson(tx, person.id)
    const meanwhile = await findOpen(tx, person.id)
    return meanwhile ? pendingOf(person, meanwhile.expiresAt) : issueVerification(tx, person)
  })
}

/** Mails a new code and link and makes the older ones void, in the surrounding transaction. */
export async function issueVerification(tx: Tx, person: Person): Promise<PendingVerification> {
  const [code, token] = [createCode(), createToken()]
  const expiresAt = new Date(Date.now() + CODE_MINUTES * 60_000)
  await tx
    .update(emailVerification)
    .set({ expiresAt: sql`least(${emailVerification.expiresAt}, now())` })
    .where(and(eq(emailVerification.userId, person.id), isNull(emailVerification.usedAt)))
  await tx.insert(emailVerification).values({
    userId: person.id,
    codeHash: codeDigest(person.id, code),
    tokenHash: digest(token),
    expiresAt,
  })
  await sendVerificationEmail(person, { code, token })
  return pendingOf(person, expiresAt)
}

/**
 * Confirms an e-mail by the mailed link, or by the code together with the ticket of the browser that signed up. A
 * sign-up becomes a school with its owner; `opened` joins that transaction. Refuses with unprocessable (code or link
 * wrong, expired, used, attempts exhausted) and too_many: codes that are issued anew bring no new attempts for the day.
 */
export async function verifyEmail(
  input: VerifyEmail,
  caller: RequestOrigin,
  opened: (tenantId: string) => Promise<void>,
): Promise<Verification> {
  await countLimitedAttempt('verifyNetwork', caller.address)
  const email = 'token' in input ? null : await countCode(input.ticket)
  const outcome = await inSystem(async (tx) => {
    const checked = 'token' in input ? await checkLink(tx, input.token) : await checkCode(tx, input)
    if ('problem' in checked) return checked
    await tx.update(emailVerification).set({ usedAt: new Date() }).where(eq(emailVerification.id, checked.id))
    await tx.update(user).set({ emailVerifiedAt: new Date() }).where(eq(user.id, checked.userId))
    const subdomain = await openSignedUp(tx, checked.userId, opened)
    return { token: await beginSession(tx, checked.userId, caller), userId: checked.userId, subdomain }
  })
  // Thrown out here, so that the tries that were counted stay counted.
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

/** Mails a new code to the browser that holds the ticket. Refuses with too_many within 60 s, gone for an old ticket. */
export async function resendCode(
  input: { ticket: string },
  caller: Pick<RequestOrigin, 'address'>,
): Promise<PendingVerification> {
  const person = await personOf(input.ticket)
  if (!person || person.verified) throw new Refusal('gone')
  refuseSoon(await inSystem((tx) => findNewest(tx, person.id)))
  await countVerificationEmail(person.email, caller)
  return inSystem(async (tx) => {
    await lockPerson(tx, person.id)
    refuseSoon(await findNewest(tx, person.id))
    return issueVerification(tx, person)
  })
}

function refuseSoon(newest: Newest | undefined): void {
  const wait = newest ? RESEND_SECONDS - (Date.now() - newest.createdAt.getTime()) / 1000 : 0
  if (wait > 0) throw tooManyRefusal(Math.ceil(wait))
}
/** What the waiting page shows: the e-mail, and when the newest code ends and may be sent again. Null: ticket too old. */
export async function findPending(ticket: string) {
  const person = await personOf(ticket)
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

/** Signs the waiting browser in when the link was opened elsewhere; null while it was not. Refuses with gone. */
export async function claimVerification(
  input: { ticket: string },
  caller: RequestOrigin,
): Promise<SignInResult | null> {
  const person = await personOf(input.ticket)
  if (!person || person.secondFactor) throw new Refusal('gone')
  if (!person.verified) return null
  const token = await inSystem((tx) => beginSession(tx, person.id, caller))
  return completeSignIn(token, caller)
}

interface Newest {
  createdAt: Date
  expiresAt: Date
  attempts: number
}

async function findNewest(tx: Tx, userId: string): Promise<Newest | undefined> {
  const { createdAt, expiresAt, attempts } = emailVerification
  const [newest] = await tx
    .select({ createdAt, expiresAt, attempts })
    .from(emailVerification)
    .where(eq(emailVerification.userId, userId))
    .orderBy(desc(emailVerification.createdAt))
    .limit(1)
  return newest
}

async function findOpen(tx: Tx, userId: string): Promise<Newest | null> {
  const newest = await findNewest(tx, userId)
  return newest && newest.expiresAt > new Date() && newest.attempts < CODE_ATTEMPTS ? newest : null
}

async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
}

function pendingOf(person: Person, expiresAt: Date): PendingVerification {
  return { ticket: issueTicket('verification', person, TICKET_MINUTES), expireDate: expiresAt.toISOString() }
}

// By the address and not by the code, so that a new code brings no new attempts; gives the address.
async function countCode(ticket: string): Promise<string | null> {
  const person = await personOf(ticket)
  if (!person) return null
  await countLimitedAttempt('codeEmail', person.email, { fields: { code: ['codes_exhausted'] } })
  return person.email
}

async function personOf(ticket: string) {
  const read = readTicket('verification', ticket)
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
  return person && isTicketOf(read, person) ? person : null
}

type Checked = { id: string; userId: string } | { problem: Problem }

async function checkLink(tx: Tx, token: string): Promise<Checked> {
  const [found] = await tx
    .select()
    .from(emailVerification)
    .where(eq(emailVerification.tokenHash, digest(token)))
    .for('update')
  if (!found) return { problem: 'link_wrong' }
  if (found.usedAt) return { problem: 'link_used' }
  return found.expiresAt > new Date() ? found : { problem: 'link_expired' }
}

async function checkCode(tx: Tx, input: { ticket: string; code: string }): Promise<Checked> {
  const ticket = readTicket('verification', input.ticket)
  if (!ticket) return { problem: 'code_expired' }
  const [newest] = await tx
    .select()
    .from(emailVerification)
    .where(eq(emailVerification.userId, ticket.userId))
    .orderBy(desc(emailVerification.createdAt))
    .limit(1)
    .for('update')
  if (!newest || newest.usedAt || newest.expiresAt <= new Date()) return { problem: 'code_expired' }
  if (newest.attempts >= CODE_ATTEMPTS) return { problem: 'attempts_exhausted' }
  await tx
    .update(emailVerification)
    .set({ attempts: newest.attempts + 1 })
    .where(eq(emailVerification.id, newest.id))
  const right = timingSafeEqual(newest.codeHash, codeDigest(ticket.userId, input.code))
  return right ? newest : { problem: newest.attempts + 1 >= CODE_ATTEMPTS ? 'attempts_exhausted' : 'code_wrong' }
}

// A hold lasts a day; if somebody else got the name after that, the school takes the nearest free one.
async function openSignedUp(
  tx: Tx,
  userId: string,
  opened: (tenantId: string) => Promise<void>,
): Promise<string | null> {
  const [waiting] = await tx.delete(signUp).where(eq(signUp.userId, userId)).returning()
  if (!waiting) return null
  const [owner] = await tx
    .select({ locale: user.locale, timeZone: user.timeZone })
    .from(user)
    .where(eq(user.id, userId))
  const [spare = waiting.subdomain] = await suggestSubdomains(waiting.organisation)
  const school = { name: waiting.organisation, ...owner, ownerId: userId }
  for (const subdomain of [waiting.subdomain, spare]) {
    const made = await createSchool({ ...school, subdomain }).catch((error: unknown) => {
      if (error instanceof Refusal && subdomain !== spare) return null
      throw error
    })
    if (!made) continue
    await opened(made.tenantId)
    return subdomain
  }
  return null
}

function codeDigest(userId: string, code: string): Buffer {
  return keyedDigest('email code', `${userId} ${code}`)
}
