import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { createBatcher } from '#lib/core/batch.ts'
import type { StreamRequest } from '#lib/core/broadcast/stream-guard.ts'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { SessionKind } from '#lib/core/shared/event/live-event.ts'
import { membership } from '#lib/user/table.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { SeatRef } from '../admission/seat.ts'
import { meetingQueue } from '../table.ts'
import { encoderOwnerOf } from './encoder-sources.ts'
import { readEncoderKey, readStagePlaces } from './log.ts'
import { canUseStreams, type StreamParticipant } from './media-rules.ts'

/** Facts that decide whether a participant may use the streams of a session now. */
export interface StreamAccessFacts {
  kind: SessionKind
  phase: RoomState['phase']
  /** Null without a participant row in the session. */
  person: (StreamParticipant & { banned: boolean; queued: boolean }) | null
}

/**
 * Reads the facts about one participant; null for an unknown session. Simultaneous requests for one session are read in
 * one batch, for the start of large events.
 */
const readStreamAccess = ({ tenantId, sessionId, personId }: SeatRef): Promise<StreamAccessFacts | null> =>
  readAccessInBatch(`${tenantId} ${sessionId}`, { tenantId, sessionId, personId })

/** The same for a participant with a seat. Refuses with unauthorized (unknown), forbidden (banned, no seat). */
export async function requireParticipantAccess(
  seat: SeatRef,
): Promise<StreamAccessFacts & { person: NonNullable<StreamAccessFacts['person']> }> {
  const facts = await readStreamAccess(seat)
  if (!facts?.person) throw new Refusal('unauthorized')
  const { person } = facts
  if (person.isBarred) throw new Refusal('forbidden', { data: { reason: person.banned ? 'banned' : 'no_seat' } })
  return { ...facts, person }
}

/**
 * Whether the holder of a valid stream token may publish or play now: see canUseStreams; an encoder also needs a token
 * of its newest key. In a rehearsal a team member publishes without a participant row.
 */
export async function canUseStream({
  tenantId,
  room,
  participant: person,
  stream,
  direction,
  issuedAt: issued,
}: StreamRequest): Promise<boolean> {
  // Rooms of the development page are no sessions.
  if (!z.uuid().safeParse(room).success) return config.devPages
  if (!z.uuid().safeParse(person).success) return false
  const facts = await readStreamAccess({ tenantId, sessionId: room, personId: person })
  if (!facts) return false
  if (!facts.person) return facts.kind === 'rehearsal' && facts.phase !== 'finished' && direction === 'publish'
  if (!canUseStreams(facts.person, facts.phase, direction).allow) return false
  if (direction === 'play' || encoderOwnerOf(stream) === null) return true
  const key = await inTenant({ tenantId }, (tx) => readEncoderKey(tx, room, person))
  return key?.on === true && issued >= key.issuedAt
}

const readAccessInBatch = createBatcher<SeatRef, StreamAccessFacts | null>(
  (_, seats) => {
    const [first] = seats
    if (!first) return Promise.resolve([])
    const ids = seats.map(({ personId }) => personId)
    return inTenant({ tenantId: first.tenantId }, (tx) => readSessionAccess(tx, first.sessionId, ids))
  },
  { maxSize: 500 },
)

async function readSessionAccess(tx: Tx, sessionId: string, ids: string[]): Promise<(StreamAccessFacts | null)[]> {
  const { kind, state } = workshopSession
  const [session] = await tx.select({ kind, state }).from(workshopSession).where(eq(workshopSession.id, sessionId))
  if (!session) return ids.map(() => null)
  const people = await readParticipants(tx, sessionId, [...new Set(ids)])
  return ids.map((id) => ({ kind: session.kind, phase: session.state.phase, person: people.get(id) ?? null }))
}

/** Participants of a session by id, as far as they may be in its room at all. */
export async function readParticipants(tx: Tx, sessionId: string, ids: string[]) {
  const { id, role, bannedAt, memberId } = workshopParticipant
  const rows = await tx
    .select({ id, role, bannedAt, queued: meetingQueue.personId, blockedAt: membership.blockedAt })
    .from(workshopParticipant)
    .leftJoin(
      meetingQueue,
      and(eq(meetingQueue.sessionId, workshopParticipant.sessionId), eq(meetingQueue.personId, id)),
    )
    .leftJoin(membership, and(eq(membership.tenantId, workshopParticipant.tenantId), eq(membership.id, memberId)))
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(id, ids)))
  const places = await readStagePlaces(
    tx,
    sessionId,
    rows.map((row) => row.id),
  )
  return new Map(
    rows.flatMap((row) => {
      // A member who is blocked in the tenant has no seat in its rooms.
      if (row.blockedAt) return []
      const [banned, queued] = [row.bannedAt !== null, row.queued !== null]
      const person = {
        role: row.role,
        isOnStage: places.get(row.id) === 'on',
        isBarred: banned || queued,
        banned,
        queued,
      }
      return [[row.id, person] as const]
    }),
  )
}
