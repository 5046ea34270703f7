import { and, asc, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import {
  cancelAutoSession,
  ensureAutoSession,
  isOnDemandStart,
  startAutoSession,
} from '#lib/workshop/session/session.ts'
import type { ModuleChecks } from '#lib/workshop/settings/publish.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type AutoPlan, countMinutes, readPlan, syncVideoLength } from './plan.ts'
import { canWatchNow, type PlannedSession, planSessions } from './schedule-rules.ts'

export interface ChosenSession {
  sessionId: string
  /** Null: it starts when its viewer enters. */
  startAt: Date | null
}

export interface OfferedSession extends PlannedSession {
  /** Null while no session row exists. */
  sessionId: string | null
}

/** How far ahead sessions are offered. */
const OFFER_AHEAD_MS = 60 * DAY_MS
/** Just-in-time sessions start on quarters of an hour; on-demand ones do not. */
const QUARTER_MS = 900_000

/** The next sessions that a visitor may choose from; none if the event is no published auto-webinar. */
export async function listOfferedSessions(
  tx: Tx,
  workshopId: string,
  { now, zone, limit = 20 }: { now: Date; zone: string; limit?: number },
): Promise<OfferedSession[]> {
  const plan = await readPlan(tx, workshopId)
  if (!plan || plan.isCanceled) return []
  const until = new Date(now.getTime() + OFFER_AHEAD_MS)
  const planned = planSessions(plan, { start: now, end: until, viewerZone: zone, now }).slice(0, limit)
  if (planned.length === 0) return []
  const sessions = await tx
    .select({ sessionId: workshopSession.id, startAt: workshopSession.startAt })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        inArray(
          workshopSession.startAt,
          planned.map(({ startAt }) => startAt),
        ),
      ),
    )
  const known = new Map(sessions.map(({ sessionId, startAt }) => [startAt?.getTime(), sessionId]))
  return planned.map((session) => ({ ...session, sessionId: known.get(session.startAt.getTime()) ?? null }))
}

/**
 * Session that a visitor chose; `now` for an on-demand session, which starts when they enter. Refuses with not_found
 * for a start that the schedule does not offer.
 */
export async function chooseSession(
  tx: Tx,
  workshopId: string,
  { startAt, viewerZone }: { startAt: Date | 'now'; viewerZone: string },
  now: Date,
): Promise<ChosenSession> {
  const plan = await readPlan(tx, workshopId)
  if (!plan || plan.isCanceled) throw new Refusal('not_found')
  if (startAt === 'now') {
    if (!canWatchNow(plan, viewerZone, now)) throw new Refusal('not_found')
    return createOnDemandSession(tx, plan)
  }
  const until = new Date(startAt.getTime() + 1)
  const offered = planSessions(plan, { start: startAt, end: until, viewerZone, now })
  if (!offered.some((session) => session.startAt.getTime() === startAt.getTime())) throw new Refusal('not_found')
  return ensureSession(tx, workshopId, startAt)
}

/**
 * Session for a visitor without a registration: the running one, else the next, else an on-demand one where the
 * schedule allows it; null when there is none.
 */
export async function findSessionToEnter(
  tx: Tx,
  workshopId: string,
  { viewerZone }: { viewerZone: string },
  now: Date,
): Promise<ChosenSession | null> {
  const plan = await readPlan(tx, workshopId)
  if (!plan || plan.isCanceled) return null
  const running = await findRunningStart(tx, plan, viewerZone, now)
  if (running) return ensureSession(tx, workshopId, running)
  const until = new Date(now.getTime() + OFFER_AHEAD_MS)
  const [next] = planSessions(plan, { start: now, end: until, viewerZone, now })
  if (canWatchNow(plan, viewerZone, now)) {
    const own = await createOnDemandSession(tx, plan)
    return { ...own, startAt: await startOnDemandSession(tx, own.sessionId, now) }
  }
  return next ? ensureSession(tx, workshopId, next.startAt) : null
}

/** Time before the start at which the video of a session is checked. */
const VIDEO_CHECK_BEFORE_MS = HOUR_MS
/** After this time without a viewer the page is not loading any more. */
const PAGE_LOAD_MS = 2 * MINUTE_MS

/**
 * Starts the on-demand session of a visitor and returns its id; scheduled sessions are not changed. Creates a new one
 * when the first was started without a viewer, e.g. by an email client that opened the link.
 */
