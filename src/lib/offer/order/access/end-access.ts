import type { AuditActor } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { endOrderAccess, findGroupOfOrder } from '#lib/course/access/order/order-grants.ts'
import { endProgramPurchase } from '#lib/mentoring/program/purchase.ts'
import { recordOrderEntry } from '../entries.ts'
import { endsAccess } from '../refund-rules.ts'
import { OfferSnapshot } from '../schema.ts'
import type { RefundAccess } from '../state-schema.ts'
import type { salesOrder } from '../table.ts'
import { cancelEvents } from './event-access.ts'
import { rejoinGroup } from './group-access.ts'

/**
 * Ends the access of a locked order after money was returned, as chosen: not at all, now, or with the period that is paid.
 * Access by other orders and sources stays. A second call does nothing.
 */
export async function endAccessAfterRefund(
  tx: Tx,
  actor: AuditActor,
  order: typeof salesOrder.$inferSelect,
  access: RefundAccess,
): Promise<void> {
  if (endsAccess(access, order.nextDueAt)) {
    const isNow = access === 'endNow'
    const { settings } = parseStored(OfferSnapshot, order.snapshot)
    const groupId = settings.groupId && (await findGroupOfOrder(tx, order.id))
    await endOrderAccess(tx, actor, { orderId: order.id, at: isNow ? null : order.nextDueAt, reason: 'refunded' })
    if (settings.groupId && groupId) await rejoinGroup(tx, order, { offeredGroupId: settings.groupId, groupId })
    if (isNow) {
      await cancelEvents(tx, order, settings.workshopIds)
      await endProgramPurchase(tx, order.id)
    }
  }
  await recordOrderEntry(tx, order, { kind: 'access', text: access, by: actor.membershipId })
}
