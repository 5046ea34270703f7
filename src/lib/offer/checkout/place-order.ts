import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { course } from '#lib/course/table.ts'
import { createPayment, listPayments, paymentPath } from '#lib/payment/payment.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { requireStudentPlace, requireUnblockedStudent } from '#lib/student/admission.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { findCoupon } from '../coupon/find-coupon.ts'
import { type OfferRow, toOfferSettings } from '../offer-settings.ts'
import { nextAmountOf, remindBuyer } from '../order/emails.ts'
import { recordOrderEntry } from '../order/entries.ts'
import { takeOrderNumber } from '../order/number.ts'
import { payOrder } from '../order/pay-order.ts'
import { isTrial, PAID_STATES, RESERVATION_MINUTES } from '../order/rules.ts'
import { OfferSnapshot } from '../order/schema.ts'
import { countTakenSeats } from '../order/seats.ts'
import { salesOrder } from '../order/table.ts'
import type { Total } from '../price-rules.ts'
import { salesObstacle } from '../rules.ts'
import { chargePeriodOf } from '../subscription/schedule.ts'
import { offer } from '../table.ts'
import { findUpgradedOrder } from '../upgrade.ts'
import { readCheckoutAnswers } from './answers.ts'
import { throttleOrders } from './limits.ts'
import { plannedPayments, requireShownTotal } from './order-total.ts'
import type { PlaceOrder } from './schema.ts'

/** Who fills in the checkout. */
export interface CheckoutVisitor {
  tenantId: string
  /** Signed in at this tenant, or null. */
  actor: Actor | null
  locale: Locale
  address: string
}

/** Days in which an invoice can be paid by bank transfer. */
const INVOICE_DAYS = 7

type OrderRow = typeof salesOrder.$inferSelect

const OBSTACLES = { not_started: 'offer_not_started', ended: 'offer_ended', sold_out: 'offer_sold_out' } as const

/**
 * Places an order and reserves its seat and coupon; a free one is completed at once. The same form posted again, e.g. in
 * another tab, returns the first order unless it has expired or money of it was returned. `next` is the path to show: the
 * payment, or the page of the order. Refuses with not_found, too_many, invalid (`fields`), unprocessable when the offer
 * cannot be bought (`fields.form`) or the coupon does not apply (`fields.coupon`), and conflict (order_price_changed) when
 * the total is not the one that was shown.
 */
