import { and, eq, inArray } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { coupon } from '#lib/offer/coupon/table.ts'
import { toOfferSettings } from '#lib/offer/offer-settings.ts'
import { accessEndOf } from '#lib/offer/order/access/access-end.ts'
import type { PlannedPayment } from '#lib/offer/order/schema.ts'
import { orderEntry, orderView, salesOrder } from '#lib/offer/order/table.ts'
import { calculateTotal } from '#lib/offer/price-rules.ts'
import { offer, orderCounter } from '#lib/offer/table.ts'
import { encryptKeys } from '#lib/payment/provider-accounts.ts'
import { payment, paymentCallback, paymentProviderSetting } from '#lib/payment/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { type DemoOrder, ORDERS } from './order-list.ts'
import { plannedFor, toPayments } from './order-payments.ts'

/**
 * Orders of the demo course in all states, with payments by the sandbox and an invoice, and a saved view. The rows are
 * inserted together, since each purchase through the checkout would send emails and invitations.
 */
export async function addOrders(owner: Actor, courseTitle: string): Promise<void> {
  const { tenantId } = owner
  await inTenant(owner, async (tx) => {
    const [offers, [promo], students] = await Promise.all([
      tx.select().from(offer),
      tx.select().from(coupon),
      findStudents(tx),
    ])
    const built = ORDERS.map((demo, index) => {
      const row = offers.find(({ name }) => name === demo.offer)
      if (!row) throw new Error(`the demo school has no offer ${demo.offer}`)
      const { id: offerId, courseId } = row
      const settings = toOfferSettings(row)
      const discount = demo.coupon && promo ? promo : null
      const at = daysFromNow(-demo.daysAgo)
      const total = calculateTotal(settings, { now: at, discount })
      const schedule = plannedFor(demo, total, at)
      const paid = schedule.filter(({ paidAt }) => paidAt !== null)
      const paidAmount = schedule.length > 0 ? sumOf(paid) : demo.payments * total.total
      const email = emailOf(demo)
      const isPaid = demo.payments > 0
      const order = {
        tenantId,
        id: newId(),
        number: index + 1,
        publicId: crypto.randomUUID(),
        offerId,
        courseId,
        state: demo.state,
        snapshot: { course: courseTitle, settings },
        buyerName: demo.name,
        email,
        studentId: isPaid ? (students.get(email) ?? null) : null,
        currency: total.currency,
        listAmount: total.listPrice,
        discountAmount: total.saleDiscount + total.couponDiscount,
        amount: total.total,
        paidAmount,
        refundedAmount: demo.refunded ?? 0,
        schedule,
        couponId: discount?.id ?? null,
        source: demo.source ?? {},
        locale: 'uk' as const,
        consentAt: at,
        createdAt: at,
        expiresAt: isPaid ? null : daysFromNow(demo.state === 'awaiting_payment' ? 5 : 0.02 - demo.daysAgo),
        reservedUntil: demo.state === 'awaiting_payment' ? daysFromNow(5) : null,
        addressConfirmedAt: demo.state === 'awaiting_payment' ? at : null,
        paidAt: isPaid ? at : null,
        nextDueAt: demo.dueInDays === undefined ? null : daysFromNow(demo.dueInDays),
        // The demo sends no reminders.
        remindedAt: at,
      }
      return { demo, order, settings, payments: toPayments(demo, order, settings) }
    })
    await tx.insert(salesOrder).values(built.map(({ order }) => order))
    await tx.insert(orderCounter).values({ tenantId, last: built.length })
    const payments = built.flatMap((item) => item.payments)
    await tx.insert(payment).values(payments)
    await tx.insert(paymentCallback).values(
      payments
        .filter(({ status }) => status !== 'new')
        .map(({ id: paymentId, provider, kind, status, createdAt }) => ({
          tenantId,
          provider,
          source: 'callback' as const,
          body: '',
          headers: {},
          signatureOk: true,
          paymentId,
          status: kind === 'refund' ? ('recurrent refund' as const) : status,
          outcome: 'applied' as const,
          receivedAt: createdAt,
          processedAt: createdAt,
        })),
    )
    await tx.insert(orderEntry).values(built.flatMap(({ demo, order }) => entriesOf(owner, demo, order)))
    await tx.insert(accessGrant).values(
      built.flatMap(({ order, settings }) => {
        const { studentId, courseId, id: sourceId, paidAt, nextDueAt } = order
        if (!studentId || !paidAt || order.state === 'refunded') return []
        const { withReview, withCertificate } = settings
        const endsAt = accessEndOf(settings, { paidAt, nextDueAt, hasGrace: order.state !== 'paused' })
        const access = { withReview, withCertificate, startsAt: paidAt, endsAt, createdAt: paidAt }
        return [{ tenantId, studentId, courseId, sourceType: 'order' as const, sourceId, ...access }]
      }),
    )
    // Buyers are not offered it; its invoice can still be read and confirmed.
    const keys = encryptKeys({ recipient: 'ТОВ «Лекторій»', iban: 'UA213223130000026007233566001', taxId: '12345678' })
    await tx
      .insert(paymentProviderSetting)
      .values({ tenantId, provider: 'bank', keys, isEnabled: false, isTest: true, position: 1 })
    await tx.insert(orderView).values({
      tenantId,
      id: newId(),
      memberId: owner.membershipId,
      name: 'Не завершили оплату',
      query: 'state=expired',
    })
  })
}

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS)
const sumOf = (planned: readonly PlannedPayment[]): number => planned.reduce((sum, { amount }) => sum + amount, 0)
const emailOf = ({ buyer }: DemoOrder): string => (buyer.includes('@') ? buyer : `${buyer}@lektoriy.test`)

/** The students among the buyers, by email address. */
async function findStudents(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: membership.id, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT'), inArray(user.email, ORDERS.map(emailOf))))
  return new Map(rows.map(({ id, email }) => [email, id]))
}

function entriesOf(
  { tenantId, membershipId }: Actor,
  { state, note, payments, refunded, daysAgo }: DemoOrder,
  { id: orderId, createdAt }: { id: string; createdAt: Date },
): (typeof orderEntry.$inferInsert)[] {
  const isInParts = ['active', 'overdue', 'suspended', 'paused', 'completed'].includes(state)
  const states = ['awaiting_payment', ...(payments > 0 ? [isInParts ? 'active' : 'paid'] : []), state]
  const distinct = states.filter((text, index) => text !== states[index - 1])
  // A payment is made at once; what follows is spread over the time since then.
  const later = (index: number) =>
    new Date(createdAt.getTime() + (index <= 1 ? index * MINUTE_MS : (index * daysAgo * DAY_MS) / 8))
  const ofStates = distinct.map((text, index) => ({ kind: 'state' as const, text, at: later(index) }))
  const ofAccess =
    refunded && state === 'refunded'
      ? [{ kind: 'access' as const, text: 'endNow', at: later(2), by: membershipId }]
      : []
  const ofNote = note ? [{ kind: 'note' as const, text: note, at: later(3), by: membershipId }] : []
  return [...ofStates, ...ofAccess, ...ofNote].map((entry) => ({ tenantId, orderId, ...entry }))
}
