import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { course } from '#lib/course/table.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import { type OfferRow, toOfferSettings } from '../offer-settings.ts'
import { countTakenSeats } from '../order/seats.ts'
import { isTestableDraft, salesObstacle } from '../rules.ts'
import { chargePeriodOf } from '../subscription/schedule.ts'
import { offer } from '../table.ts'

const OBSTACLES = { not_started: 'offer_not_started', ended: 'offer_ended', sold_out: 'offer_sold_out' } as const

/**
 * The offer, locked while one of limited seats is taken. Refuses unless it can be bought now; staff can buy a
 * draft by a test payment. Refuses with not_found, unprocessable.
 */
export async function lockOnSale(
  tx: Tx,
  offerId: string,
  { now, isTestBuyer }: { now: Date; isTestBuyer: boolean },
): Promise<{ row: OfferRow; courseTitle: string }> {
  const [found] = await tx
    .select({ row: offer, courseTitle: course.title, courseStatus: course.status })
    .from(offer)
    .innerJoin(course, and(eq(course.tenantId, offer.tenantId), eq(course.id, offer.courseId)))
    .where(eq(offer.id, offerId))
    .for('update', { of: offer })
  if (found?.courseStatus !== 'published') throw new Refusal('not_found')
  const takenCount = found.row.seats === null ? 0 : await countTakenSeats(tx, offerId, now)
  const isTestable = isTestBuyer && (await isTestableOffer(tx, found.row))
  const obstacle = salesObstacle(isTestable ? { ...found.row, state: 'active' } : found.row, takenCount, now)
  if (obstacle === 'not_active') throw new Refusal('not_found')
  if (obstacle) throw formRefusal(OBSTACLES[obstacle])
  return found
}

/** Whether staff can buy a draft now: by test payments, which are not offered once a provider receives money. */
export async function isTestableOffer(tx: Tx, row: OfferRow): Promise<boolean> {
  if (!isTestableDraft(row)) return false
  const filter = { currency: row.currency, period: chargePeriodOf(toOfferSettings(row)), mayTest: true }
  return (await listPaymentMethods(tx, filter)).some(({ isTest }) => isTest)
}
