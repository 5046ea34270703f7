import { asc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import { toOfferSettings } from './offer-settings.ts'
import { isReservation } from './order/seats.ts'
import { requireOfferReader } from './permission.ts'
import type { OfferSettings, OfferState } from './schema.ts'
import { chargePeriodOf } from './subscription/schedule.ts'
import { offer } from './table.ts'

/** An offer in the list of a course. */
export interface OfferListItem {
  id: string
  state: OfferState
  settings: OfferSettings
  /** Orders that have been paid, without those whose access a refund has ended; and seats reserved at this moment. */
  soldCount: number
  reservedCount: number
  /** Whether buyers can pay what it costs now or later: a provider of the school receives such payments. */
  canBePaid: boolean
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
    const payable = new Map<string, boolean>()
    const canBePaid = async (settings: OfferSettings): Promise<boolean> => {
      if (settings.kind === 'free') return true
      const filter = { currency: settings.currency, period: chargePeriodOf(settings) }
      const key = JSON.stringify(filter)
      const known = payable.get(key)
      if (known !== undefined) return known
      const found = (await listPaymentMethods(tx, filter)).length > 0
      payable.set(key, found)
      return found
    }
    const byOffer = new Map(counts.rows.map((row) => [row.offerId, row]))
    const items: OfferListItem[] = []
    for (const row of rows) {
      const { sold = 0, reserved = 0 } = byOffer.get(row.id) ?? {}
      const settings = toOfferSettings(row)
      const isPayable = await canBePaid(settings)
      items.push({
        id: row.id,
        state: row.state,
        settings,
        soldCount: sold,
        reservedCount: reserved,
        canBePaid: isPayable,
      })
    }
    return items
  })
}
