import type { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasAttended } from './admission/attended.ts'
import { requireSeat } from './admission/seat.ts'
import type { RateEvent } from './room-schema.ts'
import { meetingRating } from './table.ts'

/**
 * Saves a participant's rating of the event; a later rating replaces an earlier one. Refuses with unauthorized,
 * forbidden (not attended).
 */
export async function rateEvent({ seatToken, stars, text }: z.infer<typeof RateEvent>): Promise<void> {
  const participant = await requireSeat(seatToken)
  const { tenantId, sessionId, personId } = participant
  await inTenant({ tenantId }, async (tx) => {
    if (!(await hasAttended(tx, participant))) throw new Refusal('forbidden', { data: { reason: 'not_attended' } })
    await tx
      .insert(meetingRating)
      .values({ tenantId, sessionId, personId, stars, text })
      .onConflictDoUpdate({
        target: [meetingRating.tenantId, meetingRating.sessionId, meetingRating.personId],
        set: { stars, text },
      })
  })
}
