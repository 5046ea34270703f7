import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { lockOrder } from '../order/apply-payment.ts'
import { recordOrderEntry } from '../order/entries.ts'
import { salesOrder } from '../order/table.ts'
import { isAddressToken } from './address-token.ts'
import { findMissingStock, readStock, transferReservationEnd } from './reservation.ts'

/**
 * Confirms the address of an unpaid order by the token that was emailed to it, and reserves its seat until the transfer has
 * to arrive, if one is left. A second call changes nothing. Refuses with not_found, also for an order that is paid or closed.
 */
export async function confirmOrderAddress(
  tenantId: string,
  { publicId, token }: { publicId: string; token: string },
  now = new Date(),
): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const [found] = await tx
      .select({
        id: salesOrder.id,
        email: salesOrder.email,
        offerId: salesOrder.offerId,
        couponId: salesOrder.couponId,
      })
      .from(salesOrder)
      .where(eq(salesOrder.publicId, publicId))
    if (!found || !isAddressToken(found, token)) throw new Refusal('not_found')
    const stock = await readStock(tx, found, { isLocked: true })
    const order = await lockOrder(tx, found.id)
    if (order?.state !== 'awaiting_payment' || !order.expiresAt || order.expiresAt <= now)
      throw new Refusal('not_found')
    if (order.addressConfirmedAt) return
    const isHeld = order.reservedUntil !== null && order.reservedUntil > now
    const hasRoom = isHeld || (await findMissingStock(tx, stock, now)) === null
    const end = await transferReservationEnd(tx, stock, { deadline: order.expiresAt, now })
    await tx
      .update(salesOrder)
      .set({ addressConfirmedAt: now, ...(hasRoom && { reservedUntil: end }) })
      .where(eq(salesOrder.id, order.id))
    await recordOrderEntry(tx, order, { kind: 'access', text: 'addressConfirmed' })
  })
}
