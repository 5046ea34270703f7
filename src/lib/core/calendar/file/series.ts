import { DAY_MS } from '../../shared/time.ts'
import type { CalendarEvent } from './event.ts'
import { expandRule } from './rule.ts'
import { type CalendarTime, type Duration, endOf } from './values.ts'
import type { Zone } from './zones.ts'

/** A busy time in milliseconds since 1970. */
export type BusyTime = [from: number, to: number]

interface SearchedPeriod {
  from: number
  to: number
  /** The local time of an instant in the zone of whole days. */
  dayWallOf(at: number): number
}

/** The times of the events with one UID: series, and events that replace some of their occurrences. */
export function expandSeries(events: readonly CalendarEvent[], period: SearchedPeriod): BusyTime[] {
  const masters = newest(events.filter(({ replaces }) => replaces === null))
  const replacements = newestReplacements(events)
  const times = replacements.flatMap((event) => timeOf(event, event.start.wall, event.start.zone))
  return [...times, ...masters.flatMap((master) => expandMaster(master, replacements, period))]
}

/** The events with the highest SEQUENCE: earlier versions are obsolete. */
function newest(events: readonly CalendarEvent[]): CalendarEvent[] {
  const latest = events.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  return events.filter(({ sequence }) => sequence >= latest)
}

/** The newest replacement of each occurrence. */
function newestReplacements(events: readonly CalendarEvent[]): CalendarEvent[] {
  return [...Map.groupBy(events, ({ replaces }) => replaces?.at ?? null)].flatMap(([at, same]) =>
    at === null ? [] : newest(same),
  )
}

function expandMaster(
  master: CalendarEvent,
  replacements: readonly CalendarEvent[],
  period: SearchedPeriod,
): BusyTime[] {
  const { start, duration, rules, excludedRules, additions } = master
  const isExcluded = exclusionsOf(master, replacements, period)
  const later = replacements
    .filter(({ replacesLater }) => replacesLater)
    .toSorted((a, b) => (b.replaces?.at ?? 0) - (a.replaces?.at ?? 0))
  const shift = later.reduce(
    (most, { start: moved, replaces }) => Math.max(most, Math.abs(moved.at - (replaces?.at ?? 0))),
    0,
  )
  // Local times differ from instants by less than a day.
  const margin = duration.days * DAY_MS + duration.ms + shift + DAY_MS
  const walls = { from: period.from - margin, to: period.to + shift + DAY_MS }
  const excludedWalls = new Set(excludedRules.flatMap((rule) => expandRule(rule, start, walls)))
  const occurrences = new Set([start.wall, ...rules.flatMap((rule) => expandRule(rule, start, walls))])
  const times: BusyTime[] = []
  for (const wall of occurrences) {
    const at = start.zone.toInstant(wall)
    if (excludedWalls.has(wall) || isExcluded(wall, at)) continue
    const changed = later.find(({ replaces }) => replaces !== null && replaces.at <= at)
    if (changed?.replaces) times.push(...timeOf(changed, wall + changed.start.at - changed.replaces.at, start.zone))
    else times.push(...timeOf(master, wall, start.zone))
  }
  for (const addition of additions) {
    const { wall, at, zone } = addition.start
    if (!isExcluded(wall, at)) times.push(...timeOf(master, wall, zone, addition.duration ?? duration))
  }
  return times
}

function timeOf(event: CalendarEvent, wall: number, zone: Zone, duration: Duration = event.duration): BusyTime[] {
  return event.isBlocking ? [[zone.toInstant(wall), endOf(wall, zone, duration)]] : []
}

/** Whether an occurrence of a series is excluded or replaced; both may be given as dates, instants or local times. */
function exclusionsOf(
  { start, exclusions }: CalendarEvent,
  replacements: readonly CalendarEvent[],
  { dayWallOf }: SearchedPeriod,
): (wall: number, at: number) => boolean {
  const instants = new Set<number>()
  const days = new Set<number>()
  const add = (time: CalendarTime) => {
    if (time.isDate) days.add(dayOf(time.wall))
    else if (!start.isDate) instants.add(time.at)
    // Midnight means the day, whatever the zone.
    else days.add(dayOf(time.wall % DAY_MS === 0 ? time.wall : dayWallOf(time.at)))
  }
  for (const time of exclusions) add(time)
  for (const { replaces } of replacements) if (replaces) add(replaces)
  return (wall, at) => instants.has(at) || days.has(dayOf(wall))
}

const dayOf = (wall: number): number => Math.floor(wall / DAY_MS)
