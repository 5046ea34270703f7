import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { inSystem, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { findSubdomain } from '#lib/tenant/tenant.ts'
import { countVerificationEmail, issueVerification, type PendingVerification } from './email-verification.ts'
import { hashPassword } from './password.ts'
import { countLimitedAttempt } from './rate-limits.ts'
import type { Register } from './schema.ts'
import type { RequestOrigin } from './session.ts'
import { signUp, user } from './table.ts'

const RESERVATION_HOURS = 24

/**
 * Signs an organisation up: creates an unverified account, reserves the subdomain for a day and sends an email with code
 * and link. Refuses with unprocessable (email_taken, subdomain_taken) and too_many. verifyEmail creates the tenant.
 */
export async function registerUser(input: Register, caller: RequestOrigin): Promise<PendingVerification> {
  await countLimitedAttempt('registerNetwork', caller.address)
  await requireDeliverable(input.email)
  await requireFreeEmail(input.email)
  await countVerificationEmail(input.email, caller)
  const passwordHash = await hashPassword(input.password)
  return inSystem(async (tx) => {
    await deleteExpired(tx, input)
    const userId = await claimAccount(tx, input, passwordHash, caller)
    if (!userId) throw emailTakenRefusal()
    const { available, reason = 'subdomain_taken', suggestions } = await findSubdomain(input)
    if (!available) throw new Refusal('unprocessable', { fields: { subdomain: [reason] }, data: { suggestions } })
    await reserveSubdomain(tx, userId, input)
    return issueVerification(tx, { id: userId, email: input.email, locale: caller.locale, passwordHash })
  })
}

const emailTakenRefusal = () => new Refusal('unprocessable', { fields: { email: ['email_taken'] } })

// Before the email is counted: attempts without an email must not use up the limit of a pending sign-up.
async function requireFreeEmail(email: string): Promise<void> {
  const since = new Date(Date.now() - RESERVATION_HOURS * HOUR_MS)
  const [existing] = await inSystem((tx) =>
    tx
      .select({ id: user.id })
      .from(user)
      .leftJoin(signUp, and(eq(signUp.userId, user.id), gt(signUp.createdAt, since)))
      .where(and(eq(user.email, email), or(isNotNull(user.emailVerifiedAt), isNotNull(signUp.userId)))),
  )
  if (existing) throw emailTakenRefusal()
}

async function reserveSubdomain(tx: Tx, userId: string, { organisation, subdomain }: Register): Promise<void> {
  const reserved = await tx
    .insert(signUp)
    .values({ userId, organisation, subdomain })
    .onConflictDoNothing({ target: signUp.subdomain })
    .returning({ userId: signUp.userId })
  if (reserved.length === 0) throw new Refusal('unprocessable', { fields: { subdomain: ['subdomain_taken'] } })
}

async function deleteExpired(tx: Tx, { email, subdomain }: Register): Promise<void> {
  const userIdOfEmail = sql`(select ${user.id} from ${user} where ${user.email} = ${email})`
  await tx
    .delete(signUp)
    .where(
      and(
        lt(signUp.createdAt, new Date(Date.now() - RESERVATION_HOURS * HOUR_MS)),
        or(eq(signUp.subdomain, subdomain), eq(signUp.userId, userIdOfEmail)),
      ),
    )
}

// An unverified account without a pending sign-up may be claimed: an invited student, or an expired sign-up.
async function claimAccount(
  tx: Tx,
  input: Register,
  passwordHash: string,
  caller: RequestOrigin,
): Promise<string | null> {
  const { email, firstName, lastName } = input
  const [account] = await tx
    .insert(user)
    .values({ email, firstName, lastName, passwordHash, locale: caller.locale })
    .onConflictDoUpdate({
      target: user.email,
      set: { passwordHash, firstName, lastName, locale: caller.locale },
      setWhere: and(
        isNull(user.emailVerifiedAt),
        sql`not exists (select 1 from ${signUp} where ${signUp.userId} = ${user.id})`,
      ),
    })
    .returning({ id: user.id })
  return account?.id ?? null
}
