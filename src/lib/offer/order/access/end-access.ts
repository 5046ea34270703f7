import type { AuditActor } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { endOrderAccess } from '#lib/course/access/order-grants.ts'
import { endProgramPurchase } from '#lib/mentoring/program/purchase.ts'
import { recordOrderEntry } from '../entries.ts'
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
  if (access === 'endNow' || (access === 'endAtPeriod' && order.nextDueAt !== null)) {
    const isNow = access === 'endNow'
    await endOrderAccess(tx, actor, { orderId: order.id, at: isNow ? null : order.nextDueAt, reason: 'refunded' })
    const { settings } = parseStored(OfferSnapshot, order.snapshot)
    if (settings.groupId) await rejoinGroup(tx, order, settings.groupId)
    if (isNow) {
      await cancelEvents(tx, order, settings.workshopIds)
      await endProgramPurchase(tx, order.id)
    }
  }
  await recordOrderEntry(tx, order, { kind: 'access', text: access, by: actor.membershipId })
}
