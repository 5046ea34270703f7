import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canWatchNow, isQuiet, planSessions } from '#lib/autowebinar/schedule-rules.ts'
import { type QuietHours, Schedule } from '#lib/autowebinar/schema.ts'
import { localDay, localTime, wallTimeOf } from '#lib/core/shared/time-zone.ts'

const ZONES = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu'] as const
const DAY = 86_400_000
const at = (iso: string) => new Date(iso)
const plan = (schedule: object, quietHours: QuietHours | null = null) => ({
  schedule: Schedule.parse({ zone: 'Europe/Kyiv', ...schedule }),
  quietHours,
})
const starts = (found: { startAt: Date }[]) => found.map(({ startAt }) => startAt.toISOString())

const zone = fc.constantFrom(...ZONES)
const two = (value: number) => String(value).padStart(2, '0')
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`)
// Contains both nights of clock changes in Kyiv and New York.
const moment = fc.integer({ min: Date.parse('2026-02-01'), max: Date.parse('2027-01-31') }).map((ms) => new Date(ms))
const weekly = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  times: fc.uniqueArray(clock, { minLength: 1, maxLength: 4 }),
})

describe('a weekly pattern', () => {
  test('has its weekdays and local times, across both clock changes', () => {
    fc.assert(
      fc.property(zone, weekly, moment, (name, pattern, from) => {
        const until = new Date(from.getTime() + 40 * DAY)
        const found = planSessions(plan({ zone: name, weekly: pattern }), {
          start: from,
          end: until,
          viewerZone: 'UTC',
          now: from,
        })
        for (const { startAt } of found) {
          const day = ((new Date(`${localDay(startAt, name)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
          const shown = localTime(startAt, name)
          const skipped = wallTimeOf(new Date(startAt.getTime() - 1), name) !== wallTimeOf(startAt, name) - 1
          const inGap =
            wallTimeOf(startAt, name) - wallTimeOf(new Date(startAt.getTime() - 2 * 3_600_000), name) !== 2 * 3_600_000
          expect(pattern.days).toContain(day)
          expect(pattern.times.includes(shown) || skipped || inGap).toBe(true)
        }
      }),
    )
  })

  test('has each session once, in order, within the window, one per day and time', () => {
    fc.assert(
      fc.property(zone, weekly, moment, (name, pattern, from) => {
        const until = new Date(from.getTime() + 28 * DAY)
        const found = planSessions(plan({ zone: name, weekly: pattern }), {
          start: from,
          end: until,
          viewerZone: 'UTC',
          now: from,
        })
        const instants = found.map(({ startAt }) => startAt.getTime())
        expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b))
        expect(instants.every((instant) => instant >= from.getTime() && instant < until.getTime())).toBe(true)
        // Four weeks; a clock change adds or removes one at its edges.
        const whole = 4 * pattern.days.length * pattern.times.length
        expect(Math.abs(found.length - whole)).toBeLessThanOrEqual(pattern.times.length)
      }),
    )
  })

  test('can be split into any two windows without losing or duplicating a session', () => {
    fc.assert(
      fc.property(zone, weekly, moment, fc.integer({ min: 1, max: 27 }), (name, pattern, from, days) => {
        const made = plan({ zone: name, weekly: pattern })
        const [middle, until] = [new Date(from.getTime() + days * DAY), new Date(from.getTime() + 28 * DAY)]
        const planBetween = (a: Date, b: Date) => planSessions(made, { start: a, end: b, viewerZone: 'UTC', now: from })
        expect([...planBetween(from, middle), ...planBetween(middle, until)]).toEqual(planBetween(from, until))
      }),
    )
  })

  test('starts an hour later at a skipped time in spring, and once in autumn', () => {
    const night = plan({ weekly: { days: [7], times: ['03:30'] } })
    const planBetween = (from: string, until: string) =>
      starts(planSessions(night, { start: at(from), end: at(until), viewerZone: 'UTC', now: at(from) }))
    expect(planBetween('2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual(['2026-03-29T01:30:00.000Z'])
    expect(planBetween('2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z'])
  })

  test('ends with its last day and omits the skipped days', () => {
    const pattern = { days: [1, 2, 3, 4, 5, 6, 7], times: ['19:00'], from: '2026-12-02', until: '2026-12-05' }
    const made = plan({ weekly: pattern, skip: ['2026-12-04'] })
    const [from, until] = [at('2026-11-20T00:00:00Z'), at('2026-12-20T00:00:00Z')]
    expect(starts(planSessions(made, { start: from, end: until, viewerZone: 'UTC', now: from }))).toEqual([
      '2026-12-02T17:00:00.000Z',
      '2026-12-03T17:00:00.000Z',
      '2026-12-05T17:00:00.000Z',
    ])
  })
})

describe('the zone', () => {
  test('of the viewer makes 19:00 local for each viewer', () => {
    const made = plan({ zone: 'viewer', dates: [{ day: '2026-12-01', time: '19:00' }] })
    const window = {
      start: at('2026-11-30T00:00:00Z'),
      end: at('2026-12-03T00:00:00Z'),
      now: at('2026-11-30T00:00:00Z'),
    }
    const seen = ZONES.map((viewerZone) => starts(planSessions(made, { ...window, viewerZone }))[0])
    expect(seen).toEqual(['2026-12-01T17:00:00.000Z', '2026-12-02T00:00:00.000Z', '2026-12-01T13:15:00.000Z'])
  })

  test('that is fixed gives everybody the same instant', () => {
    const made = plan({ dates: [{ day: '2026-12-01', time: '19:00' }] })
    const window = {
      start: at('2026-11-30T00:00:00Z'),
      end: at('2026-12-03T00:00:00Z'),
      now: at('2026-11-30T00:00:00Z'),
    }
    expect(new Set(ZONES.flatMap((viewerZone) => starts(planSessions(made, { ...window, viewerZone })))).size).toBe(1)
  })
})

