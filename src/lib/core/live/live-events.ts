import { and, desc, gt, sql } from 'drizzle-orm'
import { inTenant } from '../db/db.ts'
import { liveEvent } from './table.ts'

export interface LiveEvents {
  /** The newest event at the beginning of the query: streams without an id to resume after start there. */
  newestId: number
  /** The ids to resume after that are still in the table. */
  knownIds: ReadonlySet<number>
  /** In the order in which they were published. */
  events: { id: number; channel: string; payload: string }[]
  /** There were more events than the limit; the oldest are missing. */
  isTruncated: boolean
  /** Events up to this id have been read. */
  position: number
}

/** With more events than this, subscribers load their state again instead. */
const MAX_EVENTS = 500

/**
 * Reads the events on channels of a tenant after a position, or after the oldest known id of those that joining streams
 * want to resume after. `resumeIds` is null when no stream is joining.
 */
export function readLiveEvents(
  tenantId: string,
  channels: string[],
  from: { position: number | null; resumeIds: number[] | null },
): Promise<LiveEvents> {
  return inTenant({ tenantId }, async (tx) => {
    const knownIds = new Set<number>()
    let newestId = from.position ?? 0
    if (from.resumeIds) {
      const ids = sql`array(select id from ${liveEvent} where id = any(${sql.param(from.resumeIds)}::bigint[]))`
      const newest = sql`(select coalesce(max(id), 0) from ${liveEvent})`
      const { rows } = await tx.execute<{ newest: string; known: string[] }>(
        sql`select ${newest} as newest, ${ids} as known`,
      )
      for (const id of rows[0]?.known ?? []) knownIds.add(Number(id))
      newestId = Number(rows[0]?.newest ?? 0)
    }
    const after = Math.min(from.position ?? newestId, ...knownIds)
    const { id, channel } = liveEvent
    const latest = await tx
      .select({ id, channel, payload: sql<string>`${liveEvent.payload}::text` })
      .from(liveEvent)
      .where(and(sql`${channel} = any(${sql.param(channels)}::text[])`, gt(id, after)))
      .orderBy(desc(id))
      .limit(MAX_EVENTS + 1)
    const events = latest.slice(0, MAX_EVENTS).reverse()
    const position = Math.max(from.position ?? 0, newestId, events.at(-1)?.id ?? 0)
    return { newestId, knownIds, events, isTruncated: latest.length > MAX_EVENTS, position }
  })
}
