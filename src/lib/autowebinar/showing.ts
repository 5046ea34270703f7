import { and, asc, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { beginShowing, dropShowing, isOnDemand, openShowing } from '#lib/workshop/session/session.ts'
import type { MoreChecks } from '#lib/workshop/settings/publish.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type AutoPlan, followFilm, minutesOf, planOf } from './plan.ts'
import { mayWatchNow, type Showing, showingsOf } from './showing-rules.ts'

export interface ChosenShowing {
  sessionId: string
  /** Null: it begins when its viewer enters. */
  startAt: Date | null
}

export interface OfferedShowing extends Showing {
  /** Null while nobody has asked for it. */
  sessionId: string | null
}

const DAY = 86_400_000
/** How far ahead showings are offered. */
const AHEAD = 60 * DAY
/** Marks of just-in-time showings lie on quarters; what began at once on demand does not. */
const QUARTER = 900_000

/** The next showings that a visitor in a zone may choose from; none of an event that is no published auto-webinar. */
export async function offeredShowings(
  tx: Tx,
  workshopId: string,
  { now, zone, most = 20 }: { now: Date; zone: string; most?: number },
): Promise<OfferedShowing[]> {
  const plan = await planOf(tx, workshopId)
  if (!plan || plan.canceled) return []
  const until = new Date(now.getTime() + AHEAD)
  const showings = showingsOf(plan, { from: now, until, viewerZone: zone, now }).slice(0, most)
  if (showings.length === 0) return []
  const sessions = await tx
    .select({ sessionId: workshopSession.id, startAt: workshopSession.startAt })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        inArray(
          workshopSession.startAt,
          showings.map(({ startAt }) => startAt),
        ),
      ),
    )
  const known = new Map(sessions.map(({ sessionId, startAt }) => [startAt?.getTime(), sessionId]))
  return showings.map((one) => ({ ...one, sessionId: known.get(one.startAt.getTime()) ?? null }))
}

/**
 * The session of the showing that a visitor chose; `now` for one of their own, which begins when they enter. Refuses with not_found what the
 * schedule does not offer.
 */
export async function chooseShowing(
  tx: Tx,
  workshopId: string,
  { startAt, viewerZone }: { startAt: Date | 'now'; viewerZone: string },
  now: Date,
): Promise<ChosenShowing> {
  const plan = await planOf(tx, workshopId)
  if (!plan || plan.canceled) throw new Refusal('not_found')
  if (startAt === 'now') {
    if (!mayWatchNow(plan, viewerZone, now)) throw new Refusal('not_found')
    return ownSession(tx, plan)
  }
  const until = new Date(startAt.getTime() + 1)
  const offered = showingsOf(plan, { from: startAt, until, viewerZone, now })
  if (!offered.some((one) => one.startAt.getTime() === startAt.getTime())) throw new Refusal('not_found')
  return sessionFor(tx, workshopId, startAt)
}

/**
 * The showing that somebody without a registration comes into: the one that runs, else the next, else one of their own
 * where the schedule allows it; null when there is none.
 */
export async function showingToEnter(
  tx: Tx,
  workshopId: string,
  { viewerZone }: { viewerZone: string },
  now: Date,
): Promise<ChosenShowing | null> {
  const plan = await planOf(tx, workshopId)
  if (!plan || plan.canceled) return null
  const running = await runningShowing(tx, plan, viewerZone, now)
  if (running) return sessionFor(tx, workshopId, running)
  const until = new Date(now.getTime() + AHEAD)
  const [next] = showingsOf(plan, { from: now, until, viewerZone, now })
  if (mayWatchNow(plan, viewerZone, now)) {
    const own = await ownSession(tx, plan)
    return { ...own, startAt: await beginOwn(tx, own.sessionId, now) }
  }
  return next ? sessionFor(tx, workshopId, next.startAt) : null
}

/** So long after its start a showing that nobody has come to is no page that is still loading. */
const LOADING = 2 * 60_000

/**
 * Begins the showing on demand of somebody who enters, and gives its session; showings of a schedule stay as they are.
 * It is another session when the first one has begun and nobody has ever been there: a mail program has opened the link.
 */
