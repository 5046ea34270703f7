import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { PlannedPayment } from '../order/schema.ts'
import { calculateTotal, type Discount, type Total } from '../price-rules.ts'
import type { OfferSettings } from '../schema.ts'
import { isTrialUsed } from '../subscription/trial.ts'
import type { PlaceOrder } from './schema.ts'

/**
 * The amounts of an order. Refuses with conflict (order_price_changed, order_trial_used) unless they are those that the
 * page has shown, and with invalid for a trial or an upgrade as a gift.
 */
export async function requireShownTotal(
  tx: Tx,
  settings: OfferSettings,
  { offerId, email, gift, shownTotal, shownTrial }: PlaceOrder,
  { coupon, studentId, credit, now }: { coupon: Discount | null; studentId: string | null; credit: number; now: Date },
): Promise<Total> {
  const isUsed = settings.trialDays > 0 && (await isTrialUsed(tx, { offerId, email, studentId }))
  const total = calculateTotal(settings, { now, discount: coupon, credit, isTrialUsed: isUsed })
  const refuse = (reason: string) => new Refusal('conflict', { fields: { form: [reason] } })
  if (total.total !== shownTotal) throw refuse('order_price_changed')
  if (total.trialDays > 0 !== shownTrial) throw refuse(isUsed ? 'order_trial_used' : 'order_price_changed')
  // A trial is given once to each person, who is known by the email address of the buyer.
  if (total.trialDays > 0 && gift) throw new Refusal('invalid', { fields: { form: ['order_trial_gift'] } })
  if (total.credit > 0 && gift) throw new Refusal('invalid', { fields: { form: ['order_upgrade_gift'] } })
  return total
}

/** The payments of an order. A subscription has a schedule from its first payment, which every payment extends. */
export const plannedPayments = ({ dueNow, schedule, renewal, trialDays }: Total, now: Date): PlannedPayment[] =>
  schedule.length === 0 && !renewal
    ? []
    : [{ amount: dueNow, afterDays: 0 }, ...schedule].map(({ amount, afterDays }, index) => ({
        amount,
        dueAt: new Date(now.getTime() + afterDays * DAY_MS).toISOString(),
        paidAt: null,
        ...(trialDays > 0 && index > 0 ? { startsPeriod: true as const } : {}),
      }))
