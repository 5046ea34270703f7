import { and, asc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { sessionButton, sessionMinute, sessionRoll, sessionViewer } from './table.ts'
import { type Actor, countEvent, minuteOf, STAYED_MINUTES, type Tally } from './tally-rules.ts'
import { emptyTotals, type Totals } from './tally-schema.ts'

/** Events that are counted in one transaction. */
const STRIDE = 5000

export interface Rolled {
  totals: Totals
  /** The last event that is counted. */
  seq: number
}

/**
 * Counts what the log of a session has said since it was last counted, in strides with a transaction each, and gives the
 * totals. Two at once wait for each other; the same event is never counted twice. `most` strides at once: null when there
 * is still more to count.
 */
export async function rollSession(ref: SessionRef, most = Number.POSITIVE_INFINITY): Promise<Rolled | null> {
  for (let stride = 0; stride < most; stride++) {
    const { rolled, more } = await inTenant(ref, (tx) => rollStride(tx, ref))
    if (!more) return rolled
  }
  return null
}

async function rollStride(tx: Tx, { tenantId, id: sessionId }: SessionRef): Promise<{ rolled: Rolled; more: boolean }> {
  const mine = eq(sessionRoll.sessionId, sessionId)
  await tx.insert(sessionRoll).values({ tenantId, sessionId, totals: emptyTotals() }).onConflictDoNothing()
  const [roll] = await tx.select().from(sessionRoll).where(mine).for('update')
  if (!roll) throw new Error('the roll of a session is gone')
  const events = await readStride(tx, sessionId, roll.rolledSeq)
  if (events.length === 0) return { rolled: { totals: roll.totals, seq: roll.rolledSeq }, more: false }
  const tally = await load(tx, sessionId, roll.totals, events)
  for (const stretch of stretches(events)) {
    for (const { event, actor } of stretch) countEvent(tally, event, actor)
    await save(tx, { tenantId, id: sessionId }, tally)
    const last = stretch.at(-1)?.event
    if (last?.type === 'webinar.start') await beginAll(tx, sessionId, last.at)
    if (last?.type === 'webinar.finish') tally.totals.stayed = await endAll(tx, sessionId, last.at)
    if (last?.type === 'webinar.start' || last?.type === 'webinar.finish')
      tally.viewers = await loadViewers(tx, sessionId, [...tally.viewers.keys()])
  }
  const rolledSeq = events.at(-1)?.event.seq ?? roll.rolledSeq
  await tx.update(sessionRoll).set({ rolledSeq, totals: tally.totals }).where(mine)
  return { rolled: { totals: tally.totals, seq: rolledSeq }, more: events.length === STRIDE }
}

interface Counted {
  event: RoomEvent
  actor: Actor | null
}

async function readStride(tx: Tx, sessionId: string, after: number): Promise<Counted[]> {
  const rows = await tx
    .select({
      seq: workshopEvent.seq,
      at: workshopEvent.at,
      offsetMs: workshopEvent.offsetMs,
      actorId: workshopEvent.actorId,
      audience: workshopEvent.audience,
      type: workshopEvent.type,
      payload: workshopEvent.payload,
      role: workshopParticipant.role,
      registrationId: workshopParticipant.registrationId,
    })
    .from(workshopEvent)
    .leftJoin(
      workshopParticipant,
      and(eq(workshopParticipant.tenantId, workshopEvent.tenantId), eq(workshopParticipant.id, workshopEvent.actorId)),
    )
    .where(and(eq(workshopEvent.sessionId, sessionId), gt(workshopEvent.seq, after)))
    .orderBy(asc(workshopEvent.seq))
    .limit(STRIDE)
  return rows.map(({ role, registrationId, at, ...row }) => ({
    event: { ...row, at: at.getTime() } as RoomEvent,
    actor:
      row.actorId && role
        ? { id: row.actorId, isViewer: role === 'viewer', isRegistered: registrationId !== null }
        : null,
  }))
}

// A start and an end touch every viewer, so the counting stops there.
function stretches(events: Counted[]): Counted[][] {
  const cuts: Counted[][] = [[]]
  for (const one of events) {
    cuts.at(-1)?.push(one)
    if (one.event.type === 'webinar.start' || one.event.type === 'webinar.finish') cuts.push([])
  }
  return cuts.filter((stretch) => stretch.length > 0)
}

async function load(tx: Tx, sessionId: string, totals: Totals, events: Counted[]): Promise<Tally> {
  const actors = [...new Set(events.flatMap(({ actor }) => (actor?.isViewer ? [actor.id] : [])))]
  const minutes = [...new Set(events.map(({ event }) => minuteOf(event.at)))]
  const kept = await tx
    .select()
    .from(sessionMinute)
    .where(and(eq(sessionMinute.sessionId, sessionId), inArray(sessionMinute.minute, minutes)))
  const buttons = await tx.select().from(sessionButton).where(eq(sessionButton.sessionId, sessionId))
  return {
    totals: { ...totals },
    viewers: await loadViewers(tx, sessionId, actors),
    minutes: new Map(kept.map(({ minute, tenantId: _t, sessionId: _s, ...rest }) => [minute, rest])),
    buttons: new Map(buttons.map(({ buttonId, tenantId: _t, sessionId: _s, ...rest }) => [buttonId, rest])),
  }
}

async function loadViewers(tx: Tx, sessionId: string, ids: string[]): Promise<Tally['viewers']> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(sessionViewer)
    .where(and(eq(sessionViewer.sessionId, sessionId), inArray(sessionViewer.participantId, ids)))
  return new Map(rows.map(({ participantId, tenantId: _t, sessionId: _s, ...rest }) => [participantId, rest]))
}

