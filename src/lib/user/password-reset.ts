import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { inSystem } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { addKnownDevice } from './device.ts'
import { sendPasswordResetEmail, sendSecurityNotice } from './emails.ts'
import { hashPassword } from './password.ts'
import { clearLimit, countLimitedAttempt } from './rate-limits.ts'
import type { ChangePassword, ForgotPassword, ResetPassword } from './schema.ts'
import { requirePassword } from './second-factor.ts'
import { type RequestOrigin, requireUnboundSession, revokeAllSessions, revokeOtherSessions } from './session.ts'
import { passwordReset, signUp, user } from './table.ts'
import { createToken, digestToken } from './token.ts'

const LINK_MINUTES = 60

/**
 * Requests a reset link. The email is sent by a job, so that neither the response nor its duration discloses whether
 * the account exists. Refuses with too_many, the same for any e-mail.
 */
export async function forgotPassword(input: ForgotPassword, caller: RequestOrigin): Promise<void> {
  await countLimitedAttempt('emailNetwork', caller.address)
  await countLimitedAttempt('resetEmail', input.email, { fields: { form: ['emails_exhausted'] } })
  await enqueueJob('user.sendReset', { tenantId: null, email: input.email })
}

/** Job handler: sends a link when there is such an account, and does nothing otherwise. */
export async function sendResetLink({ email }: { email: string }): Promise<void> {
  await inSystem(async (tx) => {
    const [person] = await tx
      .select({ id: user.id, email: user.email, locale: user.locale })
      .from(user)
      .where(eq(user.email, email))
      .for('update')
    if (!person) return
    const token = createToken()
    const expiresAt = new Date(Date.now() + LINK_MINUTES * MINUTE_MS)
    await tx.insert(passwordReset).values({ userId: person.id, tokenHash: digestToken(token), expiresAt })
    await sendPasswordResetEmail(person, token)
  })
}

export type ResetLinkState = 'valid' | 'link_wrong' | 'link_used' | 'link_expired'

/** Whether a reset link is valid, and if not, the reason. */
export async function findResetLink(token: string): Promise<ResetLinkState> {
  const [reset] = await inSystem((tx) =>
    tx
      .select()
      .from(passwordReset)
      .where(eq(passwordReset.tokenHash, digestToken(token))),
  )
  if (!reset) return 'link_wrong'
  if (reset.usedAt) return 'link_used'
  return reset.expiresAt > new Date() ? 'valid' : 'link_expired'
}

/**
 * Sets a new password by a mailed link, which works once; all sessions and all other links end. The browser becomes a
 * known device, so that attempts of other people do not delay its first sign-in. Refuses with unprocessable
 * (link_wrong, link_used, link_expired).
 */
export async function resetPassword(input: ResetPassword, caller: RequestOrigin): Promise<{ device: string }> {
  await countLimitedAttempt('resetNetwork', caller.address)
  const state = await findResetLink(input.token)
  if (state !== 'valid') throw new Refusal('unprocessable', { fields: { token: [state] } })
  const passwordHash = await hashPassword(input.password)
  const userId = await inSystem(async (tx) => {
    const now = new Date()
    const [usedReset] = await tx
      .update(passwordReset)
      .set({ usedAt: now })
      .where(
        and(
          eq(passwordReset.tokenHash, digestToken(input.token)),
          isNull(passwordReset.usedAt),
          gt(passwordReset.expiresAt, now),
        ),
      )
      .returning({ userId: passwordReset.userId })
    if (!usedReset) throw new Refusal('unprocessable', { fields: { token: ['link_used'] } })
    const { userId } = usedReset
    await tx
      .update(passwordReset)
      .set({ usedAt: now })
      .where(and(eq(passwordReset.userId, userId), isNull(passwordReset.usedAt)))
    // The link confirms the mailbox; a pending sign-up is completed by its own code.
    const hasPendingSignUp = sql`exists (select 1 from ${signUp} where ${signUp.userId} = ${user.id})`
    const [person] = await tx
      .update(user)
      .set({
        passwordHash,
        emailVerifiedAt: sql`case when ${hasPendingSignUp} then ${user.emailVerifiedAt} else coalesce(${user.emailVerifiedAt}, now()) end`,
      })
      .where(eq(user.id, userId))
      .returning({ email: user.email, locale: user.locale })
    await revokeAllSessions(userId)
    if (person) await sendSecurityNotice(person, 'password')
    return userId
  })
  return { device: addKnownDevice(caller.device, userId) }
}

/** Changes the own password; the other devices are signed out. Refuses with unprocessable (password_wrong), too_many. */
export async function changePassword(actor: Actor, input: ChangePassword): Promise<void> {
  requireUnboundSession(actor)
  await requirePassword(actor, input.current, 'current')
  const passwordHash = await hashPassword(input.password)
  await inSystem(async (tx) => {
    await tx.update(user).set({ passwordHash }).where(eq(user.id, actor.userId))
    await revokeOtherSessions(actor)
    await sendSecurityNotice(actor, 'password')
  })
  await clearLimit('passwordAccount', actor.userId)
}

/** Sets the first password of a user whose mailbox was confirmed by a link. Refuses with conflict when there is an account. */
export async function setFirstPassword(
  userId: string,
  person: {
    firstName: string
    lastName: string
    patronymic?: string | null | undefined
    password: string
    phone?: string | null
  },
): Promise<void> {
  const { password, phone, patronymic, ...names } = person
  const passwordHash = await hashPassword(password)
  await inSystem(async (tx) => {
    const updated = await tx
      .update(user)
      .set({
        ...names,
        ...(patronymic ? { patronymic } : {}),
        ...(phone ? { phone } : {}),
        passwordHash,
        emailVerifiedAt: new Date(),
      })
      .where(and(eq(user.id, userId), isNull(user.emailVerifiedAt)))
      .returning({ id: user.id })
    if (updated.length === 0) throw new Refusal('conflict')
    await tx.delete(signUp).where(eq(signUp.userId, userId))
  })
}
