import { eq } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { findDocumentAddress } from '#lib/workshop/document.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type SeatRef, verifySeatToken } from '../admission/seat.ts'
import type { Seat } from '../room-schema.ts'
import { requireParticipantAccess } from './media-access.ts'
import { canGetSlides } from './media-rules.ts'

/**
 * URL of the slides that are shown; null when there are none, and for viewers before the start. All viewers request it
 * when the event starts. Refuses with unauthorized, forbidden (banned, no seat).
 */
export async function getSlides({ seatToken }: Seat): Promise<{ address: string | null }> {
  const seat = verifySeatToken(seatToken)
  const { person, phase } = await requireParticipantAccess(seat)
  if (!canGetSlides(person, phase).allow) return { address: null }
  return { address: await readAddressInBatch(`${seat.tenantId} ${seat.sessionId}`, seat) }
}

const readAddressInBatch = createBatcher<SeatRef, string | null>(
  async (_, seats) => {
    const [first] = seats
    const address = first ? await readAddress(first) : null
    return seats.map(() => address)
  },
  { maxSize: 500 },
)

function readAddress({ tenantId, sessionId }: SeatRef): Promise<string | null> {
  return inTenant({ tenantId }, async (tx) => {
    const { state } = workshopSession
    const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, sessionId))
    return session ? findDocumentAddress(tx, tenantId, session.state.slide.fileId) : null
  })
}
