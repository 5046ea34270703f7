import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { AFTERWARDS_MINUTES } from './letter-rules.ts'
import { registration } from './table.ts'

/**
 * A session is over: whoever registered is told of the replay, each in the words for what they did. In the transaction
 * that ends it.
 */
export async function noteFinished(
  _tx: Tx,
  { tenantId, workshopId, sessionId }: { tenantId: string; workshopId: string; sessionId: string },
): Promise<void> {
  const startAfter = new Date(Date.now() + AFTERWARDS_MINUTES * 60_000)
  const about = { tenantId, workshopId, sessionId }
  for (const kind of ['attended', 'leftEarly', 'missed'] as const) {
    const options = { startAfter, singletonKey: `${sessionId}/${kind}` }
    await enqueueJob('registration.remind', { ...about, kind }, options)
  }
}

export interface Attendance {
  first: Date
  last: Date
  /** Of presence in the room so far. */
  seconds: number
}

/** Somebody with a personal link is in the room: the earliest, the latest and the most of what was ever told stand. */
export async function noteAttendance(
  tx: Tx,
  registrationId: string,
  { first, last, seconds }: Attendance,
): Promise<void> {
  await tx
    .update(registration)
    .set({
      firstJoinedAt: sql`least(${registration.firstJoinedAt}, ${first.toISOString()}::timestamptz)`,
      lastSeenAt: sql`greatest(${registration.lastSeenAt}, ${last.toISOString()}::timestamptz)`,
      watchedSeconds: sql`greatest(${registration.watchedSeconds}, ${Math.round(seconds)}::int)`,
    })
    .where(eq(registration.id, registrationId))
}
