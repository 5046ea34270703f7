import { and, eq, isNull, sql } from 'drizzle-orm'
import { isUniqueViolation } from '#lib/core/db/database-error.ts'
import { inSystem, readUntenanted, type Tx } from '#lib/core/db/db.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { UpdatePersonal } from './schema.ts'
import { revokeSessions } from './session.ts'
import { emailVerification, passwordReset, session, user } from './table.ts'

/** The editable personal data of an actor, including the telephone number, which is not part of the actor. */
export async function getPersonal(actor: Actor) {
  const [person] = await readUntenanted((tx) =>
    tx
      .select({
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        patronymic: user.patronymic,
        phone: user.phone,
        locale: user.locale,
        timeZone: user.timeZone,
      })
      .from(user)
      .where(eq(user.id, actor.userId)),
  )
  if (!person) throw new Error('the user of the actor was not found')
  return person
}

/** Updates the actor's personal data; missing fields are not changed. */
export async function updatePersonal(actor: Actor, input: UpdatePersonal): Promise<void> {
  if (Object.values(input).every((value) => value === undefined)) return
  await inSystem((tx) => tx.update(user).set(input).where(eq(user.id, actor.userId)))
}

/** Updates personal data of a user in the caller's transaction. The caller checks the permission. */
export async function updateUser(tx: Tx, userId: string, input: UpdatePersonal): Promise<void> {
  await tx.update(user).set(input).where(eq(user.id, userId))
}

/** Records the time of a sign-in, in the caller's transaction. */
export async function recordLogin(tx: Tx, userId: string): Promise<void> {
  await tx.update(user).set({ lastLoginAt: new Date() }).where(eq(user.id, userId))
}

/** Whether an account has this email address. */
export async function isEmailTaken(tx: Tx, email: string): Promise<boolean> {
  const [row] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email))
  return row !== undefined
}

/**
 * Changes the email address of an account to a confirmed one, in the caller's transaction: login sessions and links
 * that were sent to the previous address end. The caller checks the permission. Refuses with unprocessable
 * (email_taken).
 */
export async function changeEmail(tx: Tx, userId: string, email: string): Promise<void> {
  const emailTaken = () => formRefusal('email_taken')
  if (await isEmailTaken(tx, email)) throw emailTaken()
  await tx
    .update(user)
    .set({ email })
    .where(eq(user.id, userId))
    .catch((error: unknown) => {
      // Another account was given the address between the two statements.
      throw isUniqueViolation(error) ? emailTaken() : error
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