describe('just in time', () => {
  test('starts at the next interval of the viewer’s clock, also in zones offset by 45 minutes', () => {
    fc.assert(
      fc.property(zone, fc.constantFrom(15, 30, 60), moment, (viewerZone, justInTime, now) => {
        const made = plan({ zone: 'viewer', justInTime })
        const found = planSessions(made, { start: now, end: new Date(now.getTime() + DAY), viewerZone, now })
        expect(found).toHaveLength(2)
        const [first] = found
        const wait = (first?.startAt.getTime() ?? 0) - now.getTime()
        expect(wait).toBeGreaterThanOrEqual(60_000)
        expect(wait).toBeLessThanOrEqual((justInTime + 1) * 60_000)
        for (const { startAt } of found) {
          expect(Number(localTime(startAt, viewerZone).slice(3)) % justInTime).toBe(0)
        }
      }),
    )
  })

  test('pauses at night and resumes in the morning', () => {
    const made = plan({ zone: 'viewer', justInTime: 30 }, { from: '22:00', to: '08:00' })
    const now = at('2026-12-01T21:10:00Z')
    const found = planSessions(made, { start: now, end: new Date(now.getTime() + DAY), viewerZone: 'Europe/Kyiv', now })
    expect(starts(found)[0]).toBe('2026-12-02T06:00:00.000Z')
  })
})

test('quiet hours exclude sessions of the pattern within them, and only those', () => {
  fc.assert(
    fc.property(zone, weekly, moment, clock, clock, (name, pattern, from, quietFrom, quietTo) => {
      const quiet = { from: quietFrom, to: quietTo }
      const until = new Date(from.getTime() + 20 * DAY)
      const window = { start: from, end: until, viewerZone: 'UTC', now: from }
      const all = planSessions(plan({ zone: name, weekly: pattern }), window)
      const left = planSessions(plan({ zone: name, weekly: pattern }, quiet), window)
      expect(left).toEqual(all.filter(({ startAt }) => !isQuiet(quiet, startAt, name)))
    }),
  )
})

test('nothing is offered before now, and an explicit date applies in quiet hours too', () => {
  const made = plan(
    {
      dates: [
        { day: '2026-12-01', time: '23:00' },
        { day: '2026-12-02', time: '23:00' },
      ],
    },
    { from: '22:00', to: '08:00' },
  )
  const now = at('2026-12-02T00:00:00Z')
  const found = planSessions(made, {
    start: at('2026-11-01T00:00:00Z'),
    end: at('2026-12-31T00:00:00Z'),
    viewerZone: 'UTC',
    now,
  })
  expect(starts(found)).toEqual(['2026-12-02T21:00:00.000Z'])
})

test('a session at the first instant of a window is offered, one at its end is not, and none twice', () => {
  const made = plan({
    dates: [
      { day: '2026-12-01', time: '19:00' },
      { day: '2026-12-02', time: '19:00' },
    ],
    weekly: { days: [1, 2, 3, 4, 5, 6, 7], times: ['19:00'] },
  })
  const from = at('2026-12-01T17:00:00Z')
  const found = planSessions(made, { start: from, end: at('2026-12-02T17:00:00Z'), viewerZone: 'UTC', now: from })
  expect(starts(found)).toEqual(['2026-12-01T17:00:00.000Z'])
})

describe('watching on demand', () => {
  const now = at('2026-12-01T20:30:00Z')

  test('is offered where the schedule allows it', () => {
    expect(canWatchNow(plan({ onDemand: true }), 'UTC', now)).toBe(true)
    expect(canWatchNow(plan({ onDemand: false }), 'UTC', now)).toBe(false)
  })

  test('is not on a skipped day or in quiet hours, by the clock of the schedule', () => {
    expect(canWatchNow(plan({ onDemand: true, skip: ['2026-12-01'] }), 'UTC', now)).toBe(false)
    expect(canWatchNow(plan({ onDemand: true, skip: ['2026-12-02'] }), 'UTC', now)).toBe(true)
    const quiet = { from: '22:00', to: '08:00' }
    expect(canWatchNow(plan({ onDemand: true }, quiet), 'UTC', now)).toBe(false)
    expect(canWatchNow(plan({ zone: 'viewer', onDemand: true }, quiet), 'UTC', now)).toBe(true)
  })
})

test.each([
  [{ from: '22:00', to: '08:00' }, ['21:59', '22:00', '07:59', '08:00'], [false, true, true, false]],
  [{ from: '13:00', to: '14:00' }, ['12:59', '13:00', '13:59', '14:00'], [false, true, true, false]],
  [{ from: '13:00', to: '13:00' }, ['12:59', '13:00'], [false, false]],
  [null, ['13:00'], [false]],
])('quiet hours %j hold %j: %j', (quiet, times, expected) => {
  expect(times.map((time) => isQuiet(quiet, at(`2026-12-01T${time}:00Z`), 'UTC'))).toEqual(expected)
})
