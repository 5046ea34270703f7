import type { OrderState } from '#lib/offer/order/state-schema.ts'

/** The tone of the badge of an order's state. */
export function orderStateTone(state: OrderState): 'plain' | 'success' | 'warning' | 'error' | 'info' {
  if (state === 'paid' || state === 'completed' || state === 'active') return 'success'
  if (state === 'awaiting_payment' || state === 'new') return 'info'
  if (state === 'overdue' || state === 'partially_refunded') return 'warning'
  return state === 'suspended' ? 'error' : 'plain'
}
