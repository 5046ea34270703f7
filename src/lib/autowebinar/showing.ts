import { and, asc, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type MoreChecks, openShowing } from '#lib/workshop/workshop.ts'
import { type AutoPlan, planOf } from './plan.ts'
import { mayWatchNow, type Showing, showingsOf } from './showing-rules.ts'

export interface ChosenShowing {
  sessionId: string
  startAt: Date
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
 * The session of the showing that a visitor chose, `now` for one of their own at once. Refuses with not_found what the
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
    return sessionFor(tx, workshopId, now)
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
  if (mayWatchNow(plan, viewerZone, now)) return sessionFor(tx, workshopId, now)
  return next ? sessionFor(tx, workshopId, next.startAt) : null
}

/** The session of kind auto at an instant, made when it is missing; safe twice and at once. Does not ask the schedule. */
export async function sessionFor(tx: Tx, workshopId: string, startAt: Date): Promise<ChosenShowing> {
  const plan = await planOf(tx, workshopId)
  if (!plan) throw new Refusal('not_found')
  const minutes = Math.max(1, Math.ceil(plan.lengthMs / 60_000))
  const { sessionId, made } = await openShowing(tx, workshopId, { startAt, minutes })
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
      ...{ from: since, until: now, viewerZone, now: since },
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

/** What an auto-webinar lacks before it can be shown: keys of the namespace errors. None for other events. */
export const scriptChecks: MoreChecks = async (tx, workshopId) => {
  const [of] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
  if (of?.type !== 'autoWebinar') return []
  const plan = await planOf(tx, workshopId)
  const { schedule } = plan ?? {}
  const shown = schedule && (schedule.onDemand || schedule.justInTime || schedule.weekly || schedule.dates.length > 0)
  return [...(plan?.filmFileId || plan?.filmComes ? [] : ['auto_no_film']), ...(shown ? [] : ['auto_no_showings'])]
}
