import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { InstantKey, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ReceiptKind } from '#lib/payment/fiscal/schema.ts'
import type { Currency } from '#lib/payment/schema.ts'
import type { OfferKind } from '../../schema.ts'
import { createdAtKey, olderThan } from '../list.ts'
import type { ListOwnOrders } from '../order-schema.ts'
import type { OrderState } from '../state-schema.ts'
import { salesOrder } from '../table.ts'

/** A purchase of the signed-in person. Amounts are minor units. */
export interface OwnOrder {
  id: string
  /** The id in the address of the page of the order. */
  publicId: string
  number: number
  state: OrderState
  /** No money was received. */
  isTest: boolean
  course: string
  offer: string
  kind: OfferKind
  isGift: boolean
  amount: number
  paidAmount: number
  refundedAmount: number
  currency: Currency
  createdAt: Date
  /** Pages of the fiscal receipts, oldest first. */
  receipts: { kind: ReceiptKind; url: string }[]
  /** When the next payment is due, of a canceled subscription the end of the paid period. */
  nextDueAt: Date | null
}

/**
 * What the signed-in person has bought in this tenant, newest first, also without an account: orders with the email
 * address of the account, and those for which the person was signed in. Gifts are purchases of their buyer. Refuses with
 * forbidden while viewing as a student.
 */
export function listOwnOrders(
  actor: Actor,
  { cursor, limit }: ListOwnOrders,
): Promise<{ items: OwnOrder[]; next: string | null }> {
  if (actor.impersonation) throw new Refusal('forbidden')
  return inTenant(actor, async (tx) => {
    const isReceived = and(eq(salesOrder.studentId, actor.membershipId), isNull(salesOrder.recipientEmail))
    const rows = await tx
      .select({
        id: salesOrder.id,
        publicId: salesOrder.publicId,
        number: salesOrder.number,
        state: salesOrder.state,
        isTest: salesOrder.isTest,
        course: sql<string>`${salesOrder.snapshot} ->> 'course'`,
        offer: sql<string>`${salesOrder.snapshot} -> 'settings' ->> 'name'`,
        kind: sql<OfferKind>`${salesOrder.snapshot} -> 'settings' ->> 'kind'`,
        isGift: sql<boolean>`${salesOrder.recipientEmail} is not null`,
        amount: salesOrder.amount,
        paidAmount: salesOrder.paidAmount,
        refundedAmount: salesOrder.refundedAmount,
        currency: salesOrder.currency,
        createdAt: salesOrder.createdAt,
        nextDueAt: salesOrder.nextDueAt,
        receipts: sql<OwnOrder['receipts']>`(select coalesce(json_agg(json_build_object('kind', r.kind, 'url', r.url)
          order by r.created_at, r.id), '[]') from payment p join fiscal_receipt r on r.tenant_id = p.tenant_id and r.payment_id = p.id
          where p.tenant_id = sales_order.tenant_id and p.purpose = 'order' and p.purpose_id = sales_order.id and r.url is not null)`,
        at: createdAtKey,
      })
      .from(salesOrder)
      .where(and(or(eq(salesOrder.email, actor.email), isReceived), olderThan(cursor)))
      .orderBy(desc(salesOrder.createdAt), desc(salesOrder.id))
      .limit(limit + 1)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const items = rows.slice(0, limit).map(({ at: _, ...item }) => item)
    return { items, next: last ? writeCursor(InstantKey, last) : null }
  })
}
