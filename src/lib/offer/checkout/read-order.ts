import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { readOrderAccess } from '#lib/course/access/order/order-access.ts'
import { type BankDetails, findBankDetails } from '#lib/payment/bank/transfer.ts'
import { listReceiptsOf } from '#lib/payment/fiscal/receipts.ts'
import type { ReceiptKind } from '#lib/payment/fiscal/schema.ts'
import { listPaymentMethods, mayMakeTestPayments, type PaymentMethod } from '#lib/payment/methods.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { requireUnblockedStudent } from '#lib/student/admission.ts'
import { type AccessSummary, summarizeAccess } from '../order/access/access-summary.ts'
import { lockOrder } from '../order/apply-payment.ts'
import { nextAmountOf, restAmountOf } from '../order/emails.ts'
import { isCancelable, isLimitedOrder, isPausable, isTrial, nextOrderState } from '../order/rules.ts'
import { OfferSnapshot, type PlannedPayment } from '../order/schema.ts'
import type { OrderState } from '../order/state-schema.ts'
import { salesOrder } from '../order/table.ts'
import { chargePeriodOf } from '../subscription/schedule.ts'
import { resumeModeOf } from '../subscription/state.ts'
import { listUpgrades } from '../upgrade.ts'
import { throttlePayments } from './limits.ts'
import { loadOnSale } from './read-checkout.ts'
import { readStock, renewReservation } from './reservation.ts'
import type { PayAgain } from './schema.ts'
import { continuePayment } from './start-payment.ts'

type OrderRow = typeof salesOrder.$inferSelect

/** Who opens the page: signed in at this tenant, or null. */
type Visitor = Pick<Actor, 'membershipId' | 'tenantId' | 'roles'> | null

/** Where and how much to transfer. */
export interface TransferDetails extends BankDetails {
  amount: number
  createdAt: Date
}

/** An order as the buyer sees it on its page. */
export interface OrderPage {
  number: number
  state: OrderState
  courseId: string
  offerId: string
  snapshot: OfferSnapshot
  currency: OrderRow['currency']
  amount: number
  discountAmount: number
  creditAmount: number
  paidAmount: number
  refundedAmount: number
  schedule: PlannedPayment[]
  nextDueAt: Date | null
  expiresAt: Date | null
  email: string
  recipientEmail: string | null
  /** `waiting`: the bank has not decided; `failed`: it has refused, with its reason. */
  payment: {
    /** `checked`: the buyer was charged, and the provider checks the school; nothing is to be paid again. */
    state: 'none' | 'waiting' | 'checked' | 'failed'
    failure: string | null
    isTest: boolean
  }
  /** How the next payment can be made; empty when nothing is to be paid now. */
  methods: PaymentMethod[]
  /** The amount of the next payment. */
  nextAmount: number
  buyerName: string
  /** The transfer that the buyer has chosen, with the bank account. */
  transfer: TransferDetails | null
  /** Until when an unpaid order holds its seat or coupon; null: it holds none. */
  hold: { until: Date; isConfirmed: boolean; isUntilDeadline: boolean } | null
  /** What is left of an installment plan; null where only the next payment can be made. */
  restAmount: number | null
  /** A subscription in its trial, or whose trial has ended without a payment. */
  isTrial: boolean
  /** How the next payment of an active subscription can be made with another card; empty when the card cannot be changed. */
  cardMethods: PaymentMethod[]
  /** A subscription that its buyer can pause. */
  isPausable: boolean
  /** How a paused subscription is resumed; null: it is not paused. */
  resumeMode: ReturnType<typeof resumeModeOf>
  /** A subscription that its buyer can cancel. */
  isCancelable: boolean
  /** Fiscal receipts that are registered, oldest first. */
  fiscalReceipts: { kind: ReceiptKind; amount: number; url: string; fiscalCode: string }[]
  /** The access that the order has given, as it is now; access from elsewhere is named to its student only. */
  access: AccessSummary
  /** The visitor is the signed-in person who gets the access. Others do not learn whether there is an account. */
  isViewer: boolean
  crossSells: Awaited<ReturnType<typeof loadOnSale>>
  /** Offers that the buyer can change to by paying the difference. */
  upgrades: Awaited<ReturnType<typeof listUpgrades>>
}

