import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { FOLLOW_UP_DELAY_MINUTES } from './email/rules.ts'
import { registration } from './table.ts'

/**
 * Schedules the follow-up emails with the replay, one kind per attendance, in the transaction that finishes the
 * session.
 */
export async function scheduleFollowUpEmails(
  _tx: Tx,
  { tenantId, workshopId, sessionId }: { tenantId: string; workshopId: string; sessionId: string },
): Promise<void> {
  const startAfter = new Date(Date.now() + FOLLOW_UP_DELAY_MINUTES * MINUTE_MS)
  const jobData = { tenantId, workshopId, sessionId }
  for (const kind of ['attended', 'leftEarly', 'missed'] as const) {
    const options = { startAfter, singletonKey: `${sessionId}/${kind}` }
    await enqueueJob('registration.remind', { ...jobData, kind }, options)
  }
}

export interface Attendance {
  registrationId: string
  firstAt: Date
  lastAt: Date
  /** Presence in the room so far. */
  seconds: number
}

/** Records attendance of registrants: the earliest join, the latest presence and the longest duration are kept. */
export async function recordAttendance(tx: Tx, attended: readonly Attendance[]): Promise<void> {
  if (attended.length === 0) return
  const columns = {
    id: attended.map(({ registrationId }) => registrationId),
    first: attended.map(({ firstAt: first }) => first.toISOString()),
    last: attended.map(({ lastAt: last }) => last.toISOString()),
    seconds: attended.map(({ seconds }) => Math.round(seconds)),
  }
  await tx
    .update(registration)
    .set({
      firstJoinedAt: sql`least(${registration.firstJoinedAt}, told.first)`,
      lastSeenAt: sql`greatest(${registration.lastSeenAt}, told.last)`,
      watchedSeconds: sql`greatest(${registration.watchedSeconds}, told.seconds)`,
    })
    .from(
      sql`unnest(${param(columns.id)}::uuid[], ${param(columns.first)}::timestamptz[], ${param(columns.last)}::timestamptz[],
        ${param(columns.seconds)}::int[]) as told(id, first, last, seconds)`,
    )
    .where(eq(registration.id, sql`told.id`))
}

// One array parameter, not a list of parameters.
const param = (values: readonly (string | number)[]) => sql.param(values)
