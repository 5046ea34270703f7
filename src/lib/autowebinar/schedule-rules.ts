import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { dayNumber, instantOfDay, instantOfWallTime, localTime, wallTimeOf } from '#lib/core/shared/time-zone.ts'
import type { QuietHours, Schedule } from './schema.ts'

export interface PlannedSession {
  startAt: Date
  kind: 'date' | 'weekly' | 'justInTime'
}

/** Scheduling part of a plan. */
export interface PlanTiming {
  schedule: Schedule
  quietHours: QuietHours | null
}

export interface ScheduleWindow {
  start: Date
  /** Exclusive. */
  end: Date
  /** IANA zone of the viewer, for schedules in the viewer's time zone. */
  viewerZone: string
  now: Date
}

const MAX_PLANNED = 500
/** Minimum time for a viewer to enter. */
const LEAD_MS = MINUTE_MS
/** Number of just-in-time sessions that are offered. */
const MAX_JUST_IN_TIME = 2

/**
 * Plans the sessions within a window, none before `now`, in order, each instant once, at most 500. A skipped local time
 * moves forward by the gap; of an ambiguous one the earlier instant is used. Quiet hours and skipped days apply to all
 * but the explicit dates.
 */
export function planSessions(
  timing: PlanTiming,
  { start: from, end: until, viewerZone, now }: ScheduleWindow,
): PlannedSession[] {
  const zone = scheduleZone(timing.schedule, viewerZone)
  const startMs = Math.max(from.getTime(), now.getTime())
  const end = until.getTime()
  const isAllowed = (at: Date) => !isSkipped(timing.schedule, at, zone) && !isQuiet(timing.quietHours, at, zone)
  const all: PlannedSession[] = [
    ...sessionsOnDates(timing.schedule, zone),
    ...weeklySessions(timing.schedule, zone, startMs, end).filter(
      ({ startAt }) => isAllowed(startAt) && !isSkippedTime(timing.schedule, startAt, zone),
    ),
    ...justInTimeSessions(timing.schedule, zone, now, isAllowed),
  ]
  const seen = new Set<number>()
  return all
    .sort((a, b) => a.startAt.getTime() - b.startAt.getTime())
    .filter(({ startAt }) => {
      const at = startAt.getTime()
      if (at < startMs || at >= end || seen.has(at)) return false
      seen.add(at)
      return true
    })
    .slice(0, MAX_PLANNED)
}

/**
 * The schedule in which the session of one instant takes place at another: its date is replaced, or the weekly session is
 * skipped and gets a date; back at its time, it is a weekly one again. Null when there is no such session, or it has
 * another instant for each viewer.
 */
export function moveInSchedule(timing: PlanTiming, from: Date, to: Date): Schedule | null {
  const { zone } = timing.schedule
  if (zone === 'viewer') return null
  const [before, after] = [scheduleDateOf(from, zone), scheduleDateOf(to, zone)]
  const { dates, skipTimes = [] } = timing.schedule
  const date = dates.findIndex((each) => isSameDate(each, before))
  if (date === -1) {
    const planned = planSessions(timing, {
      start: from,
      end: new Date(from.getTime() + 1),
      viewerZone: zone,
      now: from,
    })
    if (planned[0]?.kind !== 'weekly') return null
    return { ...timing.schedule, skipTimes: [...skipTimes, before], dates: [...dates, after] }
  }
  const skipped = skipTimes.findIndex((each) => isSameDate(each, after))
  if (skipped === -1) return { ...timing.schedule, dates: dates.with(date, after) }
  return { ...timing.schedule, skipTimes: skipTimes.toSpliced(skipped, 1), dates: dates.toSpliced(date, 1) }
}

type ScheduleDate = Schedule['dates'][number]

const isSameDate = (a: ScheduleDate, b: ScheduleDate): boolean => a.day === b.day && a.time === b.time

const scheduleDateOf = (at: Date, zone: string): ScheduleDate => ({
  day: isoDay(dayNumber(at, zone)),
  time: localTime(at, zone),
})

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Zone of the schedule. */
const scheduleZone = ({ zone }: Pick<Schedule, 'zone'>, viewerZone: string): string =>
  zone === 'viewer' ? viewerZone : zone

/** Whether a viewer may start an on-demand session now. */
export function canWatchNow({ schedule, quietHours }: PlanTiming, viewerZone: string, now: Date): boolean {
  const zone = scheduleZone(schedule, viewerZone)
  return schedule.onDemand && !isSkipped(schedule, now, zone) && !isQuiet(quietHours, now, zone)
}

/** Whether the local time is within the quiet hours; `to` is the first minute after them. */
export function isQuiet(quiet: QuietHours | null, at: Date, zone: string): boolean {
  if (!quiet || quiet.from === quiet.to) return false
  const time = localTime(at, zone)
  return quiet.from < quiet.to ? time >= quiet.from && time < quiet.to : time >= quiet.from || time < quiet.to
}

function isSkipped({ skip }: Schedule, at: Date, zone: string): boolean {
  return skip.length > 0 && skip.includes(isoDay(dayNumber(at, zone)))
}

function isSkippedTime({ skipTimes = [] }: Schedule, at: Date, zone: string): boolean {
  if (skipTimes.length === 0) return false
  const date = scheduleDateOf(at, zone)
  return skipTimes.some((each) => isSameDate(each, date))
}

function sessionsOnDates({ dates }: Schedule, zone: string): PlannedSession[] {
  return dates.map(({ day, time }) => ({
    startAt: instantOfWallTime(Date.parse(`${day}T${time}:00Z`), zone),
    kind: 'date',
  }))
}

function weeklySessions({ weekly: pattern }: Schedule, zone: string, startMs: number, end: number): PlannedSession[] {
  if (!pattern || startMs >= end) return []
  const first = Math.max(dayNumber(new Date(startMs), zone) - 1, pattern.from ? dayNumberOf(pattern.from) : -Infinity)
  const last = Math.min(dayNumber(new Date(end), zone), pattern.until ? dayNumberOf(pattern.until) : Infinity)
  const planned: PlannedSession[] = []
  for (let day = first; day <= last && planned.length < MAX_PLANNED * 2; day++) {
    if (!pattern.days.includes(weekdayOf(day))) continue
    for (const time of pattern.times) planned.push({ startAt: instantOfDay(day, time, zone), kind: 'weekly' })
  }
  return planned
}

// Offsets of all current zones are multiples of 15 minutes: candidates are quarters of an hour, independent of clock
// changes.
function justInTimeSessions(
  { justInTime: intervalMinutes }: Schedule,
  zone: string,
  now: Date,
  isAllowed: (at: Date) => boolean,
): PlannedSession[] {
  if (!intervalMinutes) return []
  const quarterMs = 15 * MINUTE_MS
  const planned: PlannedSession[] = []
  const first = Math.ceil((now.getTime() + LEAD_MS) / quarterMs) * quarterMs
  for (let at = first; at <= first + DAY_MS && planned.length < MAX_JUST_IN_TIME; at += quarterMs) {
    const startAt = new Date(at)
    if (wallTimeOf(startAt, zone) % (intervalMinutes * MINUTE_MS) === 0 && isAllowed(startAt))
      planned.push({ startAt, kind: 'justInTime' })
  }
  return planned
}

const dayNumberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

/** 1 (Monday) to 7 of a day since 1970, which was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1