export async function enterOnDemandSession(tx: Tx, sessionId: string, now: Date): Promise<string> {
  const { id, kind, startAt, workshopId } = workshopSession
  const [row] = await tx.select({ kind, startAt, workshopId }).from(workshopSession).where(eq(id, sessionId))
  if (row?.kind !== 'auto' || !isOnDemandStart(row.startAt)) return sessionId
  if (row.startAt === null) await startOnDemandSession(tx, sessionId, now)
  if (row.startAt === null || now.getTime() - row.startAt.getTime() < PAGE_LOAD_MS) return sessionId
  const plan = await readPlan(tx, row.workshopId)
  if (!plan || (await hasViewers(tx, sessionId))) return sessionId
  await cancelAutoSession(tx, sessionId, now)
  const own = await createOnDemandSession(tx, plan)
  await startOnDemandSession(tx, own.sessionId, now)
  return own.sessionId
}

async function startOnDemandSession(tx: Tx, sessionId: string, now: Date): Promise<Date | null> {
  const startAt = await startAutoSession(tx, sessionId, now)
  if (startAt) await enqueueAdvance(tx, sessionId, startAt)
  return startAt
}

async function createOnDemandSession(tx: Tx, plan: AutoPlan): Promise<{ sessionId: string; startAt: null }> {
  const { sessionId } = await ensureAutoSession(tx, plan.workshopId, {
    startAt: null,
    plannedMinutes: countMinutes(plan),
  })
  return { sessionId, startAt: null }
}

async function hasViewers(tx: Tx, sessionId: string): Promise<boolean> {
  const isConnection = and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'user.connect'))
  const rows = await tx.select({ seq: workshopEvent.seq }).from(workshopEvent).where(isConnection).limit(1)
  return rows.length > 0
}

/**
 * Session of an automated webinar at an instant, created if missing; idempotent and safe under concurrency. Does not
 * check the schedule.
 */
export async function ensureSession(tx: Tx, workshopId: string, startAt: Date): Promise<ChosenSession> {
  const plan = await syncVideoLength(tx, workshopId)
  if (!plan) throw new Refusal('not_found')
  const { sessionId, created: made } = await ensureAutoSession(tx, workshopId, {
    startAt,
    plannedMinutes: countMinutes(plan),
  })
  if (made) {
    await enqueueAdvance(tx, sessionId, startAt)
    // The run before the start finds a video that cannot be played while there is time to replace it.
    const checkAt = new Date(startAt.getTime() - VIDEO_CHECK_BEFORE_MS)
    if (checkAt > new Date()) await enqueueAdvance(tx, sessionId, checkAt)
  }
  return { sessionId, startAt }
}

/** Enqueues the job that advances the session's log. */
export async function enqueueAdvance(tx: Tx, sessionId: string, startAfter: Date): Promise<void> {
  const [row] = await tx
    .select({ tenantId: workshopSession.tenantId })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!row) return
  const singletonKey = `${sessionId} ${startAfter.getTime()}`
  await enqueueJob('autowebinar.turn', { ...row, sessionId }, { startAfter, singletonKey })
}

// A session of the dates or the weekly pattern may run although no row exists yet; on-demand sessions are private, and
// the schedule does not contain them.
async function findRunningStart(tx: Tx, plan: AutoPlan, viewerZone: string, now: Date): Promise<Date | null> {
  const since = new Date(now.getTime() - plan.lengthMs)
  const planned = planSessions(
    { ...plan, schedule: { ...plan.schedule, justInTime: null } },
    {
      start: since,
      end: now,
      viewerZone,
      now: since,
    },
  )
  const last = planned.at(-1)
  if (last) return last.startAt
  if (!plan.schedule.justInTime) return null
  const begun = await tx
    .select({ startAt: workshopSession.startAt })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, plan.workshopId),
        eq(workshopSession.kind, 'auto'),
        isNull(workshopSession.canceledAt),
        gt(workshopSession.startAt, since),
        lte(workshopSession.startAt, now),
      ),
    )
    .orderBy(desc(workshopSession.startAt), asc(workshopSession.id))
    .limit(50)
  return begun.find(({ startAt }) => startAt && startAt.getTime() % QUARTER_MS === 0)?.startAt ?? null
}

/** Publish checks of an auto-webinar; none for other events. */
export const readAutowebinarChecks: ModuleChecks = async (tx, workshopId) => {
  const [event] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
  if (event?.type !== 'autoWebinar') return []
  // Most videos are processed by the time of publication, but not when they are chosen.
  const plan = await syncVideoLength(tx, workshopId)
  const { schedule } = plan ?? {}
  const shown = schedule && (schedule.onDemand || schedule.justInTime || schedule.weekly || schedule.dates.length > 0)
  return [
    {
      key: 'autowebinarVideo',
      // A session that begins before the recording is composed would show an empty stage.
      passed: plan?.videoProblem === null,
      refusal: plan?.videoProblem === 'pending' ? 'auto_video_pending' : 'auto_no_video',
      path: '?tab=schedule#video',
    },
    { key: 'sessions', passed: Boolean(shown), refusal: 'auto_no_sessions', path: '?tab=schedule' },
  ]
}
