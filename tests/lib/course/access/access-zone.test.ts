import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, instantOfWallTime, wallTimeOf } from '#lib/core/shared/time-zone.ts'
import { type CourseFacts, type GrantFacts, grantEndsAt, outlineAccess } from '#lib/course/access/access.ts'
import type { LessonFacts } from '#lib/course/access/access-rule.ts'
import type { AccessRule } from '#lib/course/schema.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const COURSE: CourseFacts = { status: 'published', accessStart: null, accessEnd: null, progression: 'free' }

/** The nights of clock changes in a zone, and days of a zone without changes. */
const NIGHTS: Record<string, string[]> = {
  'Europe/Kyiv': ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  'Asia/Kathmandu': ['2026-03-29', '2026-10-25'],
}

const zone = fc.constantFrom(...Object.keys(NIGHTS))
/** A zone and a day at most two days from a night of a clock change. */
const night = zone.chain((name) =>
  fc.record({
    zone: fc.constant(name),
    day: fc
      .tuple(fc.constantFrom(...(NIGHTS[name] ?? [])), fc.integer({ min: -2, max: 2 }))
      .map(([day, plus]) => plusDays(day, plus)),
  }),
)
const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${pad(hour)}:${pad(minute)}`)

describe('local time of a zone, compared with Intl minute by minute', () => {
  test('a local time is the first minute that shows it, or moves forward by the gap', () => {
    fc.assert(
      fc.property(night, time, ({ zone, day }, time) => {
        expect(instantOfWallTime(Date.parse(`${day}T${time}:00Z`), zone)).toEqual(oracle(day, time, zone))
      }),
      { numRuns: 120 },
    )
  })

  test('the local time of any instant equals Intl', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) }), (zone, at) => {
        const instant = new Date(Math.floor(at / 1000) * 1000)
        expect(new Date(wallTimeOf(instant, zone)).toISOString().slice(0, 16)).toBe(shown(instant, zone))
      }),
      { numRuns: 2000 },
    )
  })

  test('adding days keeps the local time of day', () => {
    fc.assert(
      fc.property(night, time, fc.integer({ min: -9, max: 9 }), ({ zone, day }, time, days) => {
        const at = oracle(day, time, zone)
        const [, real = ''] = shown(at, zone).split('T')
        expect(addDays(at, days, zone)).toEqual(days === 0 ? at : oracle(plusDays(day, days), real, zone))
      }),
      { numRuns: 120 },
    )
  })
})

describe('drip rules across clock changes', () => {
  test('a lesson some days after the start opens exactly at the local time of its rule', () => {
    fc.assert(
      fc.property(night, time, time, fc.nat(12), ({ zone, day }, begins, opens, days) => {
        const start = oracle(plusDays(day, -days), begins, zone)
        const [startDay = ''] = shown(start, zone).split('T')
        const rule: AccessRule = { mode: 'afterStart', days, time: opens, zone }
        const at = oracle(plusDays(startDay, days), opens, zone)
        const seen = (now: Date) => access(rule, granted({ startsAt: start, start, zone: 'UTC' }), now)
        const first = new Date(Math.max(at.getTime(), start.getTime()))
        expect(seen(first).allow).toBe(true)
        if (at > start) expect(seen(new Date(at.getTime() - 1))).toMatchObject({ reason: 'opens_at', at })
      }),
      { numRuns: 120 },
    )
  })

  test('a date moved by an override keeps its local time in the zone of the group or the tenant', () => {
    fc.assert(
      fc.property(night, time, fc.integer({ min: 1, max: 20 }), ({ zone, day }, time, days) => {
        const at = oracle(day, time, zone)
        const [, real = ''] = shown(at, zone).split('T')
        const moved = oracle(plusDays(day, days), real, zone)
        const shift = {
          id: 's',
          studentId: 'me',
          groupId: null,
          lessonId: null,
          effect: 'shiftDays',
          days,
          at,
        } as const
        const rule: AccessRule = { mode: 'date', at: at.toISOString() }
        const grant = granted({ startsAt: new Date(0), start: new Date(0), zone })
        const seen = outlineAccess(COURSE, [grant], [shift], lesson(rule), new Date(moved.getTime() - 1))[0]
        expect(seen).toMatchObject({ allow: false, at: moved, overrideId: 's' })
      }),
      { numRuns: 120 },
    )
  })

  test('an end at midnight stays at midnight after a freeze of whole days', () => {
    fc.assert(
      fc.property(
        night,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        ({ zone, day }, cold, left) => {
          const midnight = (plus: number) => oracle(plusDays(day, plus), '00:00', zone)
          const frozen = [{ from: midnight(0).toISOString(), to: midnight(cold).toISOString() }]
          const grant = granted({ startsAt: midnight(-60), endsAt: midnight(left), frozen, zone })
          expect(grantEndsAt(grant)).toEqual(midnight(left + cold))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a freeze delays drip lessons by its days, at the same local time', () => {
    fc.assert(
      fc.property(night, time, fc.integer({ min: 1, max: 9 }), ({ zone, day }, time, cold) => {
        const start = oracle(plusDays(day, -1), '08:00', zone)
        const frozen = [
          {
            from: oracle(day, '00:00', zone).toISOString(),
            to: oracle(plusDays(day, cold), '00:00', zone).toISOString(),
          },
        ]
        const rule: AccessRule = { mode: 'afterStart', days: 2, time, zone }
        const at = oracle(plusDays(day, 1 + cold), time, zone)
        const grant = granted({ startsAt: start, start, frozen, zone })
        expect(access(rule, grant, at).allow).toBe(true)
        expect(access(rule, grant, new Date(at.getTime() - 1)).allow).toBe(false)
      }),
      { numRuns: 120 },
    )
  })
})

/** Tries every minute: the first one that shows the local time; a skipped time is moved forward by the gap. */
function oracle(day: string, time: string, zone: string): Date {
  const expected = `${day}T${time}`
  const middle = Date.parse(`${expected}:00Z`)
  let before = ''
  for (let at = middle - 15 * 60 * MINUTE; at < middle + 15 * 60 * MINUTE; at += MINUTE) {
    const here = shown(new Date(at), zone)
    if (here === expected) return new Date(at)
    if (before !== '' && before < expected && here > expected && here.slice(0, 10) === day) {
      return new Date(at - MINUTE + (Date.parse(`${expected}:00Z`) - Date.parse(`${before}:00Z`)))
    }
    before = here
  }
  throw new Error(`${expected} never comes in ${zone}`)
}

const CLOCKS = new Map<string, Intl.DateTimeFormat>()

/** `2026-03-29T04:30`, in the format of Intl for Swedish. */
function shown(at: Date, zone: string): string {
  const shape = { dateStyle: 'short', timeStyle: 'short', timeZone: zone } as const
  const clock = CLOCKS.get(zone) ?? new Intl.DateTimeFormat('sv-SE', shape)
  CLOCKS.set(zone, clock)
  return clock.format(at).replace(' ', 'T')
}

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

const pad = (number: number): string => String(number).padStart(2, '0')

const granted = (change: Partial<GrantFacts>): GrantFacts => ({
  id: 'g',
  startsAt: new Date(0),
  endsAt: null,
  revokedAt: null,
  frozen: [],
  moduleIds: null,
  start: new Date(0),
  groupId: null,
  zone: 'UTC',
  ...change,
})

function lesson(availability: AccessRule): LessonFacts[] {
  const open: AccessRule = { mode: 'open' }
  const about = { id: '1', moduleId: 'a', title: 'Урок', availability, moduleAvailability: open, required: true }
  const untouched = {
    openedAt: null,
    completedAt: null,
    homeworkState: null,
    homeworkAcceptedAt: null,
    testPassedAt: null,
  }
  return [{ ...about, ...untouched, taskCount: 0 }]
}

function access(rule: AccessRule, grant: GrantFacts, now: Date) {
  const [only] = outlineAccess(COURSE, [grant], [], lesson(rule), now)
  if (!only) throw new Error('there is one lesson')
  return only
}
