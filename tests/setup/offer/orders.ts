import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { type CheckoutVisitor, placeOrder } from '#lib/offer/checkout/place-order.ts'
import { PlaceOrder } from '#lib/offer/checkout/schema.ts'
import { changeOfferState, createOffer, getOffer, saveOffer } from '#lib/offer/offer.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import {
  type PaymentConfirmation,
  sendPaymentConfirmation,
} from '#lib/offer/order/confirmation/send-payment-confirmation.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import type { SandboxAnswer } from '#lib/payment/schema.ts'
import { payment } from '#lib/payment/table.ts'
import type { TestTenant } from '../tenants.ts'

type Settings = Partial<Parameters<typeof OfferSettings.parse>[0] & object>

/** An offer on sale: 1,500 UAH once, unless `change` says otherwise. */
export async function createSoldOffer(owner: Actor, courseId: string, change: Settings = {}): Promise<string> {
  const offerId = newId()
  await createOffer(owner, { offerId, courseId, name: 'Базовий', kind: 'once', price: 150_000, currency: 'UAH' })
  const settings = OfferSettings.parse({ name: 'Базовий', kind: 'once', price: 150_000, ...change })
  const { version } = await getOffer(owner, { offerId })
  await saveOffer(owner, { offerId, version, settings })
  await changeOfferState(owner, { offerId, action: 'activate' })
  return offerId
}

let buyers = 0

/** Another email address each time. */
export const newBuyer = (): string => `buyer-${++buyers}@elsewhere.test`

type Placed = Partial<Parameters<typeof PlaceOrder.parse>[0] & object>

/** Places an order by a visitor, paid by the sandbox unless it is free. Returns its row. */
export async function order(
  { tenant }: TestTenant,
  offerId: string,
  input: Placed = {},
  visitor: Partial<CheckoutVisitor> = {},
  now = new Date(),
) {
  const parsed = PlaceOrder.parse({
    offerId,
    name: 'Олена Коваль',
    email: newBuyer(),
    consent: true,
    provider: 'sandbox',
    shownTotal: 150_000,
    ...input,
  })
  const who = { tenantId: tenant.id, actor: null, locale: 'uk' as const, address: '10.8.0.1', ...visitor }
  const { publicId } = await placeOrder(who, parsed, now)
  const placed = await readOrder(tenant.id, publicId)
  if (placed.paidAt) await sendPaymentConfirmations(placed)
  return placed
}

/** Runs the jobs that confirm the payments of an order, as a worker does. */
export async function sendPaymentConfirmations({ id }: { id: string }): Promise<void> {
  const { rows: schema } = await pool.query("select to_regclass('pgboss.job') is not null as installed")
  if (!schema[0].installed) return
  const { rows } = await pool.query<{ data: PaymentConfirmation }>(
    `delete from pgboss.job where name = 'offer.sendPaymentConfirmation' and data ->> 'orderId' = $1 returning data`,
    [id],
  )
  for (const { data } of rows) await sendPaymentConfirmation(data)
}

export async function readOrder(tenantId: string, publicId: string) {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select().from(salesOrder).where(eq(salesOrder.publicId, publicId)),
  )
  if (!row) throw new Error('the order is not there')
  return row
}

/** The bank's answer to the latest payment of an order. */
export async function answerBank(placed: { tenantId: string; id: string; publicId: string }, status: SandboxAnswer) {
  const payments = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  const latest = payments.findLast(({ kind }) => kind !== 'refund')
  if (!latest) throw new Error('the order has no payment')
  await answerSandbox({ order: applyOrderPayment, plan: async () => {} }, referenceOf(latest), status)
  await sendPaymentConfirmations(placed)
  return readOrder(placed.tenantId, placed.publicId)
}

/** Makes all test payments of a school count as money, as those of a real provider. */
export const countAsMoney = ({ tenant }: TestTenant): Promise<void> =>
  inTenant({ tenantId: tenant.id }, async (tx) => {
    await tx.update(payment).set({ isTest: false })
    await tx.update(salesOrder).set({ isTest: false })
  })

/** The grants of a student that are not revoked. */
export const currentGrants = (tenantId: string, studentId: string) =>
  inTenant({ tenantId }, (tx) =>
    tx
      .select()
      .from(accessGrant)
      .where(and(eq(accessGrant.studentId, studentId), isNull(accessGrant.revokedAt))),
  )
