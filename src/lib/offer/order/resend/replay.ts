import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { replayCallback } from '#lib/payment/callback.ts'
import { listPaymentEvents, type PaymentPurposes } from '#lib/payment/payment.ts'
import type { OrderCallbackId } from '../order-schema.ts'
import { requireOrderManager } from '../permission.ts'

type PaymentEvent = Awaited<ReturnType<typeof listPaymentEvents>>[number]

/** Whether a callback could not be processed, and no later one has reported the same. */
export const isReplayable = (event: PaymentEvent, events: readonly PaymentEvent[]): boolean =>
  event.source === 'callback' &&
  event.outcome === 'failed' &&
  !events
    .slice(events.indexOf(event) + 1)
    .some(
      ({ paymentId, status, outcome }) =>
        paymentId === event.paymentId && status === event.status && outcome !== 'failed',
    )

/**
 * Processes a callback of an order again whose processing has failed; one that has been applied since changes nothing. Refuses
 * with forbidden, plan_inactive, not_found, unprocessable (callback_failed) when it fails again.
 */
export async function replayOrderCallback(
  actor: Actor,
  { orderId, callbackId }: OrderCallbackId,
  purposes: PaymentPurposes,
): Promise<void> {
  requireOrderManager(actor)
  const events = await inTenant(actor, (tx) => listPaymentEvents(tx, 'order', [orderId]))
  const failed = events.find(({ id }) => id === callbackId)
  if (failed?.source !== 'callback' || failed.outcome !== 'failed') throw new Refusal('not_found')
  await replayCallback(purposes, { tenantId: actor.tenantId, callbackId }).catch((error: unknown) => {
    // The cause is in the log, and the failure in the timeline.
    throw error instanceof Refusal ? error : formRefusal('callback_failed')
  })
}
