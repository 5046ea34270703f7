import { and, asc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { sessionButton, sessionMinute, sessionRollup, sessionViewer } from './table.ts'
import { countEvent, minuteOf, STAYED_TO_END_MINUTES, type Tally, type TallyActor } from './tally-rules.ts'
import { emptyTotals, type Totals } from './tally-schema.ts'

/** Events counted per transaction. */
const BATCH_SIZE = 5000

export interface RollupResult {
  totals: Totals
  /** The last counted event. */
  seq: number
}

/**
 * Counts new entries of a session's log, in batches with a transaction each, and returns the totals. Safe under
 * concurrency; no event is counted twice. At most `maxBatches` batches: null when more remain.
 */
export async function countSession(
  ref: SessionRef,
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<RollupResult | null> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const { counted, more } = await inTenant(ref, (tx) => countBatch(tx, ref))
    if (!more) return counted
  }
  return null
}

async function countBatch(
  tx: Tx,
  { tenantId, id: sessionId }: SessionRef,
): Promise<{ counted: RollupResult; more: boolean }> {
  const isSession = eq(sessionRollup.sessionId, sessionId)
  await tx.insert(sessionRollup).values({ tenantId, sessionId, totals: emptyTotals() }).onConflictDoNothing()
  const [roll] = await tx.select().from(sessionRollup).where(isSession).for('update')
  if (!roll) throw new Error('the roll of a session is gone')
  const events = await readBatch(tx, sessionId, roll.countedSeq)
  if (events.length === 0) return { counted: { totals: roll.totals, seq: roll.countedSeq }, more: false }
  const tally = await loadTally(tx, sessionId, roll.totals, events)
  for (const part of splitAtPhases(events)) {
    for (const { event, actor } of part) countEvent(tally, event, actor)
    await saveTally(tx, { tenantId, id: sessionId }, tally)
    const last = part.at(-1)?.event
    if (last?.type === 'webinar.start') await startAllViewers(tx, sessionId, last.at)
    if (last?.type === 'webinar.finish') tally.totals.stayed = await endAllViewers(tx, sessionId, last.at)
    if (last?.type === 'webinar.start' || last?.type === 'webinar.finish')
      tally.viewers = await loadViewers(tx, sessionId, [...tally.viewers.keys()])
  }
  const countedSeq = events.at(-1)?.event.seq ?? roll.countedSeq
  await tx.update(sessionRollup).set({ countedSeq, totals: tally.totals }).where(isSession)
  return { counted: { totals: tally.totals, seq: countedSeq }, more: events.length === BATCH_SIZE }
}

interface LoggedEvent {
  event: RoomEvent
  actor: TallyActor | null
}

async function readBatch(tx: Tx, sessionId: string, after: number): Promise<LoggedEvent[]> {
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
    .limit(BATCH_SIZE)
  return rows.map(({ role, registrationId, at, ...row }) => ({
    event: { ...row, at: at.getTime() } as RoomEvent,
    actor:
      row.actorId && role
        ? { id: row.actorId, isViewer: role === 'viewer', isRegistered: registrationId !== null }
        : null,
  }))
}

// Start and end affect every viewer, so a part ends there.
function splitAtPhases(events: LoggedEvent[]): LoggedEvent[][] {
  const parts: LoggedEvent[][] = [[]]
  for (const logged of events) {
    parts.at(-1)?.push(logged)
    if (logged.event.type === 'webinar.start' || logged.event.type === 'webinar.finish') parts.push([])
  }
  return parts.filter((stretch) => stretch.length > 0)
}

async function loadTally(tx: Tx, sessionId: string, totals: Totals, events: LoggedEvent[]): Promise<Tally> {
  const actors = [...new Set(events.flatMap(({ actor }) => (actor?.isViewer ? [actor.id] : [])))]
  const minutes = [...new Set(events.map(({ event }) => minuteOf(event.at, totals.startedAt)))]
  const existing = await tx
    .select()
    .from(sessionMinute)
    .where(and(eq(sessionMinute.sessionId, sessionId), inArray(sessionMinute.minute, minutes)))
  const buttons = await tx.select().from(sessionButton).where(eq(sessionButton.sessionId, sessionId))
  return {
    totals: { ...totals },
    viewers: await loadViewers(tx, sessionId, actors),
    minutes: new Map(existing.map(({ minute, tenantId: _t, sessionId: _s, ...rest }) => [minute, rest])),
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

async function saveTally(tx: Tx, { tenantId, id: sessionId }: SessionRef, tally: Tally): Promise<void> {
  const sessionRef = { tenantId, sessionId }
  const minutes = [...tally.minutes].map(([minute, rest]) => ({ ...sessionRef, minute, ...rest }))
  const viewers = [...tally.viewers].map(([participantId, rest]) => ({ ...sessionRef, participantId, ...rest }))
  const buttons = [...tally.buttons].map(([buttonId, rest]) => ({ ...sessionRef, buttonId, ...rest }))
  if (minutes.length > 0)
    await tx
      .insert(sessionMinute)
      .values(minutes)
      .onConflictDoUpdate({
        target: [sessionMinute.tenantId, sessionMinute.sessionId, sessionMinute.minute],
        set: excludedColumns('joined', 'left', 'messages', 'questions', 'reactions', 'clicks', 'online', 'peak'),
      })
  if (buttons.length > 0)
    await tx
      .insert(sessionButton)
      .values(buttons)
      .onConflictDoUpdate({
        target: [sessionButton.tenantId, sessionButton.sessionId, sessionButton.buttonId],
        set: excludedColumns('label', 'shown', 'saw', 'clicked', 'clicks'),
      })
  // PostgreSQL accepts 65,535 parameters in a statement.
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
          ...excludedColumns(
            'stays',
            'device',
            'messages',
            'questions',
            'reactions',
            'votes',
            'clicks',
            'saw',
            'clicked',
          ),
        },
      })
}

const excludedColumns = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.raw(`excluded."${column}"`)]))

// Like startViewer and endViewer, for all viewers.
async function startAllViewers(tx: Tx, sessionId: string, atMs: number): Promise<void> {
  await tx
    .update(sessionViewer)
    .set({
      watchedMs: 0,
      hiddenMs: 0,
      hereSince: sql`case when ${sessionViewer.hereSince} is not null then ${atMs}::bigint end`,
      hiddenSince: sql`case when ${sessionViewer.hiddenSince} is not null then ${atMs}::bigint end`,
    })
    .where(eq(sessionViewer.sessionId, sessionId))
}

async function endAllViewers(tx: Tx, sessionId: string, atMs: number): Promise<number> {
  const { hereSince, hiddenSince, lastAt } = sessionViewer
  const last = atMs - STAYED_TO_END_MINUTES * MINUTE_MS
  const [row] = await tx
    .select({ stayed: sql<number>`count(*)::int` })
    .from(sessionViewer)
    .where(and(eq(sessionViewer.sessionId, sessionId), or(isNotNull(hereSince), gt(lastAt, last))))
  await tx
    .update(sessionViewer)
    .set({
      lastAt: atMs,
      watchedMs: sql`${sessionViewer.watchedMs} + ${atMs}::bigint - ${hereSince}`,
      hiddenMs: sql`${sessionViewer.hiddenMs} + coalesce(${atMs}::bigint - ${hiddenSince}, 0)`,
      stays: sql`${sessionViewer.stays} || jsonb_build_array(jsonb_build_array(${hereSince}, ${atMs}::bigint))`,
      hereSince: null,
      hiddenSince: null,
    })
    .where(and(eq(sessionViewer.sessionId, sessionId), isNotNull(hereSince)))
  return row?.stayed ?? 0
}
