import { AsyncLocalStorage } from 'node:async_hooks'
import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndPublish } from './publish-events.ts'

/*
 * What many people do in a room at once is collected for a quarter of a second: one transaction, one lock of the log and
 * one word to the room for all of it. Each caller is answered after the commit, or refused alone.
 */

/** An event that waits for its batch, and when it came. */
export interface BatchEntry {
  event: NewEvent
  at: Date
}

/**
 * Decides about the entries of a batch that carry this very function: once a batch, under the lock of the log, before
 * anything is appended; as many answers as entries. A Refusal is for that caller alone, null is not worth an event, an
 * event is appended in place of what was asked. May write beside the log: it is the same transaction.
 */
export type BatchCheck = (
  tx: Tx,
  session: SessionRef,
  entries: readonly BatchEntry[],
) => Promise<readonly (Refusal | NewEvent | null)[]>

/**
 * Appends an event in the next batch of its session; not inside a transaction. Gives it as it stands in the log; null
 * when it had been said before (same person, same clientId) or the judge found it not worth one.
 * Rejects with the judge's refusal, and not_found for no such session.
 */
export function appendInBatch(session: SessionRef, event: NewEvent, check: BatchCheck | null = null) {
  const batch = batches.get(session.id) ?? { pending: [], isRunning: false }
  batches.set(session.id, batch)
  return new Promise<RoomEvent | null>((resolve, reject) => {
    batch.pending.push({ event, at: new Date(), check, resolve, reject })
    if (!batch.isRunning) scheduleBatch(session, batch)
  })
}

const BATCH_WINDOW_MS = 250
const MAX_BATCH_SIZE = 500

interface PendingEntry extends BatchEntry {
  check: BatchCheck | null
  resolve(event: RoomEvent | null): void
  reject(error: unknown): void
}

interface SessionBatch {
  pending: PendingEntry[]
  isRunning: boolean
}

const batches = new Map<string, SessionBatch>()
// A timer keeps the context of who set it, and with it somebody's transaction: a batch belongs to nobody.
const runOutsideContext = AsyncLocalStorage.snapshot()

function scheduleBatch(session: SessionRef, batch: SessionBatch): void {
  batch.isRunning = true
  runOutsideContext(() => setTimeout(() => void drainBatch(session, batch), BATCH_WINDOW_MS))
}

async function drainBatch(session: SessionRef, batch: SessionBatch): Promise<void> {
  const started = performance.now()
  await settleEntries(session, batch.pending.splice(0, MAX_BATCH_SIZE))
  if (batch.pending.length === 0) {
    batches.delete(session.id)
    return
  }
  const remainingMs = batch.pending.length >= MAX_BATCH_SIZE ? 0 : BATCH_WINDOW_MS - (performance.now() - started)
  setTimeout(() => void drainBatch(session, batch), Math.max(0, remainingMs))
}

async function settleEntries(session: SessionRef, batch: PendingEntry[]): Promise<void> {
  try {
    const results = await appendEntries(session, batch)
    for (const [index, entry] of batch.entries()) {
      const outcome = results[index] ?? null
      if (outcome instanceof Refusal) entry.reject(outcome)
      else entry.resolve(outcome)
    }
  } catch (error) {
    if (batch.length === 1) return batch[0]?.reject(error)
    // A bad one must not take the others with it.
    for (const entry of batch) await settleEntries(session, [entry])
  }
}

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
    const { byInput: of } = await appendAndPublish(tx, { tenantId: session.tenantId, sessionId: session.id }, newEvents)
    return positions.map((outcome) => (typeof outcome === 'number' ? (of[outcome] ?? null) : outcome))
  })
}

async function lockEventLog(tx: Tx, { id }: SessionRef): Promise<void> {
  const { id: sessionId } = workshopSession
  const found = await tx.select({ sessionId }).from(workshopSession).where(eq(sessionId, id)).for('no key update')
  if (found.length === 0) throw new Refusal('not_found')
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
