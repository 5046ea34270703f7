import { DAY_MS } from '#lib/core/shared/time.ts'
import type { OfferSettings } from '../schema.ts'
import { GRACE_DAYS } from './rules.ts'

/**
 * When the access of an order ends: as the offer says, counted from the purchase; while payments are due later, at most
 * some days after the next one. A subscription lasts while it is paid, and a canceled one until the end of the paid
 * period. Null: never.
 */
export function accessEndOf(
  {
    kind,
    accessType,
    accessUntil,
    accessDays,
  }: Pick<OfferSettings, 'kind' | 'accessType' | 'accessUntil' | 'accessDays'>,
  { paidAt, nextDueAt, isCanceled }: { paidAt: Date; nextDueAt: Date | null; isCanceled: boolean },
): Date | null {
  const paidUntil = nextDueAt && new Date(nextDueAt.getTime() + (isCanceled ? 0 : GRACE_DAYS) * DAY_MS)
  if (kind === 'subscription') return paidUntil
  const ends = [
    accessType === 'untilDate' ? accessUntil : null,
    accessType === 'days' && accessDays !== null ? new Date(paidAt.getTime() + accessDays * DAY_MS) : null,
    paidUntil,
  ].flatMap((at) => at ?? [])
  return ends.length > 0 ? new Date(Math.min(...ends.map((at) => at.getTime()))) : null
}
