import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { meetingRating } from '#lib/meeting/table.ts'
import { registration } from '#lib/registration/table.ts'
import { must } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type Card, cardsOf, MOST_MINUTES } from './figures-rules.ts'
import { OneEvent } from './schema.ts'
import type { ButtonFigures } from './statistics.ts'
import { sessionButton, sessionMinute, sessionRoll } from './table.ts'
import { emptyTotals, type Totals } from './tally-schema.ts'

export interface ShowingsFigures {
  showings: number
  cards: Card[]
  /** How many were there at each minute of the film, all showings together. */
  minutes: { minute: number; online: number }[]
  buttons: ButtonFigures[]
  /** The newest of them. */
  latest: { id: string; at: Date; viewers: number; peak: number; messages: number; clicks: number }[]
}

const LATEST = 50

/**
 * The numbers of all showings of an auto-webinar together, as far as they are counted: a minute ago at most. Whoever came
 * to two showings counts in both. Refuses with forbidden, not_found (other events too).
 */
export async function getShowings(actor: Actor, input: OneEvent, now = new Date()): Promise<ShowingsFigures> {
  must(canSeeStatistics(actor))
  const asked = OneEvent.safeParse(input)
  if (!asked.success) throw new Refusal('not_found')
  const { workshopId } = asked.data
  return inTenant(actor, async (tx) => {
    const [about] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
    if (about?.type !== 'autoWebinar') throw new Refusal('not_found')
    const { showings, totals, liveMs } = await sumOf(tx, workshopId, now)
    const outside = { registered: await countRegistered(tx, workshopId), ...(await ratingOf(tx, workshopId)) }
    return {
      showings,
      // One long showing, so that the same definitions make the same numbers of it.
      cards: cardsOf({ ...totals, startedAt: 0, finishedAt: liveMs }, outside, liveMs),
      minutes: await minutesOf(tx, workshopId),
      buttons: await buttonsOf(tx, workshopId),
      latest: await latestOf(tx, workshopId),
    }
  })
}

const ofShowings = (workshopId: string) =>
  and(eq(workshopSession.workshopId, workshopId), eq(workshopSession.kind, 'auto'))

const SUMS = [
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

async function sumOf(tx: Tx, workshopId: string, now: Date) {
  const of = (key: keyof Totals) => sql`(${sessionRoll.totals}->>${sql.raw(`'${key}'`)})::float8`
  const until = sql`coalesce(${of('finishedAt')}, ${now.getTime()}::float8)`
  const watched = sql`${of('watchedMs')} + ${of('online')} * ${until} - ${of('hereSum')}`
  const whole = (what: SQL) => sql<number>`coalesce(sum(${what}), 0)::float8`
  const sums = Object.fromEntries(SUMS.map((key) => [key, whole(of(key))])) as Record<
    (typeof SUMS)[number],
    SQL<number>
  >
  const [row] = await tx
    .select({
      ...sums,
      showings: count(),
      watchedMs: whole(watched),
      liveMs: whole(sql`${until} - ${of('startedAt')}`),
      peak: sql<number>`coalesce(max(${of('peak')}), 0)::float8`,
      // Of those that are over: nobody knows yet who stays to the end of the others.
      stayed: sql<number | null>`sum(${of('stayed')})::float8`,
    })
    .from(sessionRoll)
    .innerJoin(workshopSession, eq(workshopSession.id, sessionRoll.sessionId))
    .where(ofShowings(workshopId))
  const { showings = 0, liveMs = 0, ...rest } = row ?? {}
  return { showings, liveMs, totals: { ...emptyTotals(), ...rest } }
}

// What a minute changed, added up over all showings by the minute of the film, and run through: minutes in which nothing
// happened have no rows.
async function minutesOf(tx: Tx, workshopId: string): Promise<ShowingsFigures['minutes']> {
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
      .where(ofShowings(workshopId)),
  )
  const rows = await tx
    .with(changes)
    .select({ at: changes.at, change: sql<number>`sum(${changes.change})::int` })
    .from(changes)
    .groupBy(changes.at)
    .orderBy(changes.at)
  const by = new Map(rows.map(({ at, change }) => [at, change]))
  const length = Math.min((rows.at(-1)?.at ?? -1) + 1, MOST_MINUTES)
  let there = 0
  return Array.from({ length }, (_, at) => {
    there += by.get(at) ?? 0
    return { minute: at, online: there }
  })
}

async function buttonsOf(tx: Tx, workshopId: string): Promise<ButtonFigures[]> {
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
    .where(ofShowings(workshopId))
    .groupBy(buttonId)
  return rows.sort((a, b) => b.saw - a.saw)
}

async function latestOf(tx: Tx, workshopId: string): Promise<ShowingsFigures['latest']> {
  const { id, startedAt } = workshopSession
  const rows = await tx
    .select({ id, at: startedAt, totals: sessionRoll.totals })
    .from(sessionRoll)
    .innerJoin(workshopSession, eq(id, sessionRoll.sessionId))
    .where(and(ofShowings(workshopId), sql`${startedAt} is not null`))
    .orderBy(desc(startedAt), desc(id))
    .limit(LATEST)
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

async function ratingOf(tx: Tx, workshopId: string): Promise<{ rating: number | null; ratings: number }> {
  const [row] = await tx
    .select({ rating: sql<number | null>`avg(${meetingRating.stars})::float8`, ratings: count() })
    .from(meetingRating)
    .innerJoin(workshopSession, eq(workshopSession.id, meetingRating.sessionId))
    .where(ofShowings(workshopId))
  return row ?? { rating: null, ratings: 0 }
}