export async function placeOrder(
  visitor: CheckoutVisitor,
  input: PlaceOrder,
  now = new Date(),
): Promise<{ publicId: string; next: string }> {
  const { tenantId, actor, address } = visitor
  await throttleOrders(
    { tenantId, address },
    { email: input.email, giftEmail: input.gift?.email },
    actor?.email === input.email,
  )
  await requireDeliverable(input.email)
  if (input.gift) await requireDeliverable(input.gift.email)
  return inTenant({ tenantId }, async (tx) => {
    // One order of a buyer for an offer at a time, so that a double click is seen.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`order ${input.offerId} ${mailboxOf(input.email)}`}, 0))`,
    )
    const known = await findSameOrder(tx, input, now)
    if (known) return { publicId: known.publicId, next: await continueOrder(tx, known, input) }
    const { row, courseTitle } = await lockOnSale(tx, input.offerId, now)
    const settings = toOfferSettings(row)
    const { answers, fields } = readCheckoutAnswers(settings, input)
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    const upgraded = await findUpgradedOrder(tx, row, { publicId: input.upgrade }, { now, isLocked: true })
    if (upgraded) await requireUnblockedStudent(tx, upgraded.studentId)
    else await requireStudentPlace(tx, tenantId, input.gift?.email ?? input.email)
    const coupon = await requireCoupon(tx, row, input, now)
    const isOwn = actor?.accountType === 'ACCOUNT_TYPE_STUDENT' && actor.email === input.email && !input.gift
    // An upgrade is for the student who has the access already.
    const studentId = upgraded?.studentId ?? (isOwn ? actor.membershipId : null)
    const credit = upgraded?.credit ?? 0
    const total = await requireShownTotal(tx, settings, input, { coupon, studentId, credit, now })
    // Nothing is paid at once, also for a trial.
    const isFree = total.dueNow === 0
    if (!isFree && !input.provider) throw new Refusal('invalid', { fields: { provider: ['order_choose_payment'] } })
    const [order] = await tx
      .insert(salesOrder)
      .values({
        tenantId,
        id: newId(),
        number: await takeOrderNumber(tx, tenantId),
        publicId: crypto.randomUUID(),
        offerId: row.id,
        courseId: row.courseId,
        state: isFree ? 'new' : 'awaiting_payment',
        snapshot: { course: courseTitle, settings },
        buyerName: input.name,
        email: input.email,
        phone: input.phone,
        answers,
        recipientName: input.gift?.name ?? null,
        recipientEmail: input.gift?.email ?? null,
        // Free orders are anonymous: nobody sends own text to strangers by them.
        giftMessage: isFree ? '' : (input.gift?.message ?? ''),
        studentId,
        currency: total.currency,
        listAmount: total.listPrice,
        discountAmount: total.saleDiscount + total.couponDiscount,
        creditAmount: total.credit,
        amount: total.total,
        schedule: plannedPayments(total, now),
        couponId: coupon?.id ?? null,
        upgradesId: upgraded?.id ?? null,
        source: input.source,
        ...(await findSellingButton(tx, input)),
        locale: visitor.locale,
        consentAt: now,
        createdAt: now,
        expiresAt: isFree ? null : reservationEnd(input.provider, now),
      })
      .returning()
    if (!order) throw new Error('an order was not stored')
    await recordOrderEntry(tx, order, { kind: 'state', text: order.state })
    const page = orderPath(order.publicId)
    if (isFree || !input.provider) {
      await payOrder(tx, order, { amount: 0, at: now })
      return { publicId: order.publicId, next: page }
    }
    return { publicId: order.publicId, next: await startPayment(tx, order, input.provider, total) }
  })
}

/** The page of an order for its buyer. */
const orderPath = (publicId: string): string => `/order/${publicId}`

/** The same page after the payment, which waits for the answer of the bank. */
const returnPath = (publicId: string): string => `${orderPath(publicId)}?returned=1`

/** Adds the payment that is due at once and returns the path of its page. */
async function startPayment(
  tx: Tx,
  order: OrderRow,
  provider: ProviderName,
  { dueNow, startsAt }: Pick<Total, 'dueNow'> & { startsAt?: Date | undefined },
): Promise<string> {
  const { subdomain } = await getTenant(order.tenantId)
  const payment = await createPayment(tx, {
    tenantId: order.tenantId,
    purpose: 'order',
    purposeId: order.id,
    provider,
    amount: dueNow,
    currency: order.currency,
    description: `№ ${order.number}`,
    period: chargePeriodOf(parseStored(OfferSnapshot, order.snapshot).settings),
    startsAt,
    returnUrl: addressOf(subdomain, returnPath(order.publicId)),
  })
  if (provider === 'bank') {
    await extendReservation(tx, order)
    await remindBuyer(order, parseStored(OfferSnapshot, order.snapshot), 'invoice', payment.id)
  }
  return paymentPath(payment)
}

// A transfer takes days, also where another method was chosen first.
async function extendReservation(tx: Tx, { id, state, createdAt }: OrderRow): Promise<void> {
  if (state !== 'awaiting_payment') return
  await tx
    .update(salesOrder)
    .set({ expiresAt: reservationEnd('bank', createdAt) })
    .where(eq(salesOrder.id, id))
}

/**
 * The path of the payment of this provider that was started for an amount, or of a new one. `startsAt`: the first charge of a
 * subscription that is not charged at once.
 */
export async function continuePayment(
  tx: Tx,
  order: OrderRow,
  provider: ProviderName,
  dueNow: number,
  startsAt?: Date,
): Promise<string> {
  const started = (await listPayments(tx, 'order', [order.id])).find(
    ({ status, parentId, amount, ...payment }) =>
      status === 'new' &&
      parentId === null &&
      amount === dueNow &&
      payment.provider === provider &&
      payment.startsAt?.getTime() === startsAt?.getTime(),
  )
  return started ? paymentPath(started) : startPayment(tx, order, provider, { dueNow, startsAt })
}

