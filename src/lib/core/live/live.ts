import { sql } from 'drizzle-orm'
import { ambientClient, writeWithCommit } from '../db/db.ts'
import { publishToRedis, sendNotification, usesRedis } from './process-notification.ts'

/**
 * Publishes an event to the subscribers of a channel of the current tenant when the surrounding transaction is committed.
 * It is sent in one message with the commit, whatever follows in the transaction: other publishers of the tenant wait for
 * its lock only while the commit is executed.
 */
export async function publish(channel: string, payload: unknown): Promise<void> {
  publishEach([channel], payload)
}

/** Publishes the same event on several channels, as `publish`. */
export async function publishToEach(channels: readonly string[], payload: unknown): Promise<void> {
  if (channels.length > 0) publishEach(channels, payload)
}

function publishEach(channels: readonly string[], payload: unknown): void {
  if (!ambientClient()) throw new TypeError('publish belongs inside inTenant')
  const params = [channels, JSON.stringify(payload), !usesRedis]
  writeWithCommit(
    { toSQL: () => ({ sql: PUBLISH, params }) },
    { isLast: true, ...(usesRedis && { onCommitted: notifyByRedis }) },
  )
}

function notifyByRedis(rows: Record<string, unknown>[]): void {
  for (const { tenant, channel, id } of rows) publishToRedis({ t: String(tenant), c: String(channel), i: Number(id) })
}

const PUBLISH = `select publish_live(channel, $2, $3)::text as id, channel, current_tenant() as tenant
  from unnest($1::text[]) channel`

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
