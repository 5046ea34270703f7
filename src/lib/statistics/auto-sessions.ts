import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { meetingRating } from '#lib/meeting/table.ts'
import { type ButtonSales, readAutoSessionSales } from '#lib/offer/report/event-sales.ts'
import { registration } from '#lib/registration/table.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { buildCards, MAX_CHART_MINUTES, type StatisticsCard } from './card-rules.ts'
import type { StatisticsInput } from './schema.ts'
import type { ButtonStatistics } from './statistics.ts'
import { sessionButton, sessionMinute, sessionRollup } from './table.ts'
import { emptyTotals, type Totals } from './tally-schema.ts'

export interface AutoSessionsStatistics {
  sessionCount: number
  cards: StatisticsCard[]
  /** Viewers at each minute of the video, all sessions together. */
  minutes: { minute: number; online: number }[]
  buttons: ButtonStatistics[]
  sales: ButtonSales[]
  /** Latest sessions. */
  latest: { id: string; at: Date; viewers: number; peak: number; messages: number; clicks: number }[]
}

const MAX_LATEST = 50

/**
 * Statistics of all sessions of an auto-webinar, as counted a minute ago at most. A viewer of two sessions counts in
 * both. Refuses with forbidden, not_found (other events too).
 */
export async function getAutoSessionStatistics(
  actor: Actor,
  input: StatisticsInput,
  now = new Date(),
): Promise<AutoSessionsStatistics> {
  requireEventPermission(canSeeStatistics(actor))
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    const [event] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
    if (event?.type !== 'autoWebinar') throw new Refusal('not_found')
    const { sessionCount, totals, liveMs } = await sumTotals(tx, workshopId, now)
    const outside = { registered: await countRegistered(tx, workshopId), ...(await readRating(tx, workshopId)) }
    return {
      sessionCount,
      // Treated as one long session, so that the same definitions apply.
      cards: buildCards({ ...totals, startedAt: 0, finishedAt: liveMs }, outside, liveMs),
      minutes: await readMinutes(tx, workshopId),
      buttons: await readButtons(tx, workshopId),
      sales: await readAutoSessionSales(tx, workshopId),
      latest: await readLatest(tx, workshopId),
    }
  })
}

const isAutoSession = (workshopId: string) =>
  and(eq(workshopSession.workshopId, workshopId), eq(workshopSession.kind, 'auto'))

const SUMMED_TOTALS = [
  'viewers',
  'came',
  'messages',
  'questions',
  'answers',
  'reactions',
  'votes',
  'saw',
  'clicks',
  'staffMessages',
] as const

async function sumTotals(tx: Tx, workshopId: string, now: Date) {
  const total = (key: keyof Totals) => sql`(${sessionRollup.totals}->>${sql.raw(`'${key}'`)})::float8`
  const until = sql`coalesce(${total('finishedAt')}, ${now.getTime()}::float8)`
  const watched = sql`${total('watchedMs')} + ${total('online')} * ${until} - ${total('hereSum')}`
  const sumSql = (expression: SQL) => sql<number>`coalesce(sum(${expression}), 0)::float8`
  const sums = Object.fromEntries(SUMMED_TOTALS.map((key) => [key, sumSql(total(key))])) as Record<
    (typeof SUMMED_TOTALS)[number],
    SQL<number>
  >
  const [row] = await tx
    .select({
      ...sums,
      sessionCount: count(),
      watchedMs: sumSql(watched),
      liveMs: sumSql(sql`${until} - ${total('startedAt')}`),
      peak: sql<number>`coalesce(max(${total('peak')}), 0)::float8`,
      // Finished sessions only, because the others may still change.
      stayed: sql<number | null>`sum(${total('stayed')})::float8`,
    })
    .from(sessionRollup)
    .innerJoin(workshopSession, eq(workshopSession.id, sessionRollup.sessionId))
    .where(isAutoSession(workshopId))
  const { sessionCount = 0, liveMs = 0, ...rest } = row ?? {}
  return { sessionCount, liveMs, totals: { ...emptyTotals(), ...rest } }
}

// Changes per minute, summed over all sessions by minute of the video and accumulated: minutes without events have no
// rows.
async function readMinutes(tx: Tx, workshopId: string): Promise<AutoSessionsStatistics['minutes']> {
  const { minute, online, sessionId } = sessionMinute
  const changes = tx.$with('changes').as(
    tx
      .select({
        at: sql<number>`greatest(0, ${minute} - floor(extract(epoch from ${workshopSession.startedAt}) / 60))::int`.as(
          'at',
        ),
        change: sql<number>`${online} - lag(${online}, 1, 0) over (partition by ${sessionId} order by ${minute})`.as(
          'change',
        ),
      })
      .from(sessionMinute)
      .innerJoin(workshopSession, eq(workshopSession.id, sessionId))
      .where(isAutoSession(workshopId)),
  )
  const rows = await tx
    .with(changes)
    .select({ at: changes.at, change: sql<number>`sum(${changes.change})::int` })
    .from(changes)
    .groupBy(changes.at)
    .orderBy(changes.at)
  const changeByMinute = new Map(rows.map(({ at, change }) => [at, change]))
  const length = Math.min((rows.at(-1)?.at ?? -1) + 1, MAX_CHART_MINUTES)
  let online_ = 0
  return Array.from({ length: length }, (_, at) => {
    online_ += changeByMinute.get(at) ?? 0
    return { minute: at, online: online_ }
  })
}

async function readButtons(tx: Tx, workshopId: string): Promise<ButtonStatistics[]> {
  const { buttonId, label, shown, saw, clicked, clicks, sessionId } = sessionButton
  const sum = (column: AnyPgColumn) => sql<number>`sum(${column})::int`
  const rows = await tx
    .select({
      id: buttonId,
      label: sql<string>`max(${label})`,
      shown: sum(shown),
      saw: sum(saw),
      clicked: sum(clicked),
      clicks: sum(clicks),
    })
    .from(sessionButton)
    .innerJoin(workshopSession, eq(workshopSession.id, sessionId))
    .where(isAutoSession(workshopId))
    .groupBy(buttonId)
  return rows.sort((a, b) => b.saw - a.saw)
}

async function readLatest(tx: Tx, workshopId: string): Promise<AutoSessionsStatistics['latest']> {
  const { id, startedAt } = workshopSession
  const rows = await tx
    .select({ id, at: startedAt, totals: sessionRollup.totals })
    .from(sessionRollup)
    .innerJoin(workshopSession, eq(id, sessionRollup.sessionId))
    .where(and(isAutoSession(workshopId), sql`${startedAt} is not null`))
    .orderBy(desc(startedAt), desc(id))
    .limit(MAX_LATEST)
  return rows.flatMap(({ id: session, at, totals: { viewers, peak, messages, questions, clicks } }) =>
    at ? [{ id: session, at, viewers, peak, messages: messages + questions, clicks }] : [],
  )
}

async function countRegistered(tx: Tx, workshopId: string): Promise<number> {
  const [row] = await tx
    .select({ registered: count() })
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), eq(registration.state, 'confirmed')))
  return row?.registered ?? 0
}

async function readRating(tx: Tx, workshopId: string): Promise<{ rating: number | null; ratings: number }> {
  const [row] = await tx
    .select({ rating: sql<number | null>`avg(${meetingRating.stars})::float8`, ratings: count() })
    .from(meetingRating)
    .innerJoin(workshopSession, eq(workshopSession.id, meetingRating.sessionId))
    .where(isAutoSession(workshopId))
  return row ?? { rating: null, ratings: 0 }
}
