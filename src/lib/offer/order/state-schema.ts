/** States of an order. The last five are those of an order that is paid in several payments. */
export const ORDER_STATES = [
  'new',
  'awaiting_payment',
  'paid',
  'partially_refunded',
  'refunded',
  'expired',
  'canceled',
  'active',
  'overdue',
  'suspended',
  /** A subscription that is not charged until it is resumed. */
  'paused',
  'completed',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

export const ORDER_ENTRY_KINDS = ['state', 'access', 'note', 'reminder', 'email', 'problem'] as const
export type OrderEntryKind = (typeof ORDER_ENTRY_KINDS)[number]

/** What happens to the access of an order whose money is returned. */
export const REFUND_ACCESS = ['keep', 'endNow', 'endAtPeriod'] as const
export type RefundAccess = (typeof REFUND_ACCESS)[number]

/** A refund that staff have requested. */
export interface RefundChoice {
  /** Minor units of all its parts. */
  amount: number
  access: RefundAccess
}