/**
 * An order that this form has placed before: everything that was typed is the same, so that it tells nobody more than they
 * know.
 */
async function findSameOrder(tx: Tx, input: PlaceOrder, now: Date): Promise<OrderRow | null> {
  const rows = await tx
    .select({ order: salesOrder, isRepeatable: isNotNull(offer.mentorProgramId) })
    .from(salesOrder)
    .innerJoin(offer, and(eq(offer.tenantId, salesOrder.tenantId), eq(offer.id, salesOrder.offerId)))
    .where(
      and(
        eq(salesOrder.offerId, input.offerId),
        eq(salesOrder.email, input.email),
        gt(salesOrder.createdAt, new Date(now.getTime() - RESERVATION_MINUTES * MINUTE_MS)),
      ),
    )
    .orderBy(desc(salesOrder.createdAt))
    .limit(5)
  const same = rows.find(
    ({ order, isRepeatable }) =>
      // Paid mentoring sessions can be bought again.
      (order.state === 'awaiting_payment' || (!isRepeatable && PAID_STATES.includes(order.state))) &&
      order.refundedAmount === 0 &&
      order.amount === input.shownTotal &&
      order.buyerName === input.name &&
      order.phone === input.phone &&
      order.recipientEmail === (input.gift?.email ?? null) &&
      (order.amount === 0 || isTrial(order) || order.giftMessage === (input.gift?.message ?? '')),
  )
  return same?.order ?? null
}

async function continueOrder(tx: Tx, order: OrderRow, { provider }: PlaceOrder): Promise<string> {
  const page = orderPath(order.publicId)
  if (order.state !== 'awaiting_payment' || !provider) return page
  const payments = await listPayments(tx, 'order', [order.id])
  // The page of the order shows that the bank is deciding: a second payment would charge the buyer twice.
  if (payments.some(({ status }) => status === 'pending')) return returnPath(order.publicId)
  return continuePayment(tx, order, provider, nextAmountOf(order))
}

/** The offer, locked while one of limited seats is taken. Refuses unless it can be bought now. */
async function lockOnSale(tx: Tx, offerId: string, now: Date): Promise<{ row: OfferRow; courseTitle: string }> {
  const [found] = await tx
    .select({ row: offer, courseTitle: course.title, courseStatus: course.status })
    .from(offer)
    .innerJoin(course, and(eq(course.tenantId, offer.tenantId), eq(course.id, offer.courseId)))
    .where(eq(offer.id, offerId))
    .for('update', { of: offer })
  if (found?.courseStatus !== 'published') throw new Refusal('not_found')
  const takenCount = found.row.seats === null ? 0 : await countTakenSeats(tx, offerId, now)
  const obstacle = salesObstacle(found.row, takenCount, now)
  if (obstacle === 'not_active') throw new Refusal('not_found')
  if (obstacle) throw formRefusal(OBSTACLES[obstacle])
  return found
}

async function requireCoupon(tx: Tx, row: OfferRow, { coupon: typed, email }: PlaceOrder, now: Date) {
  if (typed.trim() === '') return null
  const use = { offerId: row.id, currency: row.currency, email }
  const { coupon, problem } = await findCoupon(tx, typed, use, { now, isLocked: true })
  if (problem) throw new Refusal('unprocessable', { fields: { coupon: [problem] } })
  return coupon
}

/** The button of an event that led here: of a session of this school. */
async function findSellingButton(tx: Tx, { button }: PlaceOrder) {
  if (!button) return null
  const [session] = await tx
    .select({ id: workshopSession.id })
    .from(workshopSession)
    .where(eq(workshopSession.id, button.sessionId))
  return session ? { soldInSessionId: session.id, soldByButtonId: button.buttonId } : null
}

const reservationEnd = (provider: ProviderName | undefined, now: Date): Date =>
  new Date(now.getTime() + (provider === 'bank' ? INVOICE_DAYS * DAY_MS : RESERVATION_MINUTES * MINUTE_MS))
