import { sql } from 'drizzle-orm'
import { afterCommit, ambientClient, writeWithCommit } from '../db/db.ts'
import { publishToRedis, sendNotification, usesRedis } from './process-notification.ts'

/**
 * Publishes an event to the subscribers of a channel of the current tenant when the surrounding transaction is
 * committed. Has to be the last statement inside `inTenant`: until the commit, other publishers of the tenant wait for
 * its lock.
 */
export async function publish(channel: string, payload: unknown): Promise<void> {
  const client = ambientClient()
  if (!client) throw new TypeError('publish belongs inside inTenant')
  const { rows } = await client.query(PUBLISH, [channel, JSON.stringify(payload), !usesRedis])
  if (usesRedis) afterCommit(() => publishToRedis({ t: rows[0].tenant, c: channel, i: Number(rows[0].id) }))
}

const PUBLISH = 'select publish_live($1, $2, $3)::text as id, current_tenant() as tenant'

/**
 * The same in one message with the commit: it needs no additional round trip, and other publishers of the tenant wait
 * only for the commit. For events that are published often.
 */
export async function publishWithCommit(channel: string, payload: unknown): Promise<void> {
  // The notification to Redis needs the id of the event.
  if (usesRedis) return publish(channel, payload)
  writeWithCommit({ toSQL: () => ({ sql: PUBLISH, params: [channel, JSON.stringify(payload), true] }) })
}

/** Publishes the same event on several channels, with the commit of the surrounding transaction. */
export async function publishToEach(channels: readonly string[], payload: unknown): Promise<void> {
  if (channels.length === 0) return
  if (usesRedis) {
    for (const channel of channels) await publish(channel, payload)
    return
  }
  writeWithCommit({ toSQL: () => ({ sql: PUBLISH_TO_EACH, params: [channels, JSON.stringify(payload)] }) })
}

const PUBLISH_TO_EACH = 'select publish_live(channel, $2, true) from unnest($1::text[]) channel'

/**
 * The id of the newest event of the current tenant, as a column of a statement: a stream that resumes there misses no
 * event after the rows of that statement were read. Null when there is none.
 */
export const newestLiveEventId = sql<number | null>`(select max(id) from live_event)`.mapWith(Number)

/** Ends the streams of a user, or of one session, in all processes when the surrounding transaction is committed. */
export function endStreamsOfUser(userId: string, sessionId?: string): Promise<void> {
  return sendNotification({ cut: sessionId ? { userId, sessionId } : { userId } })
}

/** Ends the streams of these sessions, as `endStreamsOfUser`. */
export async function endStreamsOfSessions(sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) await sendNotification({ cut: { sessionId } })
}
