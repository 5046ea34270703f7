import { and, asc, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { readPlan } from '#lib/autowebinar/plan.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { EventType, SessionKind, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { type ButtonSales, readSessionSales } from '#lib/offer/report/event-sales.ts'
import { registration } from '#lib/registration/table.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { buildCards, type ChartMinute, fillMinutes, type StatisticsCard } from './card-rules.ts'
import { countSession } from './count-session.ts'
import { readRating } from './rating.ts'
import type { StatisticsInput } from './schema.ts'
import { sessionButton, sessionMinute } from './table.ts'
import type { Totals } from './tally-schema.ts'

interface SessionChoice {
  id: string
  kind: SessionKind
  at: Date | null
}

export interface ButtonStatistics {
  id: string
  label: string
  shown: number
  saw: number
  clicked: number
  clicks: number
}

/** A change that was visible to all participants of the room. */
export interface TimelineMark {
  seq: number
  /** Milliseconds since the start of the session. */
  offsetMs: number
  type: EventType
  /** Label of a button, question of a poll, number of a slide, or mode. */
  label: string
}

export interface EventStatistics {
  workshop: { id: string; title: string; type: WorkshopType; timeZone: string }
  sessions: SessionChoice[]
  session: SessionChoice & {
    startedAt: Date | null
    finishedAt: Date | null
    videoFileId: string | null
    videoOffsetMs: number
  }
  /** False while a long log is still being counted. */
  isComplete: boolean
  totals: Totals
  cards: StatisticsCard[]
  minutes: ChartMinute[]
  marks: TimelineMark[]
  buttons: ButtonStatistics[]
  /** What links of buttons have sold, by button and currency. */
  sales: ButtonSales[]
  countedAt: Date
}

/**
 * Statistics of one session of an event, exact at this instant: new log entries are counted first. Without `sessionId`
 * the latest session. Refuses with forbidden, not_found.
 */
export async function getStatistics(actor: Actor, input: StatisticsInput, now = new Date()): Promise<EventStatistics> {
  requireEventPermission(canSeeStatistics(actor))
  const source = await inTenant(actor, (tx) => requireSession(tx, input))
  const rollup = await countSession({ tenantId: actor.tenantId, id: source.session.id }, MAX_BATCHES)
  return inTenant(actor, async (tx) => {
    const { id } = source.session
    const totals = rollup?.totals ?? (await readTotals(tx, id))
    const origin = totals.startedAt ?? source.session.at?.getTime() ?? now.getTime()
    const until = totals.finishedAt ?? now.getTime()
    const countedMinutes = await tx
      .select()
      .from(sessionMinute)
      .where(eq(sessionMinute.sessionId, id))
      .orderBy(asc(sessionMinute.minute))
    const buttons = await tx.select().from(sessionButton).where(eq(sessionButton.sessionId, id))
    const external = { registered: await countRegistered(tx, source), ...(await readRating(tx, id)) }
    return {
      ...source,
      session: { ...source.session, ...(await findVideo(tx, source)) },
      isComplete: rollup !== null,
      totals,
      countedAt: now,
      cards: buildCards(totals, external, now.getTime()),
      minutes: fillMinutes(countedMinutes, origin, until),
      marks: await readMarks(tx, id),
      sales: await readSessionSales(tx, id),
      buttons: buttons
        .map(({ buttonId, label, shown, saw, clicked, clicks }) => ({
          id: buttonId,
          label,
          shown,
          saw,
          clicked,
          clicks,
        }))
        .sort((a, b) => b.saw - a.saw),
    }
  })
}

// Batches of 5,000 events, which take some seconds; the job counts the rest.
const MAX_BATCHES = 10

/** Event types marked in the chart. */
const MARK_TYPES: EventType[] = [
  'webinar.start',
  'webinar.finish',
  'presentation.change',
  'slide.change',
  'button.show',
  'button.hide',
  'handout.show',
  'poll.open',
  'poll.close',
  'host.lost',
  'host.back',
]
const MAX_MARKS = 400

/** An event, and whether it has statistics: an auto-webinar without viewers has none. Refuses like getStatistics. */
export async function findEventStatus(actor: Actor, input: StatisticsInput) {
  requireEventPermission(canSeeStatistics(actor))
  return inTenant(actor, async (tx) => {
    const { workshop: event, session } = await findSessions(tx, input)
    if (!session && input.sessionId) throw new Refusal('not_found')
    return { workshop: event, counted: session !== undefined }
  })
}

async function requireSession(tx: Tx, input: StatisticsInput) {
  const { session, ...rows } = await findSessions(tx, input)
  if (!session) throw new Refusal('not_found')
  return { ...rows, session }
}

async function findSessions(tx: Tx, { workshopId, sessionId }: StatisticsInput) {
  const [event] = await tx
    .select({ id: workshop.id, title: workshop.title, type: workshop.type, timeZone: workshop.timeZone })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  if (!event) throw new Refusal('not_found')
  const { id, kind, startAt, startedAt, finishedAt, videoFileId, videoOffsetMs } = workshopSession
  const at = sql<Date | null>`coalesce(${startedAt}, ${startAt})`.mapWith(startAt)
  const rows = await tx
    .select({ id, kind, at, startedAt, finishedAt, videoFileId, videoOffsetMs })
    .from(workshopSession)
    .where(and(eq(workshopSession.workshopId, workshopId), or(isNotNull(startedAt), sql`${kind} <> 'auto'`)))
    .orderBy(sql`${kind} = 'rehearsal'`, desc(at), desc(id))
    .limit(100)
  const session = sessionId ? rows.find((row) => row.id === sessionId) : rows[0]
  const sessions = rows.map((row) => ({ id: row.id, kind: row.kind, at: row.at }))
  return { workshop: event, sessions, session }
}

// An auto-webinar session plays the video of its plan.
async function findVideo(tx: Tx, { workshop: { id }, session }: Awaited<ReturnType<typeof requireSession>>) {
  const { videoFileId, videoOffsetMs } = (session.kind === 'auto' ? await readPlan(tx, id) : null) ?? session
  return { videoFileId, videoOffsetMs }
}

async function readTotals(tx: Tx, sessionId: string): Promise<Totals> {
  const { rows } = await tx.execute<{ totals: Totals }>(
    sql`select totals from session_rollup where tenant_id = current_tenant() and session_id = ${sessionId}`,
  )
  const totals = rows[0]?.totals
  if (!totals) throw new Refusal('not_found')
  return totals
}

async function countRegistered(
  tx: Tx,
  { workshop: { id }, session }: Awaited<ReturnType<typeof requireSession>>,
): Promise<number> {
  const isOfSession = session.kind === 'auto' ? eq(registration.sessionId, session.id) : undefined
  const [row] = await tx
    .select({ registered: count() })
    .from(registration)
    .where(and(eq(registration.workshopId, id), eq(registration.state, 'confirmed'), isOfSession))
  return row?.registered ?? 0
}

async function readMarks(tx: Tx, sessionId: string): Promise<TimelineMark[]> {
  const { seq, offsetMs, type, payload } = workshopEvent
  const rows = await tx
    .select({ seq, offsetMs, type, payload })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), inArray(type, MARK_TYPES)))
    .orderBy(asc(seq))
    .limit(MAX_MARKS)
  return rows.map((row) => ({
    seq: row.seq,
    offsetMs: row.offsetMs,
    type: row.type,
    label: markLabel(row as RoomEvent),
  }))
}

function markLabel(event: Pick<RoomEvent, 'type' | 'payload'>): string {
  const { payload } = event
  if ('page' in payload) return String(payload.page)
  if ('mode' in payload && event.type === 'presentation.change') return String(payload.mode)
  if (!('content' in payload)) return ''
  const { content } = payload
  return 'label' in content ? content.label : 'question' in content ? content.question : content.title
}
