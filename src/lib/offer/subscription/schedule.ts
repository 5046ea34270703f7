import { addPeriods } from '#lib/core/calendar/add-periods.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { PaymentPeriod } from '#lib/payment/schema.ts'
import type { PlannedPayment } from '../order/schema.ts'
import type { OfferPeriod, OfferSettings } from '../schema.ts'

/** Days before a charge at which the buyer is notified. */
export const NOTICE_DAYS: Record<OfferPeriod, number> = { week: 1, month: 3, year: 7 }

/** A payment that is later begins a new period instead of continuing the schedule. */
const CONTINUES_DAYS = 7

/** How often the provider charges an offer; undefined: once. */
export const chargePeriodOf = ({ kind, period }: Pick<OfferSettings, 'kind' | 'period'>): PaymentPeriod | undefined =>
  kind === 'subscription' ? { unit: period, count: 1 } : undefined

/** The date of the charge after `count` periods: the same day of the month in the time zone of the school, or its last. */
export function chargeDateAfter(start: Date, period: OfferPeriod, count: number, zone: string): Date {
  return addPeriods(start, { unit: period, count }, zone)
}

/**
 * The schedule of a subscription with the next charge, when everything planned is paid. Dates count from the first
 * payment, or from one that came after the access had ended, so that nobody pays for time without access. A trial ends
 * with the first payment.
 */
export function renewSchedule(
  schedule: readonly PlannedPayment[],
  { period, zone }: { period: OfferPeriod; zone: string },
): PlannedPayment[] {
  const latest = schedule.at(-1)
  if (!latest?.paidAt) return [...schedule]
  const start = schedule.findLastIndex((planned, index) => index === 0 || isNewPeriod(planned))
  const startAt = new Date(schedule[start]?.paidAt ?? latest.paidAt)
  const dueAt = chargeDateAfter(startAt, period, schedule.length - start, zone)
  return [...schedule, { amount: latest.amount, dueAt: dueAt.toISOString(), paidAt: null }]
}

/** The schedule of a subscription whose next payment is due at a moment and begins a new period. */
export const beginPeriodAt = (schedule: readonly PlannedPayment[], at: Date): PlannedPayment[] =>
  schedule.map((planned) =>
    planned.paidAt === null ? { ...planned, dueAt: at.toISOString(), startsPeriod: true } : planned,
  )

const isNewPeriod = ({ dueAt, paidAt, startsPeriod }: PlannedPayment): boolean =>
  startsPeriod === true || (paidAt !== null && Date.parse(paidAt) - Date.parse(dueAt) > CONTINUES_DAYS * DAY_MS)
