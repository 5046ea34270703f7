import { and, arrayOverlaps, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { membership } from '#lib/user/table.ts'
import type { NewNotification } from './new-notification.ts'
import { notify } from './notify.ts'

/** Notifies the owner and the directors of the school, and further members, in the transaction of the cause. */
export async function notifyManagers(
  tx: Tx,
  { memberIds = [], ...added }: Omit<NewNotification, 'memberIds'> & { memberIds?: readonly string[] },
): Promise<void> {
  const managers = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(
      and(
        eq(membership.tenantId, sql`current_tenant()`),
        arrayOverlaps(membership.roles, ['OWNER', 'DIRECTOR']),
        isNull(membership.blockedAt),
      ),
    )
  await notify(tx, { ...added, memberIds: [...managers.map(({ id }) => id), ...memberIds] })
}
