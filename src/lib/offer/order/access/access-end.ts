import { DAY_MS } from '#lib/core/shared/time.ts'
import type { OfferSettings } from '../../schema.ts'
import { PAYMENT_GRACE_DAYS } from '../rules.ts'

/**
 * When the access of an order ends: as the offer says, counted from the purchase or from the later beginning of the
 * access; while payments are due later, at most some days after the next one. A subscription lasts while it is paid; a
 * canceled one and a trial have no grace period. Null: never.
 */
export function accessEndOf(
  {
    kind,
    accessFrom,
    accessType,
    accessUntil,
    accessDays,
  }: Pick<OfferSettings, 'kind' | 'accessFrom' | 'accessType' | 'accessUntil' | 'accessDays'>,
  { paidAt, nextDueAt, hasGrace }: { paidAt: Date; nextDueAt: Date | null; hasGrace: boolean },
): Date | null {
  const paidUntil = nextDueAt && new Date(nextDueAt.getTime() + (hasGrace ? PAYMENT_GRACE_DAYS : 0) * DAY_MS)
  if (kind === 'subscription') return paidUntil
  const startMs = Math.max(paidAt.getTime(), accessFrom?.getTime() ?? 0)
  const ends = [
    accessType === 'untilDate' ? accessUntil : null,
    accessType === 'days' && accessDays !== null ? new Date(startMs + accessDays * DAY_MS) : null,
    paidUntil,
  ].flatMap((at) => at ?? [])
  return ends.length > 0 ? new Date(Math.min(...ends.map((at) => at.getTime()))) : null
}