async function save(tx: Tx, { tenantId, id: sessionId }: SessionRef, tally: Tally): Promise<void> {
  const of = { tenantId, sessionId }
  const minutes = [...tally.minutes].map(([minute, rest]) => ({ ...of, minute, ...rest }))
  const viewers = [...tally.viewers].map(([participantId, rest]) => ({ ...of, participantId, ...rest }))
  const buttons = [...tally.buttons].map(([buttonId, rest]) => ({ ...of, buttonId, ...rest }))
  if (minutes.length > 0)
    await tx
      .insert(sessionMinute)
      .values(minutes)
      .onConflictDoUpdate({
        target: [sessionMinute.tenantId, sessionMinute.sessionId, sessionMinute.minute],
        set: given('joined', 'left', 'messages', 'questions', 'reactions', 'clicks', 'online', 'peak'),
      })
  if (buttons.length > 0)
    await tx
      .insert(sessionButton)
      .values(buttons)
      .onConflictDoUpdate({
        target: [sessionButton.tenantId, sessionButton.sessionId, sessionButton.buttonId],
        set: given('label', 'shown', 'saw', 'clicked', 'clicks'),
      })
  // PostgreSQL takes 65,535 parameters a statement.
  for (let from = 0; from < viewers.length; from += 2000)
    await tx
      .insert(sessionViewer)
      .values(viewers.slice(from, from + 2000))
      .onConflictDoUpdate({
        target: [sessionViewer.tenantId, sessionViewer.sessionId, sessionViewer.participantId],
        set: {
          lastAt: sql`excluded.last_at`,
          hereSince: sql`excluded.here_since`,
          hiddenSince: sql`excluded.hidden_since`,
          watchedMs: sql`excluded.watched_ms`,
          hiddenMs: sql`excluded.hidden_ms`,
          ...given('stays', 'device', 'messages', 'questions', 'reactions', 'votes', 'clicks', 'saw', 'clicked'),
        },
      })
}

const given = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.raw(`excluded."${column}"`)]))

// As beginViewer and endViewer say, for all at once.
async function beginAll(tx: Tx, sessionId: string, at: number): Promise<void> {
  await tx
    .update(sessionViewer)
    .set({
      watchedMs: 0,
      hiddenMs: 0,
      hereSince: sql`case when ${sessionViewer.hereSince} is not null then ${at}::bigint end`,
      hiddenSince: sql`case when ${sessionViewer.hiddenSince} is not null then ${at}::bigint end`,
    })
    .where(eq(sessionViewer.sessionId, sessionId))
}

async function endAll(tx: Tx, sessionId: string, at: number): Promise<number> {
  const { hereSince, hiddenSince, lastAt } = sessionViewer
  const last = at - STAYED_MINUTES * 60_000
  const [row] = await tx
    .select({ stayed: sql<number>`count(*)::int` })
    .from(sessionViewer)
    .where(and(eq(sessionViewer.sessionId, sessionId), or(isNotNull(hereSince), gt(lastAt, last))))
  await tx
    .update(sessionViewer)
    .set({
      lastAt: at,
      watchedMs: sql`${sessionViewer.watchedMs} + ${at}::bigint - ${hereSince}`,
      hiddenMs: sql`${sessionViewer.hiddenMs} + coalesce(${at}::bigint - ${hiddenSince}, 0)`,
      stays: sql`${sessionViewer.stays} || jsonb_build_array(jsonb_build_array(${hereSince}, ${at}::bigint))`,
      hereSince: null,
      hiddenSince: null,
    })
    .where(and(eq(sessionViewer.sessionId, sessionId), isNotNull(hereSince)))
  return row?.stayed ?? 0
}