/** The page of an order for everyone who has its address. Refuses with not_found. */
export function readOrderPage(
  tenantId: string,
  publicId: string,
  actor: Visitor = null,
  now = new Date(),
): Promise<OrderPage> {
  if (!UUID_PATTERN.test(publicId)) throw new Refusal('not_found')
  return inTenant({ tenantId }, async (tx) => {
    const [order] = await tx.select().from(salesOrder).where(eq(salesOrder.publicId, publicId))
    if (!order) throw new Refusal('not_found')
    const snapshot = parseStored(OfferSnapshot, order.snapshot)
    const payments = await listPayments(tx, 'order', [order.id])
    // A payment that is only being checked must not be made again.
    const isPayable = canPay(order, payments, now) && !payments.some(isCheckedPayment)
    const canChange = canChangeCard(order, payments, now)
    const mayTest = mayMakeTestPayments(actor, tenantId)
    const [methods, crossSells, upgrades, receipts, access] = await Promise.all([
      isPayable || canChange ? listMethods(tx, order, snapshot, mayTest) : [],
      order.paidAt ? loadOnSale(tx, snapshot.settings.crossSellIds, now) : [],
      listUpgrades(tx, order, { now, mayTest }),
      listReceiptsOf(tx, 'order', [order.id]),
      readOrderAccess(tx, order.id, now),
    ])
    const attempts = payments.filter(({ kind }) => kind !== 'refund')
    const latest = attempts.at(-1)
    const transfer = attempts.findLast(({ provider, status }) => provider === 'bank' && status === 'new')
    // Any of several payments that were begun may still be decided; a transfer is decided by staff.
    const isWaiting = attempts.some(({ status }) => status === 'pending') || (latest?.status === 'new' && !transfer)
    const isChecked = attempts.some(isCheckedPayment)
    const isViewer = actor !== null && actor.membershipId === order.studentId
    const summary = summarizeAccess(access)
    const details = transfer && isPayable ? await findBankDetails(tx) : null
    return {
      number: order.number,
      state: order.state,
      courseId: order.courseId,
      offerId: order.offerId,
      snapshot,
      currency: order.currency,
      amount: order.amount,
      discountAmount: order.discountAmount,
      creditAmount: order.creditAmount,
      paidAmount: order.paidAmount,
      refundedAmount: order.refundedAmount,
      schedule: order.schedule,
      nextDueAt: order.nextDueAt,
      expiresAt: order.expiresAt,
      email: order.email,
      recipientEmail: order.recipientEmail,
      payment: {
        state: isChecked ? 'checked' : isWaiting ? 'waiting' : latest?.status === 'error' ? 'failed' : 'none',
        failure: latest?.failure ?? null,
        isTest: latest?.isTest ?? order.isTest,
      },
      methods: canChange ? [] : methods,
      cardMethods: canChange ? methods : [],
      nextAmount: nextAmountOf(order),
      buyerName: order.buyerName,
      transfer: transfer && details ? { ...details, amount: transfer.amount, createdAt: transfer.createdAt } : null,
      hold: transfer && isPayable && isLimitedOrder(order, snapshot) ? holdOf(order) : null,
      restAmount: restAmountOf(order),
      isTrial: isTrial(order),
      isPausable: isPausable(order, now),
      resumeMode: resumeModeOf(order, payments, now),
      isCancelable: isCancelable(order),
      fiscalReceipts: receipts.flatMap(({ kind, amount, url, fiscalCode }) =>
        url && fiscalCode ? [{ kind, amount, url, fiscalCode }] : [],
      ),
      access: isViewer ? summary : { ...summary, elsewhere: [] },
      isViewer,
      crossSells,
      upgrades,
    }
  })
}

/**
 * Starts the next payment of an order by its buyer, or the payment of everything that is left, or continues the one that
 * was started; returns the path of the payment. Refuses with not_found, too_many, and unprocessable: order_closed when
 * nothing is to be paid, also when the reservation has ended, order_not_accepted for a blocked student.
 */
