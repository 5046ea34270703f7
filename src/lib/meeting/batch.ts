import { AsyncLocalStorage } from 'node:async_hooks'
import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndSay } from './publish-events.ts'

/*
 * What many people do in a room at once is collected for a quarter of a second: one transaction, one lock of the log and
 * one word to the room for all of it. Each caller is answered after the commit, or refused alone.
 */

/** An event that waits for its batch, and when it came. */
export interface Entry {
  event: NewEvent
  at: Date
}

/**
 * Decides about the entries of a batch that carry this very function: once a batch, under the lock of the log, before
 * anything is appended; as many answers as entries. A Refusal is for that caller alone, null is not worth an event, an
 * event is appended in place of what was asked. May write beside the log: it is the same transaction.
 */
export type Judge = (
  tx: Tx,
  session: SessionRef,
  entries: readonly Entry[],
) => Promise<readonly (Refusal | NewEvent | null)[]>

/**
 * Appends an event in the next batch of its session; not inside a transaction. Gives it as it stands in the log; null
 * when it had been said before (same person, same clientId) or the judge found it not worth one.
 * Rejects with the judge's refusal, and not_found for no such session.
 */
export function appendInBatch(session: SessionRef, event: NewEvent, judge: Judge | null = null) {
  const line = lines.get(session.id) ?? { waiting: [], running: false }
  lines.set(session.id, line)
  return new Promise<RoomEvent | null>((resolve, reject) => {
    line.waiting.push({ event, at: new Date(), judge, resolve, reject })
    if (!line.running) begin(session, line)
  })
}

const WINDOW_MS = 250
const MOST_AT_ONCE = 500

interface Waiting extends Entry {
  judge: Judge | null
  resolve(event: RoomEvent | null): void
  reject(error: unknown): void
}

interface Line {
  waiting: Waiting[]
  running: boolean
}

const lines = new Map<string, Line>()
// A timer keeps the context of who set it, and with it somebody's transaction: a batch belongs to nobody.
const outside = AsyncLocalStorage.snapshot()

function begin(session: SessionRef, line: Line): void {
  line.running = true
  outside(() => setTimeout(() => void drain(session, line), WINDOW_MS))
}

async function drain(session: SessionRef, line: Line): Promise<void> {
  const started = performance.now()
  await settle(session, line.waiting.splice(0, MOST_AT_ONCE))
  if (line.waiting.length === 0) {
    lines.delete(session.id)
    return
  }
  const rest = line.waiting.length >= MOST_AT_ONCE ? 0 : WINDOW_MS - (performance.now() - started)
  setTimeout(() => void drain(session, line), Math.max(0, rest))
}

async function settle(session: SessionRef, batch: Waiting[]): Promise<void> {
  try {
    const said = await run(session, batch)
    for (const [index, one] of batch.entries()) {
      const outcome = said[index] ?? null
      if (outcome instanceof Refusal) one.reject(outcome)
      else one.resolve(outcome)
    }
  } catch (error) {
    if (batch.length === 1) return batch[0]?.reject(error)
    // A bad one must not take the others with it.
    for (const one of batch) await settle(session, [one])
  }
}

function run(session: SessionRef, batch: readonly Waiting[]): Promise<(Refusal | RoomEvent | null)[]> {
  return inTenant(session, async (tx) => {
    await lockLog(tx, session)
    const judged = await judgeAll(tx, session, batch)
    const news: (NewEvent & { at: Date })[] = []
    const places = judged.map((one, index) => {
      if (one === null || one instanceof Refusal) return one
      return news.push({ ...one, at: batch[index]?.at ?? new Date() }) - 1
    })
    if (news.length === 0) return places.map((one) => (typeof one === 'number' ? null : one))
    const { of } = await appendAndSay(tx, { tenantId: session.tenantId, sessionId: session.id }, news)
    return places.map((one) => (typeof one === 'number' ? (of[one] ?? null) : one))
  })
}

async function lockLog(tx: Tx, { id }: SessionRef): Promise<void> {
  const { id: sessionId } = workshopSession
  const found = await tx.select({ sessionId }).from(workshopSession).where(eq(sessionId, id)).for('no key update')
  if (found.length === 0) throw new Refusal('not_found')
}

async function judgeAll(
  tx: Tx,
  session: SessionRef,
  batch: readonly Waiting[],
): Promise<(Refusal | NewEvent | null)[]> {
  const judged: (Refusal | NewEvent | null)[] = batch.map(({ event }) => event)
  const own = Map.groupBy(batch.keys(), (index) => batch[index]?.judge ?? null)
  for (const [judge, indexes] of own) {
    if (!judge) continue
    const answers = await judge(
      tx,
      session,
      indexes.flatMap((index) => batch[index] ?? []),
    )
    for (const [place, index] of indexes.entries()) judged[index] = answers[place] ?? null
  }
  return judged
}
