import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { inSystem, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import { findSubdomain } from '#lib/tenant/tenant.ts'
import { countVerificationEmail, issueVerification, type PendingVerification } from './email-verification.ts'
import { hashPassword } from './password.ts'
import { countLimitedAttempt } from './rate-limits.ts'
import type { Register } from './schema.ts'
import type { RequestOrigin } from './session.ts'
import { signUp, user } from './table.ts'

const HOLD_HOURS = 24

/**
 * Signs an organisation up: an unverified account, a hold on the subdomain for a day, a letter with code and link.
 * Refuses with unprocessable (email_taken, subdomain_taken) and too_many. The school is made by verifyEmail.
 */
export async function register(input: Register, caller: RequestOrigin): Promise<PendingVerification> {
  await countLimitedAttempt('registerNetwork', caller.address)
  await requireDeliverable(input.email)
  await refuseTaken(input.email)
  await countVerificationEmail(input.email, caller)
  const passwordHash = await hashPassword(input.password)
  return inSystem(async (tx) => {
    await dropExpired(tx, input)
    const userId = await claimAccount(tx, input, passwordHash, caller)
    if (!userId) throw emailTaken()
    const { available, reason = 'subdomain_taken', suggestions } = await findSubdomain(input)
    if (!available) throw new Refusal('unprocessable', { fields: { subdomain: [reason] }, data: { suggestions } })
    await hold(tx, userId, input)
    return issueVerification(tx, { id: userId, email: input.email, locale: caller.locale, passwordHash })
  })
}

const emailTaken = () => new Refusal('unprocessable', { fields: { email: ['email_taken'] } })

// Before the letter is counted: attempts that mail nothing must not use up what a waiting sign-up may be mailed.
async function refuseTaken(email: string): Promise<void> {
  const since = new Date(Date.now() - HOLD_HOURS * 3600_000)
  const [found] = await inSystem((tx) =>
    tx
      .select({ id: user.id })
      .from(user)
      .leftJoin(signUp, and(eq(signUp.userId, user.id), gt(signUp.createdAt, since)))
      .where(and(eq(user.email, email), or(isNotNull(user.emailVerifiedAt), isNotNull(signUp.userId)))),
  )
  if (found) throw emailTaken()
}

async function hold(tx: Tx, userId: string, { organisation, subdomain }: Register): Promise<void> {
  const held = await tx
    .insert(signUp)
    .values({ userId, organisation, subdomain })
    .onConflictDoNothing({ target: signUp.subdomain })
    .returning({ userId: signUp.userId })
  if (held.length === 0) throw new Refusal('unprocessable', { fields: { subdomain: ['subdomain_taken'] } })
}

async function dropExpired(tx: Tx, { email, subdomain }: Register): Promise<void> {
  const theirs = sql`(select ${user.id} from ${user} where ${user.email} = ${email})`
  await tx
    .delete(signUp)
    .where(
      and(
        lt(signUp.createdAt, new Date(Date.now() - HOLD_HOURS * 3600_000)),
        or(eq(signUp.subdomain, subdomain), eq(signUp.userId, theirs)),
      ),
    )
}

// An account that nobody has proven to own, with no sign-up waiting, is free: an invited student, or a hold that ran out.
async function claimAccount(
  tx: Tx,
  input: Register,
  passwordHash: string,
  caller: RequestOrigin,
): Promise<string | null> {
  const { email, firstName, lastName } = input
  const [made] = await tx
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
  return made?.id ?? null
}
