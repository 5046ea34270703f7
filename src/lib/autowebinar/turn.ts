import { and, asc, eq, gt, isNull, like, lte, notInArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type AutoPlan, planOf } from './plan.ts'
import type { Line } from './schema.ts'
import { enqueueTurn } from './showing.ts'
import { autoClock, autoLine } from './table.ts'

const MINUTE = 60_000
/** Somebody's own clock holds a showing open for so long at most. */
const LONGEST_HOLD = 12 * 60 * MINUTE

interface Turned {
  tenantId: string
  id: string
  workshopId: string
  startAt: Date | null
}

/** The job: what is due in the log of a showing, and the next turn until it is over. */
export function runTurn(
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
    const plan = session && (await planOf(tx, session.workshopId))
    if (!plan || !session.startAt || session.canceledAt || plan.canceled) return
    const state = await turnShowing(tx, session, plan, now, true)
    if (state?.phase === 'finished') return
    const next = Math.max(now.getTime() + MINUTE, session.startAt.getTime())
    await enqueueTurn(tx, sessionId, new Date(next))
  })
}

/** Brings the log of a showing up to now, for rooms that count what viewers do with it; other sessions stay as they are. */
export async function advanceShowing(tx: Tx, { id }: { id: string }, now: Date): Promise<void> {
  const { tenantId, workshopId, startAt, kind } = workshopSession
  const [session] = await tx
    .select({ id: workshopSession.id, tenantId, workshopId, startAt, kind })
    .from(workshopSession)
    .where(eq(workshopSession.id, id))
  const plan = session?.kind === 'auto' ? await planOf(tx, session.workshopId) : null
  if (session && plan) await turnShowing(tx, session, plan, now, true)
}

/**
 * Brings the log of a showing up to now: it starts at its time, keeps what the script has shown (for staff and the
 * numbers; viewers get it by the second from their own page), and finishes with the film. Gives the state of the log, or
 * null when nothing was due. Safe twice and at once: the row of the session is the lock.
 */
export async function turnShowing(
  tx: Tx,
  session: Turned,
  plan: AutoPlan,
  now: Date,
  keeps = false,
): Promise<RoomState | null> {
  const startAt = session.startAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (startAt > now.getTime()) return null
  const [held] = await tx
    .select({ state: workshopSession.state, startedAt: workshopSession.startedAt, over: workshopSession.finishedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
  if (!held || held.over) return held?.state ?? null
  const endAt = await endOf(tx, session.id, startAt, plan.lengthMs)
  const ends = now.getTime() >= endAt
  if (held.startedAt && !keeps && !ends) return held.state
  // Whoever comes second waits here, and finds it done.
  const [locked] = await tx
    .select({ startedAt: workshopSession.startedAt, over: workshopSession.finishedAt, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
    .for('no key update')
  if (!locked || locked.over) return locked?.state ?? null
  const start = { type: 'webinar.start' as const, payload: {}, at: new Date(startAt) }
  const finish = { type: 'webinar.finish' as const, payload: { because: 'script' as const }, at: new Date(endAt) }
  const shown = await unkept(tx, session, plan, startAt, now)
  const news = [...(locked.startedAt ? [] : [start]), ...shown, ...(ends ? [finish] : [])]
  if (news.length === 0) return locked.state
  const { events, state } = await appendEvents(tx, session, news, now)
  if (ends) {
    const { tenantId, workshopId } = session
    await enqueueJob('registration.finished', { tenantId, workshopId, sessionId: session.id })
  }
  const open = events.filter(({ audience }) => audience === 'all')
  if (open.length > 0) await publish(`meeting:${session.id}`, { events: open })
  return state
}

/** When the last clock in the room has come to the end: somebody may have paused, or begun from the start. */
async function endOf(tx: Tx, sessionId: string, startAt: number, lengthMs: number): Promise<number> {
  const [last] = await tx
    .select({
      at: sql<number | null>`max(case when ${autoClock.pausedAtMs} is null
        then extract(epoch from ${autoClock.startAt}) * 1000 + ${lengthMs}
        else extract(epoch from ${autoClock.updatedAt}) * 1000 + ${LONGEST_HOLD} end)::double precision`,
    })
    .from(autoClock)
    .where(eq(autoClock.sessionId, sessionId))
  const usual = startAt + lengthMs
  return Math.min(Math.max(usual, last?.at ?? 0), usual + LONGEST_HOLD)
}

/** What the script has shown and the log does not know yet. */
async function unkept(tx: Tx, session: Turned, { mutedTracks, lengthMs }: AutoPlan, startAt: number, now: Date) {
  const [known] = await tx
    .select({ clientId: sql<string | null>`max(${workshopEvent.clientId})` })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, session.id),
        isNull(workshopEvent.actorId),
        like(workshopEvent.clientId, 'script %'),
      ),
    )
  const kept = known?.clientId ? Number(known.clientId.slice('script '.length, 'script '.length + WIDTH)) : -1
  const rows = (await tx
    .select({ id: autoLine.id, type: autoLine.type, payload: autoLine.payload, offsetMs: autoLine.offsetMs })
    .from(autoLine)
    .where(
      and(
        eq(autoLine.workshopId, session.workshopId),
        isNull(autoLine.deletedAt),
        notInArray(autoLine.track, ['chat', ...mutedTracks]),
        gt(autoLine.offsetMs, kept),
        lte(autoLine.offsetMs, Math.min(now.getTime() - startAt, lengthMs)),
      ),
    )
    .orderBy(asc(autoLine.offsetMs), asc(autoLine.position), asc(autoLine.id))) as Line[]
  return rows.map(({ id, type, payload, offsetMs }) => {
    const clientId = `script ${String(offsetMs).padStart(WIDTH, '0')} ${id}`
    const event = { type, payload, clientId, audience: 'staff', at: new Date(startAt + offsetMs) }
    return event as NewEvent & { at: Date }
  })
}

// So many digits that texts sort like the numbers in them.
const WIDTH = 9