export async function payAgain(
  { tenantId, address, actor = null }: { tenantId: string; address: string; actor?: Visitor },
  input: PayAgain,
  now = new Date(),
): Promise<string> {
  await throttlePayments(address)
  const mayTest = mayMakeTestPayments(actor, tenantId)
  return inTenant({ tenantId }, async (tx) => {
    const [found] = await tx
      .select({ id: salesOrder.id, offerId: salesOrder.offerId, couponId: salesOrder.couponId })
      .from(salesOrder)
      .where(eq(salesOrder.publicId, input.publicId))
    if (!found) throw new Refusal('not_found')
    // The offer is locked before the order.
    const stock = await readStock(tx, found, { isLocked: true })
    const order = await lockOrder(tx, found.id)
    if (!order) throw new Refusal('not_found')
    const payments = await listPayments(tx, 'order', [order.id])
    const isCard = input.part === 'card'
    if (!(isCard ? canChangeCard(order, payments, now) : canPay(order, payments, now))) {
      throw formRefusal('order_closed')
    }
    if (order.studentId) await requireUnblockedStudent(tx, order.studentId)
    await renewReservation(tx, stock, order, now)
    const isScheduled = isCard && (await requireCardMethod(tx, order, { ...input, mayTest })).recurring === 'provider'
    const rest = input.part === 'rest' ? restAmountOf(order) : null
    // A provider that keeps the schedule charges the new card from the next date on.
    const startsAt = (isScheduled && order.nextDueAt) || undefined
    return continuePayment(tx, order, input.provider, { dueNow: rest ?? nextAmountOf(order), startsAt, mayTest, now })
  })
}

// LiqPay has charged the buyer, and has not activated the school yet.
const isCheckedPayment = ({ status, providerStatus }: Pick<Payment, 'status' | 'providerStatus'>): boolean =>
  status === 'pending' && providerStatus === 'wait_accept'

function holdOf({ reservedUntil, expiresAt, addressConfirmedAt }: OrderRow): OrderPage['hold'] {
  if (!reservedUntil) return null
  const isUntilDeadline = expiresAt !== null && reservedUntil >= expiresAt
  return { until: reservedUntil, isConfirmed: addressConfirmedAt !== null, isUntilDeadline }
}

// An expired reservation has to be made again, since the seat may be gone; the job that closes it may be late. The provider
// charges an active subscription, except in its trial.
const canPay = (order: OrderRow, payments: readonly Payment[], now: Date): boolean => {
  const { state, expiresAt } = order
  if (state === 'awaiting_payment') return expiresAt !== null && expiresAt > now
  if (state === 'paused') return resumeModeOf(order, payments, now) === 'pay'
  if (state === 'active' && isCancelable(order) && !isTrial(order)) return false
  return nextOrderState(state, 'payPart') !== null && state !== 'expired' && state !== 'canceled' && state !== 'new'
}

// Saved cards pay the next period in advance; a provider that keeps the schedule begins with the next date.
const canChangeCard = (order: OrderRow, payments: readonly Payment[], now: Date): boolean =>
  isPausable(order, now) && payments.some(({ status }) => status === 'subscribed')

/** The methods of a visitor. An order for which money was received is paid by money, and one of test payments by those. */
async function listMethods(
  tx: Tx,
  { currency, isTest, paidAmount }: OrderRow,
  { settings }: OfferSnapshot,
  mayTest: boolean,
): Promise<PaymentMethod[]> {
  const methods = await listPaymentMethods(tx, { currency, period: chargePeriodOf(settings), mayTest })
  return methods.filter((method) => paidAmount === 0 || method.isTest === isTest)
}

async function requireCardMethod(
  tx: Tx,
  order: OrderRow,
  { provider, mayTest }: { provider: ProviderName; mayTest: boolean },
): Promise<PaymentMethod> {
  const methods = await listMethods(tx, order, parseStored(OfferSnapshot, order.snapshot), mayTest)
  const method = methods.find((known) => known.provider === provider)
  if (method) return method
  throw new Refusal('unprocessable', { fields: { provider: ['payment_provider'] } })
}
