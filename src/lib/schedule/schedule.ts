import type { ScheduleQuery, ScheduleViewer } from '#lib/core/calendar/schedule-source.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { periodOf, type SchedulePeriod } from './period.ts'
import type { ScheduleItemKey, ScheduleRequest, ScheduleView } from './schema.ts'
import { SCHEDULE_SOURCES } from './sources.ts'

export interface ScheduleDay {
  /** Local day, `2026-11-24`. */
  day: string
  items: ScheduleItem[]
  /** Number of further items of the day. */
  omitted: number
}

/** Items of a day that a view shows at most; the others are in the view of the day. */
const MAX_PER_DAY: Record<ScheduleView, number> = { month: 4, week: 20, agenda: 50, day: 1000 }

/**
 * The items that the actor may see in a period, by day and time. Times and days are those of the actor's zone.
 * @param request the view, a day in it, and filters
 */
export async function loadSchedule(
  actor: ScheduleViewer,
  request: ScheduleRequest,
  now = new Date(),
): Promise<{ period: SchedulePeriod; days: ScheduleDay[] }> {
  const { view, date, ...filters } = request
  const period = periodOf(view, date, actor.timeZone, now)
  const maxPerDay = MAX_PER_DAY[view]
  const query = { boundaries: period.boundaries, maxPerDay, zone: actor.timeZone, now, filters }
  return { period, days: await inTenant(actor, (tx) => loadDays(tx, actor, query, period.days)) }
}

/**
 * One item, as the list of its day contains it. Refuses with not_found where the actor does not see it, or it is no
 * longer on that day.
 */
export async function getScheduleItem(
  actor: ScheduleViewer,
  key: ScheduleItemKey,
  now = new Date(),
): Promise<ScheduleItem> {
  return inTenant(actor, (tx) => requireScheduleItem(tx, actor, key, now))
}

/** The same inside a transaction. */
export async function requireScheduleItem(
  tx: Tx,
  actor: ScheduleViewer,
  { day, kind, id }: ScheduleItemKey,
  now: Date,
): Promise<ScheduleItem> {
  const { boundaries } = periodOf('day', day, actor.timeZone, now)
  const query = { boundaries, maxPerDay: MAX_PER_DAY.day, zone: actor.timeZone, now, filters: { kind } }
  const items = await loadItems(tx, actor, query)
  const item = items.items.find((other) => other.kind === kind && other.id === id)
  if (!item) throw new Refusal('not_found')
  return item
}

/** All items between the boundaries of a query that the actor may see, by time, with the numbers of omitted ones. */
export async function loadItems(
  tx: Tx,
  actor: ScheduleViewer,
  query: ScheduleQuery,
): Promise<{ items: ScheduleItem[]; omitted: Map<number, number> }> {
  const { kind } = query.filters
  const sources = SCHEDULE_SOURCES.filter(({ kinds }) => !kind || kinds.includes(kind))
  const results = await Promise.all(sources.map((source) => source.loadItems(tx, actor, query)))
  const omitted = new Map<number, number>()
  for (const result of results) {
    for (const [day, count] of result.omitted ?? []) omitted.set(day, (omitted.get(day) ?? 0) + count)
  }
  const items = results.flatMap((result) => result.items)
  return { items: items.sort(byTime), omitted }
}

async function loadDays(
  tx: Tx,
  actor: ScheduleViewer,
  query: ScheduleQuery,
  days: readonly string[],
): Promise<ScheduleDay[]> {
  const { items, omitted } = await loadItems(tx, actor, query)
  let next = 0
  return days.map((day, index) => {
    const end = query.boundaries[index + 1]
    const first = next
    while (next < items.length && end && (items[next]?.startAt ?? end) < end) next += 1
    const ofDay = items.slice(first, next)
    const shown = ofDay.slice(0, query.maxPerDay)
    return { day, items: shown, omitted: (omitted.get(index) ?? 0) + ofDay.length - shown.length }
  })
}

const byTime = (a: ScheduleItem, b: ScheduleItem): number =>
  a.startAt.getTime() - b.startAt.getTime() || (a.title < b.title ? -1 : a.title > b.title ? 1 : a.id < b.id ? -1 : 1)