export async function enterOwnShowing(tx: Tx, sessionId: string, now: Date): Promise<string> {
  const { id, kind, startAt, workshopId } = workshopSession
  const [found] = await tx.select({ kind, startAt, workshopId }).from(workshopSession).where(eq(id, sessionId))
  if (found?.kind !== 'auto' || !isOnDemand(found.startAt)) return sessionId
  if (found.startAt === null) await beginOwn(tx, sessionId, now)
  if (found.startAt === null || now.getTime() - found.startAt.getTime() < LOADING) return sessionId
  const plan = await planOf(tx, found.workshopId)
  if (!plan || (await wasWatched(tx, sessionId))) return sessionId
  await dropShowing(tx, sessionId, now)
  const own = await ownSession(tx, plan)
  await beginOwn(tx, own.sessionId, now)
  return own.sessionId
}

async function beginOwn(tx: Tx, sessionId: string, now: Date): Promise<Date | null> {
  const startAt = await beginShowing(tx, sessionId, now)
  if (startAt) await enqueueTurn(tx, sessionId, startAt)
  return startAt
}

async function ownSession(tx: Tx, plan: AutoPlan): Promise<{ sessionId: string; startAt: null }> {
  const { sessionId } = await openShowing(tx, plan.workshopId, { startAt: null, minutes: minutesOf(plan) })
  return { sessionId, startAt: null }
}

async function wasWatched(tx: Tx, sessionId: string): Promise<boolean> {
  const came = and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'user.connect'))
  const found = await tx.select({ seq: workshopEvent.seq }).from(workshopEvent).where(came).limit(1)
  return found.length > 0
}

/** The session of kind auto at an instant, made when it is missing; safe twice and at once. Does not ask the schedule. */
export async function sessionFor(tx: Tx, workshopId: string, startAt: Date): Promise<ChosenShowing> {
  const plan = await followFilm(tx, workshopId)
  if (!plan) throw new Refusal('not_found')
  const { sessionId, made } = await openShowing(tx, workshopId, { startAt, minutes: minutesOf(plan) })
  if (made) await enqueueTurn(tx, sessionId, startAt)
  return { sessionId, startAt }
}

/** Puts the next turn of a showing into the queue. */
export async function enqueueTurn(tx: Tx, sessionId: string, startAfter: Date): Promise<void> {
  const [found] = await tx
    .select({ tenantId: workshopSession.tenantId })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!found) return
  const singletonKey = `${sessionId} ${startAfter.getTime()}`
  await enqueueJob('autowebinar.turn', { ...found, sessionId }, { startAfter, singletonKey })
}

// A showing of the dates or the weekly pattern that nobody asked for yet may run all the same; one that was somebody's
// own, on demand, is not for others: a schedule does not know its start.
async function runningShowing(tx: Tx, plan: AutoPlan, viewerZone: string, now: Date): Promise<Date | null> {
  const since = new Date(now.getTime() - plan.lengthMs)
  const planned = showingsOf(
    { ...plan, schedule: { ...plan.schedule, justInTime: null } },
    {
      from: since,
      until: now,
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
  return begun.find(({ startAt }) => startAt && startAt.getTime() % QUARTER === 0)?.startAt ?? null
}

/** What an auto-webinar needs before it can be shown. Nothing for other events. */
export const scriptChecks: MoreChecks = async (tx, workshopId) => {
  const [of] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
  if (of?.type !== 'autoWebinar') return []
  // Most films are ready by the time an event is published, and were not when they were chosen.
  const plan = await followFilm(tx, workshopId)
  const { schedule } = plan ?? {}
  const shown = schedule && (schedule.onDemand || schedule.justInTime || schedule.weekly || schedule.dates.length > 0)
  const hasVideo = Boolean(plan?.filmFileId || plan?.filmComes)
  return [
    { key: 'autowebinarVideo', passed: hasVideo, refusal: 'auto_no_film', place: '?tab=schedule#film' },
    { key: 'showings', passed: Boolean(shown), refusal: 'auto_no_showings', place: '?tab=schedule' },
  ]
}
