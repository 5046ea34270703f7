import { atWall, dayNumber, instantOn, localTime, wallOf } from '#lib/core/shared/zone.ts'
import type { QuietHours, Schedule } from './schema.ts'

export interface Showing {
  startAt: Date
  kind: 'date' | 'weekly' | 'justInTime'
}

/** The part of a plan that says when. */
export interface Timing {
  schedule: Schedule
  quietHours: QuietHours | null
}

export interface Window {
  from: Date
  /** Not included. */
  until: Date
  /** IANA zone of whoever looks: that of the schedule where it says so. */
  viewerZone: string
  now: Date
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MOST = 500
/** Nobody can be there in less time than this. */
const LEAD = MINUTE
/** So many marks of just-in-time showings are offered. */
const MARKS_OFFERED = 2

/**
 * When showings begin within a window, none of them before `now`, in order, each instant once, at most 500. A time that
 * the clocks skip moves forward by the gap, of one that comes twice the earlier is meant. Quiet hours and days without
 * showings hold for all but the dates, which somebody has chosen one by one.
 */
export function showingsOf(timing: Timing, { from, until, viewerZone, now }: Window): Showing[] {
  const zone = zoneOf(timing.schedule, viewerZone)
  const begin = Math.max(from.getTime(), now.getTime())
  const end = until.getTime()
  const allowed = (at: Date) => !isSkipped(timing.schedule, at, zone) && !isQuiet(timing.quietHours, at, zone)
  const all: Showing[] = [
    ...dated(timing.schedule, zone),
    ...weekly(timing.schedule, zone, begin, end).filter(({ startAt }) => allowed(startAt)),
    ...justInTime(timing.schedule, zone, now, allowed),
  ]
  const seen = new Set<number>()
  return all
    .sort((a, b) => a.startAt.getTime() - b.startAt.getTime())
    .filter(({ startAt }) => {
      const at = startAt.getTime()
      if (at < begin || at >= end || seen.has(at)) return false
      seen.add(at)
      return true
    })
    .slice(0, MOST)
}

/** The zone whose clock the schedule goes by. */
export const zoneOf = ({ zone }: Pick<Schedule, 'zone'>, viewerZone: string): string =>
  zone === 'viewer' ? viewerZone : zone

/** Whether somebody may begin at once, alone. */
export function mayWatchNow({ schedule, quietHours }: Timing, viewerZone: string, now: Date): boolean {
  const zone = zoneOf(schedule, viewerZone)
  return schedule.onDemand && !isSkipped(schedule, now, zone) && !isQuiet(quietHours, now, zone)
}

/** Whether a clock there shows a quiet hour; `to` is the first minute that is not quiet any more. */
export function isQuiet(quiet: QuietHours | null, at: Date, zone: string): boolean {
  if (!quiet || quiet.from === quiet.to) return false
  const time = localTime(at, zone)
  return quiet.from < quiet.to ? time >= quiet.from && time < quiet.to : time >= quiet.from || time < quiet.to
}

function isSkipped({ skip }: Schedule, at: Date, zone: string): boolean {
  return skip.length > 0 && skip.includes(new Date(dayNumber(at, zone) * DAY).toISOString().slice(0, 10))
}

function dated({ dates }: Schedule, zone: string): Showing[] {
  return dates.map(({ day, time }) => ({ startAt: atWall(Date.parse(`${day}T${time}:00Z`), zone), kind: 'date' }))
}

function weekly({ weekly: pattern }: Schedule, zone: string, begin: number, end: number): Showing[] {
  if (!pattern || begin >= end) return []
  const first = Math.max(dayNumber(new Date(begin), zone) - 1, pattern.from ? dayOf(pattern.from) : -Infinity)
  const last = Math.min(dayNumber(new Date(end), zone), pattern.until ? dayOf(pattern.until) : Infinity)
  const found: Showing[] = []
  for (let day = first; day <= last && found.length < MOST * 2; day++) {
    if (!pattern.days.includes(weekdayOf(day))) continue
    for (const time of pattern.times) found.push({ startAt: instantOn(day, time, zone), kind: 'weekly' })
  }
  return found
}

// All zones of today stand a multiple of 15 minutes from UTC: marks are looked for among the quarters, so that nothing
// needs to be known of nights on which clocks change.
function justInTime(
  { justInTime: every }: Schedule,
  zone: string,
  now: Date,
  allowed: (at: Date) => boolean,
): Showing[] {
  if (!every) return []
  const quarter = 15 * MINUTE
  const found: Showing[] = []
  const first = Math.ceil((now.getTime() + LEAD) / quarter) * quarter
  for (let at = first; at <= first + 24 * 60 * MINUTE && found.length < MARKS_OFFERED; at += quarter) {
    const startAt = new Date(at)
    if (wallOf(startAt, zone) % (every * MINUTE) === 0 && allowed(startAt)) found.push({ startAt, kind: 'justInTime' })
  }
  return found
}

const dayOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY

/** 1 (Monday) to 7 of a day since 1970, which was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1
