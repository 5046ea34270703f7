import { and, desc, eq, gt, isNotNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { isTestBuyer, mayMakeTestPayments } from '#lib/payment/methods.ts'
import { requireStudentPlace, requireUnblockedStudent } from '#lib/student/admission.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { findCoupon } from '../coupon/find-coupon.ts'
import { type OfferRow, toOfferSettings } from '../offer-settings.ts'
import { recordOrderEntry } from '../order/entries.ts'
import { takeOrderNumber } from '../order/number.ts'
import { payOrder } from '../order/pay-order.ts'
import { isTrial, PAID_STATES, RESERVATION_MINUTES } from '../order/rules.ts'
import { salesOrder } from '../order/table.ts'
import { offer } from '../table.ts'
import { findUpgradedOrder } from '../upgrade.ts'
import { readCheckoutAnswers } from './answers.ts'
import { countCouponGuess, throttleOrders } from './limits.ts'
import { lockOnSale } from './on-sale.ts'
import { plannedPayments, requireShownTotal } from './order-total.ts'
import { isStudentLimit, recordRefusedSale } from './refused-sale.ts'
import { networkKeyOf, paymentDeadline, requireReservationRoom, shortReservationEnd } from './reservation.ts'
import type { PlaceOrder } from './schema.ts'
import { continueOrder, returnPath, startOrderPayment } from './start-payment.ts'

/** Who fills in the checkout. */
export interface CheckoutVisitor {
  tenantId: string
  /** Signed in at this tenant, or null. */
  actor: Actor | null
  locale: Locale
  address: string
}

type OrderRow = typeof salesOrder.$inferSelect

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
  const mayTest = mayMakeTestPayments(actor, tenantId)
  const isVerified = actor?.email === input.email
  const networkKey = networkKeyOf(address)
  await throttleOrders({ tenantId, address }, { email: input.email, giftEmail: input.gift?.email }, isVerified)
  await requireDeliverable(input.email)
  if (input.gift) await requireDeliverable(input.gift.email)
  const uncount = input.coupon.trim() === '' ? null : await countCouponGuess(tenantId, address, input.coupon)
  const placed = inTenant({ tenantId }, async (tx) => {
    // One order of a buyer for an offer at a time, so that a double click is seen.
    await lockUntilCommit(tx, 'order', `${input.offerId} ${mailboxOf(input.email)}`)
    const known = await findSameOrder(tx, input, now)
    if (known) return { publicId: known.publicId, next: await continueOrder(tx, known, input, { mayTest, now }) }
    const { row, courseTitle } = await lockOnSale(tx, input.offerId, { now, isTestBuyer: isTestBuyer(actor, tenantId) })
    const settings = toOfferSettings(row)
    const { answers, fields } = readCheckoutAnswers(settings, input)
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    const upgraded = await findUpgradedOrder(tx, row, { publicId: input.upgrade }, { now, isLocked: true, mayTest })
    if (upgraded) await requireUnblockedStudent(tx, upgraded.studentId)
    const coupon = await requireCoupon(tx, row, input, now)
    const isOwn = actor?.accountType === 'ACCOUNT_TYPE_STUDENT' && actor.email === input.email && !input.gift
    // An upgrade is for the student who has the access already.
    const studentId = upgraded?.studentId ?? (isOwn ? actor.membershipId : null)
    const credit = upgraded?.credit ?? 0
    const total = await requireShownTotal(tx, settings, input, { coupon, studentId, credit, now })
    // Nothing is paid at once, also for a trial.
    const isFree = total.dueNow === 0
    if (!upgraded) await requireStudentPlace(tx, tenantId, { email: input.gift?.email ?? input.email, pays: !isFree })
    // A draft can be bought by a test payment only.
    if (row.state === 'draft' && isFree) throw new Refusal('not_found')
    if (!isFree && !input.provider) throw new Refusal('invalid', { fields: { provider: ['order_choose_payment'] } })
    if (!isFree) {
      const stock = {
        offerId: row.id,
        seats: row.seats,
        couponId: coupon?.id ?? null,
        couponUses: coupon?.maxTotal ?? null,
      }
      await requireReservationRoom(tx, stock, { email: input.email, networkKey: isVerified ? null : networkKey, now })
    }
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
        isTest: upgraded?.isTest ?? false,
        schedule: plannedPayments(total, now),
        couponId: coupon?.id ?? null,
        upgradesId: upgraded?.id ?? null,
        source: input.source,
        ...(await findSellingButton(tx, input)),
        locale: visitor.locale,
        consentAt: now,
        createdAt: now,
        addressConfirmedAt: isVerified ? now : null,
        ...(isFree
          ? {}
          : { expiresAt: paymentDeadline(input.provider, now), reservedUntil: shortReservationEnd(now), networkKey }),
      })
      .returning()
    if (!order) throw new Error('an order was not stored')
    await recordOrderEntry(tx, order, { kind: 'state', text: order.state })
    if (isFree || !input.provider) {
      await payOrder(tx, order, { amount: 0, at: now })
      return { publicId: order.publicId, next: returnPath(order.publicId) }
    }
    return {
      publicId: order.publicId,
      next: await startOrderPayment(tx, order, input.provider, { ...total, mayTest, now }),
    }
  })
  const order = await placed.catch(async (error: unknown) => {
    if (!isStudentLimit(error)) throw error
    await recordRefusedSale(tenantId, input)
    throw formRefusal('order_not_now')
  })
  await uncount?.()
  return order
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
