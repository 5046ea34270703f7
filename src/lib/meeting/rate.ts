import type { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import type { Rate } from './room-schema.ts'
import { mustSit } from './seat.ts'
import { meetingRating } from './table.ts'

/** What somebody thought of the event; the last word counts. Refuses with unauthorized, forbidden. */
export async function rate({ ticket, stars, text }: z.infer<typeof Rate>): Promise<void> {
  const { tenantId, sessionId, personId } = await mustSit(ticket)
  await inTenant({ tenantId }, (tx) =>
    tx
      .insert(meetingRating)
      .values({ tenantId, sessionId, personId, stars, text })
      .onConflictDoUpdate({
        target: [meetingRating.tenantId, meetingRating.sessionId, meetingRating.personId],
        set: { stars, text },
      }),
  )
}
