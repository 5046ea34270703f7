import { asc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { toOfferSettings } from './offer-settings.ts'
import { isReservation } from './order/seats.ts'
import { requireOfferReader } from './permission.ts'
import type { OfferSettings, OfferState } from './schema.ts'
import { offer } from './table.ts'

/** An offer in the list of a course. */
export interface OfferListItem {
  id: string
  state: OfferState
  settings: OfferSettings
  /** Orders that have been paid, without those whose access a refund has ended; and seats reserved at this moment. */
  soldCount: number
  reservedCount: number
}

const MAX_OFFERS = 200

/** The offers of a course, oldest first. Refuses with forbidden, not_found. */
export function listOffers(actor: Actor, { courseId }: { courseId: string }): Promise<OfferListItem[]> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [courses, rows, counts] = await Promise.all([
      tx.select({ id: course.id }).from(course).where(eq(course.id, courseId)),
      tx
        .select()
        .from(offer)
        .where(eq(offer.courseId, courseId))
        .orderBy(asc(offer.createdAt), asc(offer.id))
        .limit(MAX_OFFERS),
      tx.execute<{ offerId: string; sold: number; reserved: number }>(sql`
        select offer_id as "offerId",
          count(*) filter (where state not in ('new', 'awaiting_payment', 'expired', 'canceled', 'refunded') and access_ended_at is null)::int as sold,
          count(*) filter (where ${isReservation(new Date())})::int as reserved
        from sales_order where tenant_id = current_tenant() and course_id = ${courseId} group by offer_id`),
    ])
    if (courses.length === 0) throw new Refusal('not_found')
    const byOffer = new Map(counts.rows.map((row) => [row.offerId, row]))
    return rows.map((row) => ({
      id: row.id,
      state: row.state,
      settings: toOfferSettings(row),
      soldCount: byOffer.get(row.id)?.sold ?? 0,
      reservedCount: byOffer.get(row.id)?.reserved ?? 0,
    }))
  })
}
