import { eq } from 'drizzle-orm'
import { inSystem, readUntenanted, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { UpdatePersonal } from './schema.ts'
import { user } from './table.ts'

/** The editable personal data of an actor, with the telephone number, which the actor does not have. */
export async function getPersonal(actor: Actor) {
  const [person] = await readUntenanted((tx) =>
    tx
      .select({
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
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
