import { newId } from '#lib/core/db/id.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { plannedPayments } from '#lib/offer/checkout/order-total.ts'
import type { PlannedPayment } from '#lib/offer/order/schema.ts'
import type { Total } from '#lib/offer/price-rules.ts'
import type { OfferSettings } from '#lib/offer/schema.ts'
import type { payment } from '#lib/payment/table.ts'
import type { DemoOrder } from './order-list.ts'

type PaymentRow = typeof payment.$inferInsert &
  Required<Pick<typeof payment.$inferInsert, 'id' | 'status' | 'createdAt'>>

interface PaidOrder {
  tenantId: string
  id: string
  number: number
  currency: PaymentRow['currency']
  amount: number
  schedule: PlannedPayment[]
  createdAt: Date
}

/** The schedule of an order: the payments that were made, a month after each other, and the next one. */
export function plannedFor(demo: DemoOrder, total: Total, at: Date): PlannedPayment[] {
  const planned = plannedPayments(total, at)
  const [first] = planned
  if (!first) return []
  const count = demo.offer === 'Клуб випускників' ? demo.payments + 1 : planned.length
  return Array.from({ length: count }, (_, index) => {
    const isPaid = index < demo.payments
    const dueAt = isPaid ? at.getTime() + index * 30 * DAY_MS : Date.now() + dueInDays(demo, index) * DAY_MS
    const { amount } = planned[index] ?? first
    const due = new Date(dueAt).toISOString()
    return { amount, dueAt: due, paidAt: isPaid ? due : null }
  })
}

const dueInDays = ({ dueInDays = 0, payments }: DemoOrder, index: number): number => dueInDays + (index - payments) * 30

/** The payments of an order with their charges and refunds. */
export function toPayments(demo: DemoOrder, order: PaidOrder, { kind, period }: OfferSettings): PaymentRow[] {
  const { tenantId, id: purposeId, currency, number, createdAt, schedule } = order
  const shared = {
    tenantId,
    purpose: 'order' as const,
    purposeId,
    provider: demo.invoice ? ('bank' as const) : ('sandbox' as const),
    currency,
    description: `№ ${number}`,
    returnUrl: 'http://demo.kafedra.localhost/orders',
    // As in a school that receives money.
    isTest: false,
    cardMask: demo.invoice ? null : '•••• 0000',
  }
  const row = (values: Pick<PaymentRow, 'kind' | 'status' | 'amount'> & Partial<PaymentRow>, at: Date): PaymentRow => {
    const isPaid = values.status === 'success' || values.status === 'subscribed'
    return { ...shared, id: newId(), createdAt: at, changedAt: at, paidAt: isPaid ? at : null, ...values }
  }
  if (demo.invoice) return [row({ kind: 'once', status: 'new', amount: order.amount }, createdAt)]
  if (demo.payments === 0) {
    const status = demo.refused ? 'error' : 'canceled'
    return [
      row(
        { kind: 'once', status, amount: order.amount, failure: demo.refused ? 'Недостатньо коштів' : null },
        createdAt,
      ),
    ]
  }
  const made =
    schedule.length > 0 ? schedule.slice(0, demo.payments) : [{ amount: order.amount, dueAt: createdAt.toISOString() }]
  const parent =
    kind === 'subscription'
      ? row(
          { kind: 'recurrent', status: 'subscribed', amount: order.amount, periodUnit: period, periodCount: 1 },
          createdAt,
        )
      : null
  const charges = made.map(({ amount, dueAt }) =>
    row(
      { kind: parent ? 'recurrent' : 'once', status: 'success', amount, parentId: parent?.id ?? null },
      new Date(dueAt),
    ),
  )
  const [first] = charges
  const refund =
    demo.refunded && first
      ? [
          row(
            { kind: 'refund', status: 'success', amount: demo.refunded, parentId: first.id },
            new Date(createdAt.getTime() + 2 * DAY_MS),
          ),
        ]
      : []
  return [...(parent ? [parent] : []), ...charges, ...refund]
}
