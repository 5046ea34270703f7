import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { membership, user } from '#lib/user/table.ts'
import { listPaymentMethods, listPlanMethods } from './methods.ts'
import type { ProviderPayment } from './provider.ts'
import { referenceOf } from './reference.ts'
import { isOpenStatus } from './rules.ts'
import type { Currency, PaymentPeriod, PaymentPurpose, PaymentStatus, ProviderName } from './schema.ts'
import { payment, paymentCallback } from './table.ts'

export type Payment = typeof payment.$inferSelect

/** A payment after its status changed. */
export interface PaymentChange {
  payment: Payment
  previousStatus: PaymentStatus
}

/**
 * The effects of the payments of a purpose, e.g. access. It runs in the transaction that changes the status, once for
 * each change of a payment, charge or refund; the payment is locked, so an order is locked after it, never before.
 */
export type ApplyPayment = (tx: Tx, change: PaymentChange) => Promise<void>

/** The module that applies the payments of each purpose. */
export type PaymentPurposes = Readonly<Record<PaymentPurpose, ApplyPayment>>

export interface NewPayment {
  tenantId: string
  purpose: PaymentPurpose
  purposeId: string
  provider: ProviderName
  /** Minor units. */
  amount: number
  currency: Currency
  /** Description shown to the buyer on the page of the provider. */
  description: string
  /** Address of the page to which the buyer returns, on a host of the installation. */
  returnUrl: string
  /** Makes it a subscription, charged this often. */
  period?: PaymentPeriod | undefined
  /** The first charge of a subscription whose provider keeps the schedule; absent: at once. */
  startsAt?: Date | undefined
  /** The visitor may make test payments. */
  mayTest?: boolean | undefined
}

const CARD_TOKEN = 'payment-card-token'
const MAX_DESCRIPTION = 250

/**
 * Adds a payment with the status `new` in the surrounding transaction. The next page of the buyer is `paymentPath`.
 * Refuses with unprocessable (payment_provider) when the provider cannot receive this payment.
 */
export async function createPayment(tx: Tx, input: NewPayment): Promise<Payment> {
  const { period, mayTest, ...values } = input
  const filter = { currency: input.currency, period, mayTest }
  const methods = input.purpose === 'plan' ? listPlanMethods(filter) : await listPaymentMethods(tx, filter)
  const method = methods.find(({ provider }) => provider === input.provider)
  if (!method) throw new Refusal('unprocessable', { fields: { provider: ['payment_provider'] } })
  const [row] = await tx
    .insert(payment)
    .values({
      ...values,
      description: input.description.slice(0, MAX_DESCRIPTION),
      kind: period ? 'recurrent' : 'once',
      isTest: method.isTest,
      periodUnit: period?.unit ?? null,
      periodCount: period?.count ?? null,
    })
    .returning()
  if (!row) throw new Error('the payment was not stored')
  return row
}

/** The page on every host that redirects the buyer to the provider; it works without JavaScript. */
export const paymentPath = (row: Pick<Payment, 'tenantId' | 'id'>): string => `/payment/${referenceOf(row)}`

/** All payments of these orders or plans with their charges and refunds, oldest first. */
export function listPayments(tx: Tx, purpose: PaymentPurpose, purposeIds: readonly string[]): Promise<Payment[]> {
  if (purposeIds.length === 0) return Promise.resolve([])
  return tx
    .select()
    .from(payment)
    .where(and(eq(payment.purpose, purpose), inArray(payment.purposeId, [...purposeIds])))
    .orderBy(asc(payment.createdAt), asc(payment.id))
}

/** Reports of providers about the payments of these orders or plans, oldest first. */
export function listPaymentEvents(tx: Tx, purpose: PaymentPurpose, purposeIds: readonly string[]) {
  if (purposeIds.length === 0) return Promise.resolve([])
  return tx
    .select({
      id: paymentCallback.id,
      at: paymentCallback.receivedAt,
      paymentId: payment.id,
      purposeId: payment.purposeId,
      provider: paymentCallback.provider,
      source: paymentCallback.source,
      status: paymentCallback.status,
      providerStatus: paymentCallback.providerStatus,
      outcome: paymentCallback.outcome,
      problem: paymentCallback.problem,
      firstName: user.firstName,
      lastName: user.lastName,
    })
    .from(paymentCallback)
    .innerJoin(payment, and(eq(payment.tenantId, paymentCallback.tenantId), eq(payment.id, paymentCallback.paymentId)))
    .leftJoin(membership, and(eq(membership.tenantId, payment.tenantId), eq(membership.id, payment.by)))
    .leftJoin(user, eq(user.id, membership.userId))
    .where(and(eq(payment.purpose, purpose), inArray(payment.purposeId, [...purposeIds])))
    .orderBy(asc(paymentCallback.receivedAt), asc(paymentCallback.id))
}

/**
 * Cancels a payment that the provider has not decided, e.g. of an order that has expired. Money that arrives later is
 * applied nevertheless. Returns whether it was canceled.
 */
export async function cancelPayment(tx: Tx, paymentId: string): Promise<boolean> {
  const row = await lockPayment(tx, paymentId)
  if (!row || !isOpenStatus(row.status)) return false
  await tx.update(payment).set({ status: 'canceled', changedAt: sql`now()` }).where(eq(payment.id, paymentId))
  return true
}

/** The payment with this id, locked until the end of the transaction, or null. */
export async function lockPayment(tx: Tx, paymentId: string): Promise<Payment | null> {
  const [row] = await tx.select().from(payment).where(eq(payment.id, paymentId)).for('update')
  return row ?? null
}

/**
 * Locks the payments of these orders or plans in the order of their ids, before anything else of the order or plan is
 * locked: a callback locks its payment first. Returns their ids.
 */
export async function lockPayments(tx: Tx, purpose: PaymentPurpose, purposeIds: readonly string[]): Promise<string[]> {
  if (purposeIds.length === 0) return []
  const rows = await tx
    .select({ id: payment.id })
    .from(payment)
    .where(and(eq(payment.purpose, purpose), inArray(payment.purposeId, [...purposeIds])))
    .orderBy(asc(payment.id))
    .for('update')
  return rows.map(({ id }) => id)
}

/** The payment with this id. Refuses with not_found. */
export async function getPayment(tenantId: string, paymentId: string): Promise<Payment> {
  const [row] = await inTenant({ tenantId }, (tx) => tx.select().from(payment).where(eq(payment.id, paymentId)))
  if (!row) throw new Refusal('not_found')
  return row
}

/** A payment in the terms of the providers. */
export function toProviderPayment(row: Payment): ProviderPayment {
  const { tenantId, kind, status, amount, currency, description, providerRef, createdAt, periodUnit, periodCount } = row
  const { startsAt } = row
  // A charge that the product did not request is identified at the provider by its subscription.
  const isByProvider = kind === 'recurrent' && row.parentId !== null && row.onceKey === null
  return {
    reference: referenceOf(isByProvider && row.parentId ? { tenantId, id: row.parentId } : row),
    kind,
    status,
    amount,
    currency,
    description,
    providerRef,
    createdAt,
    startsAt,
    cardToken: row.cardToken ? decrypt(CARD_TOKEN, row.cardToken) : null,
    period: periodUnit && periodCount ? { unit: periodUnit, count: periodCount } : null,
  }
}

/** A saved card as it is stored. */
export const encryptCardToken = (token: string): string => encrypt(CARD_TOKEN, token)
