import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inSystem, type Tx } from '#lib/core/db/db.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import { membership, session, user } from './table.ts'

/**
 * Blocks members of the transaction's tenant, or admits them again with null, from their next request on. Returns the ids
 * of those that changed. The caller checks the permission and the limits of the plan.
 */
export async function setMembersBlocked(
  tx: Tx,
  memberIds: readonly string[],
  blockedAt: Date | null,
): Promise<string[]> {
  if (memberIds.length === 0) return []
  const isOther = blockedAt ? isNull(membership.blockedAt) : isNotNull(membership.blockedAt)
  const changed = await tx
    .update(membership)
    .set({ blockedAt })
    .where(and(inArray(membership.id, [...memberIds]), isOther))
    .returning({ id: membership.id, userId: membership.userId })
  if (blockedAt) for (const { userId } of changed) await endStreamsOfUser(userId)
  return changed.map(({ id }) => id)
}

/**
 * Removes what identifies a person whose only membership was deleted: name, email address, phone, password, login
 * sessions. A member of another school keeps the account. Returns whether it was removed.
 */
export function anonymizeUser(userId: string, membershipId: string): Promise<boolean> {
  return inSystem(async (tx) => {
    // Shows the memberships of this person in every school.
    await tx.execute(sql`select set_config('app.user_id', ${userId}, true)`)
    const { rows } = await tx.execute(
      sql`select 1 from membership where user_id = ${userId} and id <> ${membershipId} limit 1`,
    )
    await tx.execute(sql`select set_config('app.user_id', '', true)`)
    if (rows.length > 0) return false
    const nothing = {
      firstName: '',
      lastName: '',
      phone: null,
      passwordHash: null,
      totpSecret: null,
      totpEnabledAt: null,
    }
    await tx
      .update(user)
      .set({ ...nothing, email: `${userId}@deleted.invalid`, emailVerifiedAt: null })
      .where(sql`${user.id} = ${userId}`)
    await tx.delete(session).where(sql`${session.userId} = ${userId}`)
    return true
  })
}
