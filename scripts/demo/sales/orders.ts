import { eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { plannedPayments } from '#lib/offer/checkout/order-total.ts'
import { getOffer } from '#lib/offer/offer.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { addOrderNote } from '#lib/offer/order/card.ts'
import { recordOrderEntry } from '#lib/offer/order/entries.ts'
import { takeOrderNumber } from '#lib/offer/order/number.ts'
import { payOrder } from '#lib/offer/order/pay-order.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { saveOrderView } from '#lib/offer/order/views/views.ts'
import { calculateTotal } from '#lib/offer/price-rules.ts'
import { chargePeriodOf } from '#lib/offer/subscription/schedule.ts'
import { createPayment, type Payment } from '#lib/payment/payment.ts'
import { payment, paymentCallback } from '#lib/payment/table.ts'

interface DemoOrder {
  name: string
  /** The part of the address before `@lektoriy.test`. */
  buyer: string
  offer: string
  daysAgo: number
  outcome: 'paid' | 'refused' | 'expired' | 'refunded'
  source?: Record<string, string>
  note?: string
}

const ORDERS: readonly DemoOrder[] = [
  {
    name: 'Галина Петренко',
    buyer: 'halyna.petrenko',
    offer: 'Самостійно',
    daysAgo: 96,
    outcome: 'paid',
    source: { utm_source: 'instagram', utm_campaign: 'summer' },
  },
  {
    name: 'Богдан Марченко',
    buyer: 'bohdan.marchenko',
    offer: 'Самостійно',
    daysAgo: 64,
    outcome: 'refunded',
    source: { utm_source: 'instagram' },
    note: 'Передумав після першого уроку, просив повернути кошти.',
  },
  {
    name: 'Андрій Коваленко',
    buyer: 'andrii.kovalenko',
    offer: 'Самостійно',
    daysAgo: 41,
    outcome: 'paid',
    source: { utm_source: 'newsletter' },
    note: 'Оплатила компанія, акт надіслано.',
  },
  { name: 'Роман Яценко', buyer: 'roman.yatsenko', offer: 'Частинами', daysAgo: 20, outcome: 'paid' },
  {
    name: 'Катерина Мороз',
    buyer: 'kateryna.moroz',
    offer: 'Клуб випускників',
    daysAgo: 12,
    outcome: 'paid',
    source: { utm_source: 'telegram' },
  },
  {
    name: 'Зоряна Кузь',
    buyer: 'zoriana.kuz',
    offer: 'Самостійно',
    daysAgo: 3,
    outcome: 'expired',
    source: { utm_source: 'google' },
  },
  { name: 'Микола Данилюк', buyer: 'mykola.danyliuk', offer: 'Самостійно', daysAgo: 1, outcome: 'refused' },
]

/** Orders of the demo course in the states that a school sees every day, paid by the sandbox, and a saved view. */
export async function addOrders(owner: Actor, offerIds: ReadonlyMap<string, string>): Promise<void> {
  for (const demo of ORDERS) await addOrder(owner, demo, offerIds.get(demo.offer) ?? '')
  await saveOrderView(owner, { name: 'Не завершили оплату', query: 'state=expired' })
}

async function addOrder(owner: Actor, demo: DemoOrder, offerId: string): Promise<void> {
  const { settings, courseId, courseTitle } = await getOffer(owner, { offerId })
  const at = new Date(Date.now() - demo.daysAgo * DAY_MS)
  const total = calculateTotal(settings, { now: at })
  const { tenantId } = owner
  const orderId = newId()
  await inTenant(owner, async (tx) => {
    const [order] = await tx
      .insert(salesOrder)
      .values({
        tenantId,
        id: orderId,
        number: await takeOrderNumber(tx, tenantId),
        publicId: crypto.randomUUID(),
        offerId,
        courseId,
        state: demo.outcome === 'expired' ? 'expired' : 'awaiting_payment',
        snapshot: { course: courseTitle, settings },
        buyerName: demo.name,
        email: `${demo.buyer}@lektoriy.test`,
        currency: total.currency,
        listAmount: total.listPrice,
        discountAmount: total.saleDiscount,
        amount: total.total,
        schedule: plannedPayments(total, at),
        source: demo.source ?? {},
        locale: 'uk',
        consentAt: at,
        createdAt: at,
        expiresAt: new Date(at.getTime() + DAY_MS),
        // The demo sends no reminders.
        remindedAt: at,
      })
      .returning()
    if (!order) throw new Error('an order was not stored')
    await recordOrderEntry(tx, order, { kind: 'state', text: 'awaiting_payment' })
    if (demo.outcome === 'expired') await recordOrderEntry(tx, order, { kind: 'state', text: 'expired' })
    else await answerBank(tx, order, demo, { amount: total.dueNow, period: chargePeriodOf(settings), at })
    await tx.execute(sql`update order_entry set at = ${at.toISOString()}::timestamptz where order_id = ${orderId}`)
  })
  if (demo.note) await addOrderNote(owner, { orderId, text: demo.note })
}

type OrderRow = typeof salesOrder.$inferSelect

interface Charge {
  amount: number
  period: ReturnType<typeof chargePeriodOf>
  at: Date
}

/** The payment of an order with the answer of the bank at that time. */
async function answerBank(tx: Tx, order: OrderRow, { outcome }: DemoOrder, charge: Charge): Promise<void> {
  const { amount, period, at } = charge
  const { tenantId, id: purposeId, currency, number } = order
  const created = await createPayment(tx, {
    tenantId,
    purpose: 'order',
    purposeId,
    provider: 'sandbox',
    amount,
    currency,
    description: `№ ${number}`,
    period,
    returnUrl: 'http://demo.kafedra.localhost/order',
  })
  const isPaid = outcome !== 'refused'
  const status = !isPaid ? 'error' : period ? 'subscribed' : 'success'
  const paid = { ...created, status, createdAt: at, changedAt: at, paidAt: isPaid ? at : null } as const
  await tx
    .update(payment)
    .set({ ...paid, failure: isPaid ? null : 'Недостатньо коштів', cardMask: '•••• 0000' })
    .where(eq(payment.id, created.id))
  await report(tx, paid)
  if (!isPaid) {
    // The buyer can still pay.
    await tx
      .update(salesOrder)
      .set({ expiresAt: new Date(Date.now() + DAY_MS) })
      .where(eq(salesOrder.id, order.id))
    return
  }
  if (period) await addChild(tx, paid, 'recurrent')
  await payOrder(tx, order, { amount, at })
  if (outcome === 'refunded') {
    const refund = await addChild(tx, paid, 'refund')
    await applyOrderPayment(tx, { payment: refund, previousStatus: 'new' })
  }
}

async function addChild(tx: Tx, parent: Payment, kind: 'recurrent' | 'refund'): Promise<Payment> {
  const { id: parentId, periodUnit: _, periodCount: __, ...values } = parent
  const [child] = await tx
    .insert(payment)
    .values({ ...values, id: newId(), parentId, kind, status: 'success' })
    .returning()
  if (!child) throw new Error('a payment was not stored')
  await report(tx, child)
  return child
}

async function report(tx: Tx, { tenantId, id: paymentId, provider, status, createdAt }: Payment): Promise<void> {
  const outcome = { outcome: 'applied', signatureOk: true, processedAt: createdAt } as const
  await tx.insert(paymentCallback).values({
    tenantId,
    provider,
    source: 'callback',
    body: '',
    headers: {},
    paymentId,
    status,
    receivedAt: createdAt,
    ...outcome,
  })
}
