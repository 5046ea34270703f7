import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { EventType } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { workshopSession } from '../table.ts'
import { EVENT_PAYLOADS, type NewEvent, type RoomEvent } from './event-schema.ts'
import { workshopEvent } from './event-table.ts'
import { applySessionEvent } from './state-rules.ts'
import type { RoomState } from './state-schema.ts'

export interface SessionRef {
  tenantId: string
  id: string
}

export interface AppendedEvents {
  /** New entries in order; duplicates (same participant, same clientId) are omitted. */
  events: RoomEvent[]
  /** The entries by input position: null for a duplicate. */
  byInput: (RoomEvent | null)[]
  state: RoomState
}

/**
 * Appends to the event log of a session and applies the events to its state, in the surrounding transaction; the lock
 * of the session's row orders the log. `at` may be in the past, for example when a message was sent; default: now.
 * Refuses with not_found; throws for an invalid payload.
 */
export async function appendEvents(
  tx: Tx,
  { tenantId, id: sessionId }: SessionRef,
  newEvents: readonly (NewEvent & { at?: Date })[],
  now = new Date(),
): Promise<AppendedEvents> {
  const [session] = await tx
    .select({ nextSeq: workshopSession.nextSeq, state: workshopSession.state, startAt: workshopSession.startAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
    .for('no key update')
  if (!session) throw new Refusal('not_found')
  const unseen = await withoutDuplicates(tx, sessionId, newEvents)
  let { state, nextSeq } = session
  const eventByInput = new Map<NewEvent, RoomEvent>()
  const rows = unseen.map((input) => {
    const at = input.at ?? now
    const start =
      input.type === 'webinar.start' ? at.getTime() : (state.startedAt ?? session.startAt?.getTime() ?? at.getTime())
    const row = {
      sessionId,
      seq: nextSeq++,
      at,
      offsetMs: Math.max(-MAX_OFFSET_MS, Math.min(MAX_OFFSET_MS, at.getTime() - start)),
      actorId: input.actorId ?? null,
      clientId: input.clientId ?? null,
      type: input.type,
      audience: input.audience ?? ('all' as const),
      personId: input.personId ?? null,
      payload: parseStored(EVENT_PAYLOADS[input.type], input.payload),
    }
    const event = toRoomEvent(row)
    eventByInput.set(input, event)
    state = applySessionEvent(state, event)
    return row
  })
  const loggedEvents = newEvents.map((input) => eventByInput.get(input) ?? null)
  if (rows.length === 0) return { events: [], byInput: loggedEvents, state }
  await tx.insert(workshopEvent).values(rows.map((row) => ({ ...row, tenantId })))
  const same = state === session.state
  const phaseChanged = rows.some(({ type }) => type === 'webinar.start' || type === 'webinar.finish')
  await tx
    .update(workshopSession)
    .set({
      nextSeq,
      ...(same ? {} : { state }),
      ...(phaseChanged && { startedAt: dateOf(state.startedAt), finishedAt: dateOf(state.finishedAt) }),
    })
    .where(eq(workshopSession.id, sessionId))
  if (phaseChanged && state.finishedAt !== null) {
    await requestAutomations(tenantId, 'eventMissed', { studentId: null, subjectId: sessionId })
  }
  return { events: [...eventByInput.values()], byInput: loggedEvents, state }
}

export interface ReadEventsOptions {
  /** Only entries after this sequence number. */
  after?: number
  /** Only these types. */
  types?: readonly EventType[]
  limit?: number
  /** The reader: staff see all entries, a participant those that are public or addressed to them. */
  reader: 'staff' | { personId: string }
}

/** Entries of a session's event log in order, as far as the reader may see them; at most `limit` (1,000). */
export async function readEvents(
  tx: Tx,
  sessionId: string,
  { after = 0, types, limit: most = 1000, reader }: ReadEventsOptions,
) {
  const rows = await tx
    .select({
      seq: workshopEvent.seq,
      at: workshopEvent.at,
      offsetMs: workshopEvent.offsetMs,
      actorId: workshopEvent.actorId,
      audience: workshopEvent.audience,
      type: workshopEvent.type,
      payload: workshopEvent.payload,
    })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        gt(workshopEvent.seq, after),
        types ? inArray(workshopEvent.type, [...types]) : undefined,
        reader === 'staff'
          ? undefined
          : or(
              eq(workshopEvent.audience, 'all'),
              and(eq(workshopEvent.audience, 'person'), eq(workshopEvent.personId, reader.personId)),
            ),
      ),
    )
    .orderBy(asc(workshopEvent.seq))
    .limit(most)
  return rows.map(toRoomEvent)
}

// Offsets are 32-bit: about three weeks in each direction.
const MAX_OFFSET_MS = 2_000_000_000

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

interface Row extends Omit<RoomEvent, 'at' | 'payload'> {
  at: Date
  payload: object
}

// The payload was validated when it was written.
function toRoomEvent({ seq, at, offsetMs, actorId, audience, type, payload }: Row): RoomEvent {
  return { seq, at: at.getTime(), offsetMs, actorId, audience, type, payload } as RoomEvent
}

async function withoutDuplicates<T extends NewEvent>(tx: Tx, sessionId: string, newEvents: readonly T[]): Promise<T[]> {
  const withClientId = newEvents.filter(({ clientId, actorId }) => clientId && actorId)
  if (withClientId.length === 0) return [...newEvents]
  const { actorId, clientId } = workshopEvent
  const existing = await tx
    .select({ actorId, clientId })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        inArray(actorId, [...new Set(withClientId.map((event) => event.actorId ?? ''))]),
        inArray(clientId, [...new Set(withClientId.map((event) => event.clientId ?? ''))]),
      ),
    )
  const seen = new Set(existing.map((event) => `${event.actorId} ${event.clientId}`))
  return newEvents.filter((event) => {
    if (!event.clientId || !event.actorId) return true
    const key = `${event.actorId} ${event.clientId}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
