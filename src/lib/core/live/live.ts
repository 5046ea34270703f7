import { sql } from 'drizzle-orm'
import { afterCommit, ambientClient } from '../db/db.ts'
import { byRedis, shout, tell } from './notice.ts'

/**
 * Says something to all who listen on a channel of the current school, once the surrounding transaction is committed.
 * Call it inside `inTenant`, as the last statement: from here to the commit the school's other speakers wait.
 */
export async function publish(channel: string, payload: unknown): Promise<void> {
  const client = ambientClient()
  if (!client) throw new TypeError('publish belongs inside inTenant')
  const said = 'select publish_live($1, $2, $3)::text as id, current_tenant() as tenant'
  const { rows } = await client.query(said, [channel, JSON.stringify(payload), !byRedis])
  if (byRedis) afterCommit(() => shout({ t: rows[0].tenant, c: channel, i: Number(rows[0].id) }))
}

/**
 * The newest of what was said in the current school, as a column of a statement: who resumes a stream there misses
 * nothing of what happened after the rows of that statement were read. Null when nothing was.
 */
export const newestSaid = sql<number | null>`(select max(id) from live_event)`.mapWith(Number)

/** Ends the streams of a person, or of one session, in all processes, once the surrounding transaction is committed. */
export function cutStreams(userId: string, sessionId?: string): Promise<void> {
  return tell({ cut: sessionId ? { userId, sessionId } : { userId } })
}

/** Ends the streams of these sessions, as `cutStreams`. */
export async function cutSessions(sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) await tell({ cut: { sessionId } })
}
