import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { joinGroupOfOrder } from '#lib/course/access/order/order-grants.ts'
import { recordOrderEntry } from '../entries.ts'
import { isPaidAccess } from '../seats.ts'
import { orderEntry, salesOrder } from '../table.ts'

type OrderRow = typeof salesOrder.$inferSelect

/**
 * Adds the student of an order to its study group. A group that takes nobody any more is noted as a problem once: the order
 * gives the access in any case, and staff choose another group.
 */
export async function joinGroup(
  tx: Tx,
  order: OrderRow,
  { groupId, studentId }: { groupId: string; studentId: string },
): Promise<void> {
  const hasJoined = await joinGroupOfOrder(tx, { orderId: order.id, studentId, groupId })
  if (hasJoined) return
  const problem = { kind: 'problem', text: 'notInGroup' } as const
  const [noted] = await tx
    .select({ id: orderEntry.id })
    .from(orderEntry)
    .where(and(eq(orderEntry.orderId, order.id), eq(orderEntry.kind, problem.kind), eq(orderEntry.text, problem.text)))
  if (!noted) await recordOrderEntry(tx, order, problem)
}

/**
 * Keeps a student in the group of an ended order when the offer of another paid order of the student has the same group.
 * `groupId`: the group of the offer, or the one to which staff have moved the student.
 */
export async function rejoinGroup(
  tx: Tx,
  order: OrderRow,
  { offeredGroupId, groupId }: { offeredGroupId: string; groupId: string },
): Promise<void> {
  if (!order.studentId) return
  const others = await tx
    .select({ id: salesOrder.id })
    .from(salesOrder)
    .where(
      and(
        ne(salesOrder.id, order.id),
        eq(salesOrder.studentId, order.studentId),
        isPaidAccess(),
        sql`${salesOrder.snapshot} #>> '{settings,groupId}' = ${offeredGroupId}`,
      ),
    )
    .orderBy(desc(salesOrder.createdAt))
    .limit(MAX_ORDERS)
  for (const { id } of others) await joinGroupOfOrder(tx, { orderId: id, studentId: order.studentId, groupId })
}

/** Orders of one student for the same group that are considered. */
const MAX_ORDERS = 20
