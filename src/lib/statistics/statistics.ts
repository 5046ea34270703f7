import { and, asc, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { planOf } from '#lib/autowebinar/plan.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { EventType, SessionKind, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { registration } from '#lib/registration/table.ts'
import { must } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type Card, type ChartMinute, cardsOf, wholeMinutes } from './figures-rules.ts'
import { ratingOf } from './rating.ts'
import { rollSession } from './roll.ts'
import { OneEvent } from './schema.ts'
import { sessionButton, sessionMinute } from './table.ts'
import type { Totals } from './tally-schema.ts'

export interface SessionChoice {
  id: string
  kind: SessionKind
  at: Date | null
}

export interface ButtonFigures {
  id: string
  label: string
  shown: number
  saw: number
  clicked: number
  clicks: number
}

/** Something that changed for everybody in the room. */
export interface Mark {
  seq: number
  /** Milliseconds since the start of the session. */
  offsetMs: number
  type: EventType
  /** A button's label, a poll's question, a slide's number, a mode. */
  says: string
}

export interface EventFigures {
  workshop: { id: string; title: string; type: WorkshopType; timeZone: string }
  sessions: SessionChoice[]
  session: SessionChoice & {
    startedAt: Date | null
    finishedAt: Date | null
    filmFileId: string | null
    filmOffsetMs: number
  }
  /** False while a long log is still being counted. */
  complete: boolean
  totals: Totals
  cards: Card[]
  minutes: ChartMinute[]
  marks: Mark[]
  buttons: ButtonFigures[]
  countedAt: Date
}

/**
 * The numbers of one session of an event, exact up to this instant: what the log has said since it was last counted is
 * counted first. Without `sessionId` the latest one. Refuses with forbidden, not_found.
 */
export async function getFigures(actor: Actor, input: OneEvent, now = new Date()): Promise<EventFigures> {
  must(canSeeStatistics(actor))
  const asked = OneEvent.safeParse(input)
  if (!asked.success) throw new Refusal('not_found')
  const found = await inTenant(actor, (tx) => findEvent(tx, asked.data))
  const rolled = await rollSession({ tenantId: actor.tenantId, id: found.session.id }, STRIDES_AT_ONCE)
  return inTenant(actor, async (tx) => {
    const { id } = found.session
    const totals = rolled?.totals ?? (await keptTotals(tx, id))
    const origin = totals.startedAt ?? found.session.at?.getTime() ?? now.getTime()
    const until = totals.finishedAt ?? now.getTime()
    const kept = await tx
      .select()
      .from(sessionMinute)
      .where(eq(sessionMinute.sessionId, id))
      .orderBy(asc(sessionMinute.minute))
    const buttons = await tx.select().from(sessionButton).where(eq(sessionButton.sessionId, id))
    const outside = { registered: await countRegistered(tx, found), ...(await ratingOf(tx, id)) }
    return {
      ...found,
      session: { ...found.session, ...(await filmOf(tx, found)) },
      complete: rolled !== null,
      totals,
      countedAt: now,
      cards: cardsOf(totals, outside, now.getTime()),
      minutes: wholeMinutes(kept, origin, until),
      marks: await readMarks(tx, id),
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

// Of 5,000 events each: some seconds of counting; the job does the rest.
const STRIDES_AT_ONCE = 10

/** What is drawn as a line over the chart. */
const MARKED: EventType[] = [
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
const MOST_MARKS = 400

/**
 * An event, and whether there is anything to count: of an auto-webinar to which nobody has come there is not. Refuses as
 * getFigures.
 */
export async function findCounted(actor: Actor, input: OneEvent) {
  must(canSeeStatistics(actor))
  const asked = OneEvent.safeParse(input)
  if (!asked.success) throw new Refusal('not_found')
  return inTenant(actor, async (tx) => {
    const { workshop: about, session } = await lookFor(tx, asked.data)
    if (!session && asked.data.sessionId) throw new Refusal('not_found')
    return { workshop: about, counted: session !== undefined }
  })
}

async function findEvent(tx: Tx, asked: OneEvent) {
  const { session, ...found } = await lookFor(tx, asked)
  if (!session) throw new Refusal('not_found')
  return { ...found, session }
}

async function lookFor(tx: Tx, { workshopId, sessionId }: OneEvent) {
  const [about] = await tx
    .select({ id: workshop.id, title: workshop.title, type: workshop.type, timeZone: workshop.timeZone })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  if (!about) throw new Refusal('not_found')
  const { id, kind, startAt, startedAt, finishedAt, filmFileId, filmOffsetMs } = workshopSession
  const at = sql<Date | null>`coalesce(${startedAt}, ${startAt})`.mapWith(startAt)
  const rows = await tx
    .select({ id, kind, at, startedAt, finishedAt, filmFileId, filmOffsetMs })
    .from(workshopSession)
    .where(and(eq(workshopSession.workshopId, workshopId), or(isNotNull(startedAt), sql`${kind} <> 'auto'`)))
    .orderBy(sql`${kind} = 'rehearsal'`, desc(at), desc(id))
    .limit(100)
  const session = sessionId ? rows.find((row) => row.id === sessionId) : rows[0]
  const sessions = rows.map((row) => ({ id: row.id, kind: row.kind, at: row.at }))
  return { workshop: about, sessions, session }
}

// A showing plays the film of its plan.
async function filmOf(tx: Tx, { workshop: { id }, session }: Awaited<ReturnType<typeof findEvent>>) {
  const { filmFileId, filmOffsetMs } = (session.kind === 'auto' ? await planOf(tx, id) : null) ?? session
  return { filmFileId, filmOffsetMs }
}

async function keptTotals(tx: Tx, sessionId: string): Promise<Totals> {
  const { rows } = await tx.execute<{ totals: Totals }>(
    sql`select totals from session_roll where tenant_id = current_tenant() and session_id = ${sessionId}`,
  )
  const totals = rows[0]?.totals
  if (!totals) throw new Refusal('not_found')
  return totals
}

async function countRegistered(
  tx: Tx,
  { workshop: { id }, session }: Awaited<ReturnType<typeof findEvent>>,
): Promise<number> {
  const own = session.kind === 'auto' ? eq(registration.sessionId, session.id) : undefined
  const [row] = await tx
    .select({ registered: count() })
    .from(registration)
    .where(and(eq(registration.workshopId, id), eq(registration.state, 'confirmed'), own))
  return row?.registered ?? 0
}

async function readMarks(tx: Tx, sessionId: string): Promise<Mark[]> {
  const { seq, offsetMs, type, payload } = workshopEvent
  const rows = await tx
    .select({ seq, offsetMs, type, payload })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), inArray(type, MARKED)))
    .orderBy(asc(seq))
    .limit(MOST_MARKS)
  return rows.map((row) => ({ seq: row.seq, offsetMs: row.offsetMs, type: row.type, says: wordsOf(row as RoomEvent) }))
}

function wordsOf(event: Pick<RoomEvent, 'type' | 'payload'>): string {
  const { payload } = event
  if ('page' in payload) return String(payload.page)
  if ('mode' in payload && event.type === 'presentation.change') return String(payload.mode)
  if (!('content' in payload)) return ''
  const { content } = payload
  return 'label' in content ? content.label : 'question' in content ? content.question : content.title
}
