import { and, asc, eq } from 'drizzle-orm'
import type { TimeRange } from '#lib/core/broadcast/recording/time-range.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { Payload } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { encoderOwnerOf } from '../stage/encoder-sources.ts'

/** Streams on the stage from an instant on; wall clock, ms since 1970. */
export interface StageStreams {
  changedAt: number
  streams: readonly string[]
}

/** A camera or screen is published shortly before it is on the stage. */
const START_TOLERANCE_MS = 2000

/** Which streams were on the stage of a session, from its log, also before the start. */
export async function readStageStreams(tx: Tx, sessionId: string): Promise<StageStreams[]> {
  const rows = await tx
    .select({ at: workshopEvent.at, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'broadcast.change')))
    .orderBy(asc(workshopEvent.seq))
  return rows.map(({ at, payload }) => {
    // The payload was validated when it was written.
    const { onAir } = payload as Payload<'broadcast.change'>
    return { changedAt: at.getTime(), streams: onAir.map(({ stream }) => stream) }
  })
}

/**
 * The times at which a stream was on the stage. An encoder publishes before a presenter puts it on the stage and after it
 * was removed. Cameras and screens are on the stage whenever they publish, so that a session whose log has no changes of
 * the stage is recorded with them.
 */
export function stageTimesOf(stream: string, changes: readonly StageStreams[]): TimeRange[] {
  const isEncoder = encoderOwnerOf(stream) !== null
  if (changes.length === 0 && !isEncoder) return [{ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }]
  const tolerance = isEncoder ? 0 : START_TOLERANCE_MS
  const times: TimeRange[] = []
  for (const [index, { changedAt, streams }] of changes.entries()) {
    if (!streams.includes(stream)) continue
    const [from, until] = [changedAt - tolerance, changes[index + 1]?.changedAt ?? Number.POSITIVE_INFINITY]
    const last = times.at(-1)
    if (last && from <= last.until) last.until = until
    else times.push({ from, until })
  }
  return times
}
