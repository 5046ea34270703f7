import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { EventType } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/stored.ts'
import { workshopSession } from '../table.ts'
import { EVENT_PAYLOADS, type NewEvent, type RoomEvent } from './event-schema.ts'
import { workshopEvent } from './event-table.ts'
import { foldRoom } from './state-rules.ts'
import type { RoomState } from './state-schema.ts'

export interface SessionRef {
  tenantId: string
  id: string
}

export interface Appended {
  /** What is new in the log, in its order: an event that was said before (same person, same clientId) is not in it. */
  events: RoomEvent[]
  /** The same by what was to be appended: null for what had been said before. */
  of: (RoomEvent | null)[]
  state: RoomState
}

/**
 * Appends to the log of a session and folds its state on, in the surrounding transaction; the lock of the session's row
 * is the order of the log. `at` may lie in the past, e.g. when a message was sent; now when absent.
 * Refuses with not_found; a payload that is none throws.
 */
export async function appendEvents(
  tx: Tx,
  { tenantId, id: sessionId }: SessionRef,
  news: readonly (NewEvent & { at?: Date })[],
  now = new Date(),
): Promise<Appended> {
  const [session] = await tx
    .select({ nextSeq: workshopSession.nextSeq, state: workshopSession.state, startAt: workshopSession.startAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
    .for('no key update')
  if (!session) throw new Refusal('not_found')
  const fresh = await withoutSaid(tx, sessionId, news)
  let { state, nextSeq } = session
  const made = new Map<NewEvent, RoomEvent>()
  const rows = fresh.map((one) => {
    const at = one.at ?? now
    const start =
      one.type === 'webinar.start' ? at.getTime() : (state.startedAt ?? session.startAt?.getTime() ?? at.getTime())
    const row = {
      sessionId,
      seq: nextSeq++,
      at,
      offsetMs: Math.max(-MOST_MS, Math.min(MOST_MS, at.getTime() - start)),
      actorId: one.actorId ?? null,
      clientId: one.clientId ?? null,
      type: one.type,
      audience: one.audience ?? ('all' as const),
      personId: one.personId ?? null,
      payload: parseStored(EVENT_PAYLOADS[one.type], one.payload),
    }
    const event = eventOf(row)
    made.set(one, event)
    state = foldRoom(state, event)
    return row
  })
  const of = news.map((one) => made.get(one) ?? null)
  if (rows.length === 0) return { events: [], of, state }
  await tx.insert(workshopEvent).values(rows.map((row) => ({ ...row, tenantId })))
  const same = state === session.state
  const begun = rows.some(({ type }) => type === 'webinar.start' || type === 'webinar.finish')
  await tx
    .update(workshopSession)
    .set({
      nextSeq,
      ...(same ? {} : { state }),
      ...(begun && { startedAt: dateOf(state.startedAt), finishedAt: dateOf(state.finishedAt) }),
    })
    .where(eq(workshopSession.id, sessionId))
  return { events: [...made.values()], of, state }
}

export interface ReadEvents {
  /** Only what comes after this number. */
  after?: number
  /** Only these types. */
  types?: readonly EventType[]
  most?: number
  /** Who reads: staff everything, a person what is for all and for them. */
  reader: 'staff' | { personId: string }
}

/** The log of a session in its order, as far as the reader may know it; at most `most` (1,000). */
export async function readEvents(tx: Tx, sessionId: string, { after = 0, types, most = 1000, reader }: ReadEvents) {
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
  return rows.map(eventOf)
}

// An offset is kept in 32 bits: some three weeks to either side are enough.
const MOST_MS = 2_000_000_000

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

interface Row extends Omit<RoomEvent, 'at' | 'payload'> {
  at: Date
  payload: object
}

// The payload was checked against its type when it was written.
function eventOf({ seq, at, offsetMs, actorId, audience, type, payload }: Row): RoomEvent {
  return { seq, at: at.getTime(), offsetMs, actorId, audience, type, payload } as RoomEvent
}

async function withoutSaid<T extends NewEvent>(tx: Tx, sessionId: string, news: readonly T[]): Promise<T[]> {
  const keyed = news.filter(({ clientId, actorId }) => clientId && actorId)
  if (keyed.length === 0) return [...news]
  const { actorId, clientId } = workshopEvent
  const said = await tx
    .select({ actorId, clientId })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        inArray(actorId, [...new Set(keyed.map((one) => one.actorId ?? ''))]),
        inArray(clientId, [...new Set(keyed.map((one) => one.clientId ?? ''))]),
      ),
    )
  const seen = new Set(said.map((one) => `${one.actorId} ${one.clientId}`))
  return news.filter((one) => {
    if (!one.clientId || !one.actorId) return true
    const key = `${one.actorId} ${one.clientId}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
