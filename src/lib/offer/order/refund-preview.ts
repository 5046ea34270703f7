import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { certificate } from '#lib/certificate/table.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type OrderAccessView, readOrderAccess } from '#lib/course/access/order/order-access.ts'
import { booking, mentorSession } from '#lib/mentoring/booking/table.ts'
import { mentorProgram, programEnrolment, programPurchase } from '#lib/mentoring/program/table.ts'
import { listPayments } from '#lib/payment/payment.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { registration } from '#lib/registration/table.ts'
import { workshop } from '#lib/workshop/table.ts'
import { emailOf, findOwnEvents } from './access/event-access.ts'
import type { PreviewRefund } from './order-schema.ts'
import type { OrderRow } from './pay-order.ts'
import { requireOrderManager } from './permission.ts'
import { refundableOf } from './refund.ts'
import { defaultRefundAccess, refundAccessChoices } from './refund-rules.ts'
import { nextOrderState } from './rules.ts'
import { OfferSnapshot } from './schema.ts'
import type { RefundAccess } from './state-schema.ts'
import { salesOrder } from './table.ts'

/** What a refund would do, before it is sent. Amounts are minor units. */
export interface RefundPreview {
  /** Makes the refund once, however often it is confirmed. */
  refundId: string
  amount: number
  /** What stays paid afterwards. */
  left: number
  currency: Currency
  buyerName: string
  email: string
  /** The person who has got the access, where it is not the buyer. */
  recipient: string | null
  /** Staff return the money themselves. */
  isManual: boolean
  /** What happens to the access unless another choice is made. */
  access: RefundAccess
  choices: RefundAccess[]
  nextDueAt: Date | null
  orderAccess: OrderAccessView
  /** Titles of the events whose registration ends with the access. */
  events: string[]
  /** The program whose sessions end with the access; sessions that are booked stay. `sessions` null: without a limit. */
  mentoring: { program: string; sessions: number | null; bookedCount: number } | null
  /** Numbers of certificates that stay valid. */
  certificates: string[]
  /** Planned payments that are not made when the access ends: charges of a subscription, or the rest of installments. */
  ends: 'subscription' | 'installments' | null
}

/**
 * What the refund of an amount would do to money and access. Refuses with forbidden, plan_inactive, not_found, unprocessable
 * (refund_amount) when less is left.
 */
export async function previewRefund(actor: Actor, input: PreviewRefund, now = new Date()): Promise<RefundPreview> {
  requireOrderManager(actor)
  const { orderId, amount } = input
  return inTenant(actor, async (tx) => {
    const [order] = await tx.select().from(salesOrder).where(eq(salesOrder.id, orderId))
    if (!order) throw new Refusal('not_found')
    const payments = await listPayments(tx, 'order', [orderId])
    const left = refundableOf(payments)
    if (amount > left) throw new Refusal('unprocessable', { fields: { amount: ['refund_amount'] }, data: { left } })
    const { settings } = parseStored(OfferSnapshot, order.snapshot)
    const orderAccess = await readOrderAccess(tx, orderId, now)
    const [events, mentoring, certificates] = await Promise.all([
      listEndedEvents(tx, order, settings.workshopIds),
      findMentoring(tx, orderId, now),
      listCertificates(
        tx,
        order,
        orderAccess.courses.map(({ courseId }) => courseId),
      ),
    ])
    const isPlanned = nextOrderState(order.state, 'cancel') !== null && order.state !== 'awaiting_payment'
    return {
      refundId: newId(),
      amount,
      left: left - amount,
      currency: order.currency,
      buyerName: order.buyerName,
      email: order.email,
      recipient: order.recipientEmail && [order.recipientName, order.recipientEmail].filter(Boolean).join(', '),
      isManual: payments.some(({ provider, status }) => provider === 'bank' && status === 'success'),
      access: defaultRefundAccess(amount, left),
      choices: refundAccessChoices(order),
      nextDueAt: order.nextDueAt,
      orderAccess,
      events,
      mentoring,
      certificates,
      ends: !isPlanned ? null : settings.kind === 'subscription' ? 'subscription' : 'installments',
    }
  })
}

async function listEndedEvents(tx: Tx, order: OrderRow, workshopIds: readonly string[]): Promise<string[]> {
  const own = await findOwnEvents(tx, order, workshopIds)
  if (own.length === 0) return []
  const rows = await tx
    .selectDistinct({ title: workshop.title })
    .from(registration)
    .innerJoin(workshop, and(eq(workshop.tenantId, registration.tenantId), eq(workshop.id, registration.workshopId)))
    .where(
      and(
        inArray(registration.workshopId, own),
        eq(registration.email, emailOf(order)),
        inArray(registration.state, ['confirmed', 'waitlisted']),
      ),
    )
    .orderBy(workshop.title)
  return rows.map(({ title }) => title)
}

async function findMentoring(tx: Tx, orderId: string, now: Date): Promise<RefundPreview['mentoring']> {
  const [row] = await tx
    .select({
      program: mentorProgram.title,
      sessions: programPurchase.sessions,
      bookedCount: tx.$count(
        sql`${booking} join ${mentorSession} on ${mentorSession.tenantId} = ${booking.tenantId} and ${mentorSession.id} = ${booking.sessionId}`,
        and(
          sql`${booking.enrolmentId} = ${programPurchase.enrolmentId}`,
          inArray(booking.state, ['requested', 'confirmed']),
          gt(mentorSession.startAt, now),
        ),
      ),
    })
    .from(programPurchase)
    .innerJoin(
      programEnrolment,
      and(
        eq(programEnrolment.tenantId, programPurchase.tenantId),
        eq(programEnrolment.id, programPurchase.enrolmentId),
      ),
    )
    .innerJoin(
      mentorProgram,
      and(eq(mentorProgram.tenantId, programEnrolment.tenantId), eq(mentorProgram.id, programEnrolment.programId)),
    )
    .where(and(eq(programPurchase.orderId, orderId), isNull(programPurchase.endedAt)))
  return row ?? null
}

async function listCertificates(tx: Tx, { studentId }: OrderRow, courseIds: readonly string[]): Promise<string[]> {
  if (!studentId || courseIds.length === 0) return []
  const rows = await tx
    .select({ number: certificate.number })
    .from(certificate)
    .where(
      and(
        eq(certificate.studentId, studentId),
        inArray(certificate.courseId, [...courseIds]),
        inArray(certificate.state, ['issued', 'produced', 'sent', 'received']),
      ),
    )
    .orderBy(asc(certificate.createdAt))
  return rows.flatMap(({ number }) => number ?? [])
}
