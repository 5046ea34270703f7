import { and, asc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type OrderAccessView, readOrderAccess } from '#lib/course/access/order/order-access.ts'
import { isOpenTransfer } from '#lib/payment/bank/transfer.ts'
import { type FiscalReceipt, listReceiptsOf } from '#lib/payment/fiscal/receipts.ts'
import { listPaymentEvents, listPayments, type Payment } from '#lib/payment/payment.ts'
import type { CallbackOutcome, CallbackProblem, PaymentStatus, ProviderName } from '#lib/payment/schema.ts'
import { membership, user } from '#lib/user/table.ts'
import { recordOrderEntry } from './entries.ts'
import type { AddOrderNote, OrderId, ResendEmail } from './order-schema.ts'
import type { OrderRow } from './pay-order.ts'
import { requireOrderManager, requireOrderReader, visibleOrders } from './permission.ts'
import { refundableOf } from './refund.ts'
import { isReplayable } from './resend/replay.ts'
import { isResendable, nextOrderState } from './rules.ts'
import { OfferSnapshot } from './schema.ts'
import type { OrderEntryKind } from './state-schema.ts'
import { orderEntry, salesOrder } from './table.ts'

export interface OrderEntryView {
  id: string
  at: Date
  kind: OrderEntryKind | 'payment' | 'transfer'
  text: string
  /** The member who did it. */
  by: string | null
  /** What a provider has reported, of the kind `payment`. */
  report?: {
    provider: ProviderName
    status: PaymentStatus | null
    /** As the provider names it. */
    providerStatus: string | null
    outcome: CallbackOutcome
    problem: CallbackProblem | null
    /** Staff can have it processed again. */
    canReplay: boolean
  }
}

/** An order with its payments and everything that has happened to it. */
export interface OrderCard {
  order: OrderRow
  snapshot: OfferSnapshot
  payments: Payment[]
  timeline: OrderEntryView[]
  /** The bank transfer that staff can confirm. */
  transfer: Payment | null
  /** What can still be returned. */
  refundable: number
  /** The access that the order has given, as it is now. */
  access: OrderAccessView
  /** Fiscal receipts, oldest first. */
  receipts: FiscalReceipt[]
  /** Emails that staff can send again. */
  resendable: ResendEmail['email'][]
}

/** One order for the team. Refuses with forbidden, not_found (also for the course of another expert). */
export function getOrder(actor: Actor, { orderId }: OrderId): Promise<OrderCard> {
  requireOrderReader(actor)
  return inTenant(actor, async (tx) => {
    const [rows, payments, events, receipts, access, entries] = await Promise.all([
      tx
        .select({ order: salesOrder, studentStatus: membership.status })
        .from(salesOrder)
        .leftJoin(
          membership,
          and(eq(membership.tenantId, salesOrder.tenantId), eq(membership.id, salesOrder.studentId)),
        )
        .where(and(eq(salesOrder.id, orderId), visibleOrders(tx, actor))),
      listPayments(tx, 'order', [orderId]),
      listPaymentEvents(tx, 'order', [orderId]),
      listReceiptsOf(tx, 'order', [orderId]),
      readOrderAccess(tx, orderId, new Date()),
      tx
        .select({ entry: orderEntry, firstName: user.firstName, lastName: user.lastName })
        .from(orderEntry)
        .leftJoin(membership, and(eq(membership.tenantId, orderEntry.tenantId), eq(membership.id, orderEntry.by)))
        .leftJoin(user, eq(user.id, membership.userId))
        .where(eq(orderEntry.orderId, orderId))
        .orderBy(asc(orderEntry.at), asc(orderEntry.id)),
    ])
    const [found] = rows
    const order = found?.order
    if (!order) throw new Refusal('not_found')
    const timeline: OrderEntryView[] = [
      ...entries.map(({ entry: { id, at, kind, text }, firstName, lastName }) => ({
        id,
        at,
        kind,
        text,
        by: fullNameOrNull(firstName, lastName),
      })),
      ...events.map((event) => ({
        id: event.id,
        at: event.at,
        kind: event.source === 'staff' ? ('transfer' as const) : ('payment' as const),
        text: [event.provider, event.status, event.outcome].filter(Boolean).join(' · '),
        by: event.source === 'staff' ? fullNameOrNull(event.firstName, event.lastName) : null,
        report: {
          provider: event.provider,
          status: event.status,
          providerStatus: event.providerStatus,
          outcome: event.outcome,
          problem: event.problem,
          canReplay: isReplayable(event, events),
        },
      })),
    ].toSorted((a, b) => a.at.getTime() - b.at.getTime())
    const resendable: OrderCard['resendable'] = [
      ...(isResendable(order) ? ['confirmation' as const] : []),
      ...(found.studentStatus === 'invited' ? ['invitation' as const] : []),
      ...(receipts.some(({ state }) => state === 'done') ? ['receipt' as const] : []),
    ]
    return {
      order,
      snapshot: parseStored(OfferSnapshot, order.snapshot),
      payments,
      timeline,
      transfer: nextOrderState(order.state, 'payPart') === null ? null : (payments.findLast(isOpenTransfer) ?? null),
      refundable: refundableOf(payments),
      access,
      receipts,
      resendable,
    }
  })
}

const fullNameOrNull = (firstName: string | null, lastName: string | null): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

/** Adds a note to an order. Refuses with forbidden, plan_inactive, not_found. */
export function addOrderNote(actor: Actor, { orderId, text }: AddOrderNote): Promise<void> {
  requireOrderManager(actor)
  return inTenant(actor, async (tx) => {
    const [order] = await tx.select().from(salesOrder).where(eq(salesOrder.id, orderId))
    if (!order) throw new Refusal('not_found')
    await recordOrderEntry(tx, order, { kind: 'note', text, by: actor.membershipId })
  })
}
