import { and, asc, eq, gt, isNull, like, lte, notInArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { cancelAutoSession } from '#lib/workshop/session/session.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { enqueueAdvance } from './auto-session.ts'
import { type AutoPlan, readPlan } from './plan.ts'
import type { ScriptEntry } from './schema.ts'
import { notifyVideoProblem } from './session/video-problem.ts'
import { autoClock, autoScriptEntry } from './table.ts'

/** A viewer's own clock extends a session by this time at most. */
const MAX_EXTENSION_MS = 12 * HOUR_MS

interface SessionFacts {
  tenantId: string
  id: string
  workshopId: string
  startAt: Date | null
}

/** Job: advances the log of a session and enqueues the next run until it is finished. */
export function runAdvance(
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  now = new Date(),
): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const [session] = await tx
      .select({
        tenantId: workshopSession.tenantId,
        id: workshopSession.id,
        workshopId: workshopSession.workshopId,
        startAt: workshopSession.startAt,
        canceledAt: workshopSession.canceledAt,
      })
      .from(workshopSession)
      .where(and(eq(workshopSession.id, sessionId), eq(workshopSession.kind, 'auto')))
    const plan = session && (await readPlan(tx, session.workshopId))
    if (!plan || !session.startAt || session.canceledAt || plan.isCanceled) return
    const state = await advanceSessionLog(tx, session, plan, now, true)
    if (state?.phase === 'finished') return
    if (plan.videoProblem) await notifyVideoProblem(tx, session, plan, now)
    if (await isCanceled(tx, sessionId)) return
    const next = Math.max(now.getTime() + MINUTE_MS, session.startAt.getTime())
    await enqueueAdvance(tx, sessionId, new Date(next))
  })
}

/**
 * Advances the log of an automated webinar's session to now, before viewers' actions in it are counted; other sessions
 * are not changed.
 */
export async function advanceAutoSession(tx: Tx, { id }: { id: string }, now: Date): Promise<void> {
  const { tenantId, workshopId, startAt, kind } = workshopSession
  const [session] = await tx
    .select({ id: workshopSession.id, tenantId, workshopId, startAt, kind })
    .from(workshopSession)
    .where(eq(workshopSession.id, id))
  const plan = session?.kind === 'auto' ? await readPlan(tx, session.workshopId) : null
  if (session && plan) await advanceSessionLog(tx, session, plan, now, true)
}

/**
 * Advances the log of a session to now: starts it, appends due script entries (for staff and statistics; viewers get
 * the script in advance) and finishes it with the video. Returns the state of the log, or null before the start.
 * A session whose video cannot be played does not start; when its time has passed it is canceled. Idempotent and safe
 * under concurrency: the session's row is the lock.
 */
export async function advanceSessionLog(
  tx: Tx,
  session: SessionFacts,
  plan: AutoPlan,
  now: Date,
  writeEntries = false,
): Promise<RoomState | null> {
  const startAt = session.startAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (startAt > now.getTime()) return null
  const [current] = await tx
    .select({ state: workshopSession.state, startedAt: workshopSession.startedAt, over: workshopSession.finishedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
  if (!current || current.over) return current?.state ?? null
  const endAt = await findEnd(tx, session.id, startAt, plan.lengthMs)
  const isOver = now.getTime() >= endAt
  if (!current.startedAt && plan.videoProblem) {
    if (isOver) await cancelAutoSession(tx, session.id, now)
    return null
  }
  if (current.startedAt && !writeEntries && !isOver) return current.state
  // A concurrent caller waits here, and then finds nothing to do.
  const [locked] = await tx
    .select({ startedAt: workshopSession.startedAt, over: workshopSession.finishedAt, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
    .for('no key update')
  if (!locked || locked.over) return locked?.state ?? null
  const start = { type: 'webinar.start' as const, payload: {}, at: new Date(startAt) }
  const finish = { type: 'webinar.finish' as const, payload: { reason: 'script' as const }, at: new Date(endAt) }
  const shown = await readUnwrittenEntries(tx, session, plan, startAt, now)
  const newEvents = [...(locked.startedAt ? [] : [start]), ...shown, ...(isOver ? [finish] : [])]
  if (newEvents.length === 0) return locked.state
  const { events, state } = await appendEvents(tx, session, newEvents, now)
  if (isOver) {
    const { tenantId, workshopId } = session
    await enqueueJob('registration.finished', { tenantId, workshopId, sessionId: session.id })
  }
  const publicEvents = events.filter(({ audience }) => audience === 'all')
  if (publicEvents.length > 0) await publish(`meeting:${session.id}`, { events: publicEvents })
  return state
}

async function isCanceled(tx: Tx, sessionId: string): Promise<boolean> {
  const { id, canceledAt } = workshopSession
  const [row] = await tx.select({ canceledAt }).from(workshopSession).where(eq(id, sessionId))
  return row?.canceledAt !== null
}

/** End of the last viewer's clock: a viewer may have paused or restarted. */
async function findEnd(tx: Tx, sessionId: string, startAt: number, lengthMs: number): Promise<number> {
  const [last] = await tx
    .select({
      at: sql<number | null>`max(case when ${autoClock.pausedAtMs} is null
        then extract(epoch from ${autoClock.startAt}) * 1000 + ${lengthMs}
        else extract(epoch from ${autoClock.updatedAt}) * 1000 + ${MAX_EXTENSION_MS} end)::double precision`,
    })
    .from(autoClock)
    .where(eq(autoClock.sessionId, sessionId))
  const scheduledEnd = startAt + lengthMs
  return Math.min(Math.max(scheduledEnd, last?.at ?? 0), scheduledEnd + MAX_EXTENSION_MS)
}

/** Due script entries that are not in the log yet. */
async function readUnwrittenEntries(
  tx: Tx,
  session: SessionFacts,
  { mutedTracks, lengthMs }: AutoPlan,
  startAt: number,
  now: Date,
) {
  const [lastWritten] = await tx
    .select({ clientId: sql<string | null>`max(${workshopEvent.clientId})` })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, session.id),
        isNull(workshopEvent.actorId),
        like(workshopEvent.clientId, 'script %'),
      ),
    )
  const lastOffsetMs = lastWritten?.clientId
    ? Number(lastWritten.clientId.slice('script '.length, 'script '.length + OFFSET_DIGITS))
    : -1
  const rows = (await tx
    .select({
      id: autoScriptEntry.id,
      type: autoScriptEntry.type,
      payload: autoScriptEntry.payload,
      offsetMs: autoScriptEntry.offsetMs,
    })
    .from(autoScriptEntry)
    .where(
      and(
        eq(autoScriptEntry.workshopId, session.workshopId),
        isNull(autoScriptEntry.deletedAt),
        notInArray(autoScriptEntry.track, ['chat', ...mutedTracks]),
        gt(autoScriptEntry.offsetMs, lastOffsetMs),
        lte(autoScriptEntry.offsetMs, Math.min(now.getTime() - startAt, lengthMs)),
      ),
    )
    .orderBy(asc(autoScriptEntry.offsetMs), asc(autoScriptEntry.position), asc(autoScriptEntry.id))) as ScriptEntry[]
  return rows.map(({ id, type, payload, offsetMs }) => {
    const clientId = `script ${String(offsetMs).padStart(OFFSET_DIGITS, '0')} ${id}`
    const event = { type, payload, clientId, audience: 'staff', at: new Date(startAt + offsetMs) }
    return event as NewEvent & { at: Date }
  })
}

// Number of digits, so that the ids sort like numbers.
const OFFSET_DIGITS = 9
