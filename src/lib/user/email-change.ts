import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { revokeSessions } from './session.ts'
import { emailVerification, passwordReset, session, user } from './table.ts'

/** Whether an account has this email address. */
export async function isEmailTaken(tx: Tx, email: string): Promise<boolean> {
  const [row] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email))
  return row !== undefined
}

/**
 * Gives an account another email address, whose mailbox was confirmed, in the caller's transaction: login sessions and
 * links that were sent to the previous address end. The caller checks the permission. Refuses with unprocessable
 * (email_taken).
 */
export async function changeEmail(tx: Tx, userId: string, email: string): Promise<void> {
  const taken = () => new Refusal('unprocessable', { fields: { form: ['email_taken'] } })
  if (await isEmailTaken(tx, email)) throw taken()
  await tx
    .update(user)
    .set({ email })
    .where(eq(user.id, userId))
    .catch((error: unknown) => {
      // Another account took the address between the two statements.
      throw isUniqueViolation(error) ? taken() : error
    })
  const now = new Date()
  await tx
    .update(passwordReset)
    .set({ usedAt: now })
    .where(and(eq(passwordReset.userId, userId), isNull(passwordReset.usedAt)))
  await tx
    .update(emailVerification)
    .set({ expiresAt: sql`least(${emailVerification.expiresAt}, now())` })
    .where(and(eq(emailVerification.userId, userId), isNull(emailVerification.usedAt)))
  await revokeSessions(tx, eq(session.userId, userId))
}

function isUniqueViolation(error: unknown): boolean {
  const { cause = error } = error as { cause?: unknown }
  return (cause as { code?: unknown }).code === '23505'
}
