import { DAY_MS } from '#lib/core/shared/time.ts'
import type { OfferSettings } from '../schema.ts'
import { GRACE_DAYS } from './rules.ts'

/**
 * When the access of an order ends: as the offer says, counted from the purchase; while payments are due later, at most
 * some days after the next one. Null: never.
 */
export function accessEndOf(
  { accessType, accessUntil, accessDays }: Pick<OfferSettings, 'accessType' | 'accessUntil' | 'accessDays'>,
  { paidAt, nextDueAt }: { paidAt: Date; nextDueAt: Date | null },
): Date | null {
  const ends = [
    accessType === 'untilDate' ? accessUntil : null,
    accessType === 'days' && accessDays !== null ? new Date(paidAt.getTime() + accessDays * DAY_MS) : null,
    nextDueAt ? new Date(nextDueAt.getTime() + GRACE_DAYS * DAY_MS) : null,
  ].flatMap((at) => at ?? [])
  return ends.length > 0 ? new Date(Math.min(...ends.map((at) => at.getTime()))) : null
}
