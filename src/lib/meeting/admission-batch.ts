import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { gather } from '#lib/core/gather.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import {
  bannedDevices,
  type NewParticipant,
  type Participant,
  seatParticipants,
} from '#lib/workshop/session/participant.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { lockRoom, takeSeats } from './admission/queue.ts'
import type { Sitting } from './admission/seat.ts'

/** Who came: null for who was shown the door. `queued` is their place when there is no seat; null in a session that is over. */
export type Arrival = { sitting: Sitting; queued: { place: number } | null } | null

interface Comer {
  person: NewParticipant
  now: Date
}

/**
 * Lets somebody into a session, in a transaction of its own: a row, and a seat or a place in the queue. The room is
 * locked meanwhile, so those who come at the same time come in together. Safe to repeat. Refuses with not_found.
 */
export const comeIn = (person: NewParticipant, now: Date): Promise<Arrival> =>
  together(`${person.tenantId} ${person.sessionId}`, { person, now })

const together = gather<Comer, Arrival>((_, comers) => {
  const [first] = comers
  if (!first) return Promise.resolve([])
  const { tenantId, sessionId } = first.person
  return inTenant({ tenantId }, (tx) => letIn(tx, { tenantId, sessionId }, comers))
})

async function letIn(tx: Tx, of: { tenantId: string; sessionId: string }, comers: Comer[]): Promise<Arrival[]> {
  await lockRoom(tx, of)
  const [session] = await tx.select().from(workshopSession).where(eq(workshopSession.id, of.sessionId))
  if (!session) throw new Refusal('not_found')
  const banned = await bannedDevices(
    tx,
    of.sessionId,
    comers.map(({ person }) => person.device),
  )
  const welcome = comers.map(({ person }) => person).filter((one) => one.role !== 'viewer' || !banned.has(one.device))
  const rows = new Map<NewParticipant, Participant>()
  for (const [index, row] of (await seatParticipants(tx, of.sessionId, welcome)).entries()) {
    const person = welcome[index]
    if (person && !row.bannedAt) rows.set(person, row)
  }
  const over = session.finishedAt !== null || session.canceledAt !== null
  const sitting = [...rows.values()].map(({ id, role }) => ({ personId: id, role }))
  const now = new Date(Math.max(...comers.map((one) => one.now.getTime())))
  const places = over ? [] : await takeSeats(tx, of, sitting, now)
  const queued = new Map(sitting.map(({ personId }, index) => [personId, places[index] ?? null]))
  return comers.map(({ person }) => {
    const row = rows.get(person)
    if (!row) return null
    const { id: personId, workshopId, role } = row
    return {
      sitting: { ...of, personId, workshopId, role, participant: row, session },
      queued: queued.get(personId) ?? null,
    }
  })
}
