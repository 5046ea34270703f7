import { eq } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import {
  findBannedDevices,
  type NewParticipant,
  type Participant,
  upsertParticipants,
} from '#lib/workshop/session/participant.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { lockRoomRow, takeSeats } from './admission/queue.ts'
import type { RoomParticipant } from './admission/seat.ts'

/**
 * Result of an admission: null when the participant is banned. `queued` is the position in the waiting queue; null with
 * a seat, or when the session is over.
 */
export type RoomAdmission = { participant: RoomParticipant; queued: { place: number } | null } | null

interface AdmissionRequest {
  participant: NewParticipant
  now: Date
}

/**
 * Admits a participant to a session in a separate transaction: writes the row and reserves a seat or a position in the
 * queue. The room is locked meanwhile, so simultaneous requests are admitted in one batch. Idempotent. Refuses with
 * not_found.
 */
export const admitParticipant = (participant: NewParticipant, now: Date): Promise<RoomAdmission> =>
  admitInBatch(`${participant.tenantId} ${participant.sessionId}`, { participant, now })

const admitInBatch = createBatcher<AdmissionRequest, RoomAdmission>((_, requests) => {
  const [first] = requests
  if (!first) return Promise.resolve([])
  const { tenantId, sessionId } = first.participant
  return inTenant({ tenantId }, (tx) => admitAll(tx, { tenantId, sessionId }, requests))
})

async function admitAll(
  tx: Tx,
  sessionRef: { tenantId: string; sessionId: string },
  requests: AdmissionRequest[],
): Promise<RoomAdmission[]> {
  await lockRoomRow(tx, sessionRef)
  const [session] = await tx.select().from(workshopSession).where(eq(workshopSession.id, sessionRef.sessionId))
  if (!session) throw new Refusal('not_found')
  const banned = await findBannedDevices(
    tx,
    sessionRef.sessionId,
    requests.map(({ participant }) => participant.device),
  )
  const allowed = requests
    .map(({ participant }) => participant)
    .filter(({ role, device }) => role !== 'viewer' || !banned.has(device))
  const rows = new Map<NewParticipant, Participant>()
  for (const [index, row] of (await upsertParticipants(tx, sessionRef.sessionId, allowed)).entries()) {
    const participant = allowed[index]
    if (participant && !row.bannedAt) rows.set(participant, row)
  }
  const isOver = session.finishedAt !== null || session.canceledAt !== null
  const seatRequests = [...rows.values()].map(({ id, role }) => ({ personId: id, role }))
  const now = new Date(Math.max(...requests.map((request) => request.now.getTime())))
  const places = isOver ? [] : await takeSeats(tx, sessionRef, seatRequests, now)
  const queued = new Map(seatRequests.map(({ personId }, index) => [personId, places[index] ?? null]))
  return requests.map(({ participant }) => {
    const row = rows.get(participant)
    if (!row) return null
    const { id: personId, workshopId, role } = row
    return {
      participant: { ...sessionRef, personId, workshopId, role, profile: row, session },
      queued: queued.get(personId) ?? null,
    }
  })
}
