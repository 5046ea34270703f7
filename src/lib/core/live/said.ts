import { and, desc, gt, sql } from 'drizzle-orm'
import { inTenant } from '../db/db.ts'
import { liveEvent } from './table.ts'

export interface Said {
  /** The newest event when the reading began: where streams start that resume nothing. */
  start: number
  /** Which of the ids to resume after are still in the table. */
  known: ReadonlySet<number>
  /** In the order in which they were said. */
  events: { id: number; channel: string; payload: string }[]
  /** There were more events than are read at once; the oldest are missing. */
  cutOff: boolean
  /** All up to here is read. */
  position: number
}

/** More than this in one go is not worth sending: listeners load their state anew. */
const MOST = 500

/**
 * What was said on these channels of a school after the position, or after the oldest known id among those that streams
 * want to resume after; `resumes` is null when no stream is waiting to be let in.
 */
export function readEvents(
  tenantId: string,
  channels: string[],
  from: { position: number | null; resumes: number[] | null },
): Promise<Said> {
  return inTenant({ tenantId }, async (tx) => {
    const known = new Set<number>()
    let start = from.position ?? 0
    if (from.resumes) {
      const ids = sql`array(select id from ${liveEvent} where id = any(${sql.param(from.resumes)}::bigint[]))`
      const newest = sql`(select coalesce(max(id), 0) from ${liveEvent})`
      const { rows } = await tx.execute<{ newest: string; known: string[] }>(
        sql`select ${newest} as newest, ${ids} as known`,
      )
      for (const id of rows[0]?.known ?? []) known.add(Number(id))
      start = Number(rows[0]?.newest ?? 0)
    }
    const after = Math.min(from.position ?? start, ...known)
    const { id, channel } = liveEvent
    const latest = await tx
      .select({ id, channel, payload: sql<string>`${liveEvent.payload}::text` })
      .from(liveEvent)
      .where(and(sql`${channel} = any(${sql.param(channels)}::text[])`, gt(id, after)))
      .orderBy(desc(id))
      .limit(MOST + 1)
    const events = latest.slice(0, MOST).reverse()
    const position = Math.max(from.position ?? 0, start, events.at(-1)?.id ?? 0)
    return { start, known, events, cutOff: latest.length > MOST, position }
  })
}
