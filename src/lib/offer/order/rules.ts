import type { OrderState } from './state-schema.ts'

/** What can happen to an order. */
export const ORDER_EVENTS = [
  /** The whole total was paid. */
  'payAll',
  /** One of several payments was made, and others are due later. */
  'payPart',
  /** The last of several payments was made. */
  'payLast',
  'expire',
  'cancel',
  'refundPart',
  'refundAll',
  /** A payment is late. */
  'miss',
  /** A payment is later than the grace period. */
  'suspend',
  'pause',
  'resume',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

const REFUNDS = { refundPart: 'partially_refunded', refundAll: 'refunded' } as const
const PAYMENTS = { payAll: 'paid', payPart: 'active', payLast: 'completed' } as const

// Money that arrives after an order has expired or was canceled is accepted: a person who has paid has access.
const TRANSITIONS: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
  new: PAYMENTS,
  awaiting_payment: { ...PAYMENTS, expire: 'expired', cancel: 'canceled' },
  expired: PAYMENTS,
  // A canceled subscription, whose paid period may last.
  canceled: { ...PAYMENTS, refundPart: 'canceled', refundAll: 'refunded' },
  paid: { ...REFUNDS, refundPart: 'partially_refunded' },
  partially_refunded: REFUNDS,
  refunded: {},
  active: {
    payPart: 'active',
    payLast: 'completed',
    refundPart: 'active',
    refundAll: 'refunded',
    miss: 'overdue',
    pause: 'paused',
    cancel: 'canceled',
  },
  overdue: {
    payPart: 'active',
    payLast: 'completed',
    refundPart: 'overdue',
    refundAll: 'refunded',
    suspend: 'suspended',
    cancel: 'canceled',
  },
  suspended: {
    payPart: 'active',
    payLast: 'completed',
    refundPart: 'suspended',
    refundAll: 'refunded',
    cancel: 'canceled',
  },
  // Paid after the paid period: the buyer has resumed it.
  paused: {
    payPart: 'active',
    resume: 'active',
    refundPart: 'paused',
    refundAll: 'refunded',
    cancel: 'canceled',
  },
  completed: REFUNDS,
}

/** The state of an order after an event, or null where the event does not apply. */
export function nextOrderState(state: OrderState, event: OrderEvent): OrderState | null {
  return TRANSITIONS[state][event] ?? null
}

/** States of an order that has been paid, in whole or in part, and not refunded. */
export const PAID_STATES: readonly OrderState[] = [
  'paid',
  'partially_refunded',
  'active',
  'overdue',
  'suspended',
  'paused',
  'completed',
]

/** Whether the confirmation of an order can be sent again: it was paid, or is free, and gives access. */
export const isResendable = ({ state, paidAt }: { state: OrderState; paidAt: Date | null }): boolean =>
  paidAt !== null && PAID_STATES.includes(state)

/** Whether the personal data of the buyer was removed. */
export const isErasedOrder = ({ id, email }: { id: string; email: string }): boolean =>
  email === `${id}@deleted.invalid`

/** How long a seat and a use of a coupon are reserved for a buyer who is paying. */
export const RESERVATION_MINUTES = 30

/** How long an unpaid part leaves the access open. */
export const PAYMENT_GRACE_DAYS = 7

/** Whether an order holds one of limited seats, or a use of a coupon, while it is not paid. */
export const isLimitedOrder = (
  { couponId }: { couponId: string | null },
  { settings }: { settings: { seats: number | null } },
): boolean => couponId !== null || settings.seats !== null

/** Whether an order is a subscription that can be canceled. */
export const isCancelable = ({ state, snapshot }: { state: OrderState; snapshot: unknown }): boolean =>
  kindOf(snapshot) === 'subscription' && nextOrderState(state, 'cancel') !== null && state !== 'awaiting_payment'

/** Whether an order is a subscription that can be paused: not in its trial, nor while a charge is due. */
export const isPausable = (order: TrialFacts & { state: OrderState; snapshot: unknown }, now: Date): boolean =>
  kindOf(order.snapshot) === 'subscription' &&
  nextOrderState(order.state, 'pause') !== null &&
  !isTrial(order) &&
  order.nextDueAt !== null &&
  order.nextDueAt > now

/** Whether an order is a subscription in its trial, or whose trial has ended without a payment. */
export const isTrial = ({ paidAt, paidAmount, nextDueAt }: TrialFacts): boolean =>
  paidAt !== null && paidAmount === 0 && nextDueAt !== null

interface TrialFacts {
  paidAt: Date | null
  paidAmount: number
  nextDueAt: Date | null
}

const kindOf = (snapshot: unknown): unknown => (snapshot as { settings?: { kind?: unknown } } | null)?.settings?.kind
