import { eq } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndPublish } from './publish-events.ts'

/*
 * Events of many participants are collected for a quarter of a second and appended in one transaction, with one lock of
 * the log and one message to the room. Each caller gets its own result after the commit, or its own refusal.
 */

/** An event in a batch, with the time it was received. */
export interface BatchEntry {
  event: NewEvent
  at: Date
}

/**
 * Checks the entries of a batch that were submitted with this function: once per batch, under the lock of the log,
 * before anything is appended. Returns one result per entry: a Refusal for that caller, null for no event, or the event
 * to append. May write other tables in the same transaction.
 */
export type BatchCheck = (
  tx: Tx,
  session: SessionRef,
  entries: readonly BatchEntry[],
) => Promise<readonly (Refusal | NewEvent | null)[]>

/**
 * Appends an event in the next batch of its session; not inside a transaction. Resolves with the log entry; null for a
 * duplicate (same participant, same clientId) or when the check drops it. Rejects with the refusal of the check, and
 * not_found for an unknown session.
 */
export function appendInBatch(
  session: SessionRef,
  event: NewEvent,
  check: BatchCheck | null = null,
): Promise<RoomEvent | null> {
  const { tenantId, id } = session
  return append(`${tenantId} ${id}`, { session: { tenantId, id }, event, at: new Date(), check })
}

interface PendingEntry extends BatchEntry {
  session: SessionRef
  check: BatchCheck | null
}

const append = createBatcher<PendingEntry, RoomEvent | null>(
  async (_, entries) => (entries[0] ? appendEntries(entries[0].session, entries) : []),
  { maxSize: 500, windowMs: 250 },
)

function appendEntries(session: SessionRef, batch: readonly PendingEntry[]): Promise<(Refusal | RoomEvent | null)[]> {
  return inTenant(session, async (tx) => {
    await lockEventLog(tx, session)
    const outcomes = await checkEntries(tx, session, batch)
    const newEvents: (NewEvent & { at: Date })[] = []
    const positions = outcomes.map((outcome, index) => {
      if (outcome === null || outcome instanceof Refusal) return outcome
      return newEvents.push({ ...outcome, at: batch[index]?.at ?? new Date() }) - 1
    })
    if (newEvents.length === 0) return positions.map((outcome) => (typeof outcome === 'number' ? null : outcome))
    const { byInput } = await appendAndPublish(tx, { tenantId: session.tenantId, sessionId: session.id }, newEvents)
    return positions.map((outcome) => (typeof outcome === 'number' ? (byInput[outcome] ?? null) : outcome))
  })
}

async function lockEventLog(tx: Tx, { id }: SessionRef): Promise<void> {
  const { id: sessionId } = workshopSession
  const rows = await tx.select({ sessionId }).from(workshopSession).where(eq(sessionId, id)).for('no key update')
  if (rows.length === 0) throw new Refusal('not_found')
}

async function checkEntries(
  tx: Tx,
  session: SessionRef,
  batch: readonly PendingEntry[],
): Promise<(Refusal | NewEvent | null)[]> {
  const outcomes: (Refusal | NewEvent | null)[] = batch.map(({ event }) => event)
  const groups = Map.groupBy(batch.keys(), (index) => batch[index]?.check ?? null)
  for (const [check, indexes] of groups) {
    if (!check) continue
    const results = await check(
      tx,
      session,
      indexes.flatMap((index) => batch[index] ?? []),
    )
    for (const [position, index] of indexes.entries()) outcomes[index] = results[position] ?? null
  }
  return outcomes
}
