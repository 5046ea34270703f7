import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { type AvailabilitySettings, EMPTY_WEEK } from '#lib/mentoring/availability/schema.ts'
import { listSlots, type SlotInput } from '#lib/mentoring/slot/slots.ts'

const ZONES = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca']
const PROGRAM = {
  sessionMinutes: 60,
  bufferBefore: 0,
  bufferAfter: 0,
  minNoticeHours: 0,
  maxDaysAhead: 180,
  slotStepMinutes: 30,
  perDayMax: null,
}

const week = (ranges: { from: number; to: number }[]) => EMPTY_WEEK.map(() => ranges)
const hours = (from: number, to: number) => [{ from: from * 60, to: to * 60 }]

function slotsOf(
  timeZone: string,
  from: string,
  days: number,
  change: Partial<SlotInput> = {},
  weekly = week(hours(0, 24)),
) {
  const start = Temporal.PlainDate.from(from).toZonedDateTime(timeZone)
  const input: SlotInput = {
    availability: { timeZone, weekly, overrides: [], travels: [] },
    program: PROGRAM,
    busy: [],
    sessionStarts: [],
    from: start.epochMilliseconds,
    to: start.add({ days }).epochMilliseconds,
    now: start.epochMilliseconds,
    ...change,
  }
  return listSlots(input)
}

const local = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
const clocks = (slots: number[], zone: string) =>
  slots.map((at) => local(at, zone).toPlainTime().toString().slice(0, 5))

interface LocalMinute {
  at: number
  minute: number
  date: string
}

/** Every 5 minutes of a period with its local clock, by Temporal. */
function timelineOf(timeZone: string, from: string, days: number): LocalMinute[] {
  const minutes: LocalMinute[] = []
  let at = Temporal.PlainDate.from(from).toZonedDateTime(timeZone)
  const until = at.add({ days }).epochMilliseconds
  while (at.epochMilliseconds < until) {
    const date = at.toPlainDate().toString()
    minutes.push({ at: at.epochMilliseconds, minute: at.hour * 60 + at.minute, date })
    at = at.add({ minutes: 5 })
  }
  return minutes
}

/** The same list by another way: all times of the period whose local clock is a step of the hours. */
function slotsByTemporal(
  timeZone: string,
  timeline: LocalMinute[],
  range: { from: number; to: number },
  { slotStepMinutes, sessionMinutes }: typeof PROGRAM,
) {
  const ends = new Map<string, number>()
  for (const { date } of timeline) {
    if (ends.has(date)) continue
    const end = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: range.to })
    ends.set(date, end.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds)
  }
  return timeline
    .filter(({ minute }) => minute >= range.from && minute < range.to && (minute - range.from) % slotStepMinutes === 0)
    .filter(({ at, date }) => at + sessionMinutes * MINUTE_MS <= (ends.get(date) ?? 0))
    .map(({ at }) => at)
}

const changes = (zone: string) => {
  let next = Temporal.ZonedDateTime.from(`2026-01-10T00:00[${zone}]`).getTimeZoneTransition('next')
  const days: string[] = []
  while (next && next.year < 2028 && days.length < 4) {
    days.push(next.toPlainDate().subtract({ days: 2 }).toString())
    next = next.getTimeZoneTransition('next')
  }
  return days.length > 0 ? days : ['2026-03-27', '2026-10-23']
}

describe.each(ZONES)('slots in %s', (zone) => {
  test('are the same as by Temporal around every clock change of two years', () => {
    const days = changes(zone)
    const timelines = new Map(days.map((day) => [day, timelineOf(zone, day, 5)]))
    const inputs = fc.record({
      start: fc.constantFrom(...days),
      from: fc.integer({ min: 0, max: 200 }).map((steps) => steps * 5),
      length: fc.integer({ min: 6, max: 87 }).map((steps) => steps * 5),
      step: fc.constantFrom(15, 20, 30, 45, 60),
      minutes: fc.constantFrom(15, 30, 60, 90),
    })
    fc.assert(
      fc.property(inputs, ({ start, from, length, step, minutes }) => {
        const range = { from, to: Math.min(1440, from + length) }
        const program = { ...PROGRAM, slotStepMinutes: step, sessionMinutes: minutes }
        const slots = slotsOf(zone, start, 5, { program }, week([range]))
        expect(slots).toEqual(slotsByTemporal(zone, timelines.get(start) ?? [], range, program))
      }),
      { numRuns: 60 },
    )
  })

  test('never overlap a busy time with their buffers, and never leave the hours', () => {
    const inputs = fc.record({
      start: fc.constantFrom(...changes(zone)),
      busy: fc.array(fc.record({ at: fc.integer({ min: 0, max: 7200 }), length: fc.integer({ min: 1, max: 300 }) }), {
        maxLength: 8,
      }),
      before: fc.constantFrom(0, 10, 30),
      after: fc.constantFrom(0, 15, 60),
    })
    fc.assert(
      fc.property(inputs, ({ start, busy, before, after }) => {
        const startMs = Temporal.PlainDate.from(start).toZonedDateTime(zone).epochMilliseconds
        const busyTimes = busy.map(({ at, length }) => ({
          from: startMs + at * MINUTE_MS,
          to: startMs + (at + length) * MINUTE_MS,
        }))
        const program = { ...PROGRAM, bufferBefore: before, bufferAfter: after }
        const slots = slotsOf(zone, start, 5, { program, busy: busyTimes }, week(hours(9, 18)))
        const all = slotsOf(zone, start, 5, { program }, week(hours(9, 18)))
        const isFree = (at: number) =>
          busyTimes.every(({ from, to }) => at - before * MINUTE_MS >= to || at + (60 + after) * MINUTE_MS <= from)
        expect(slots).toEqual(all.filter(isFree))
        for (const at of slots) expect(local(at, zone).hour).toBeGreaterThanOrEqual(9)
      }),
      { numRuns: 20 },
    )
  })
})

test('a skipped hour has no slots, a repeated hour has both', () => {
  const spring = slotsOf('Europe/Kyiv', '2026-03-29', 1, {}, week(hours(2, 6)))
  expect(clocks(spring, 'Europe/Kyiv')).toEqual(['02:00', '02:30', '04:00', '04:30', '05:00'])
  const autumn = slotsOf('Europe/Kyiv', '2026-10-25', 1, {}, week(hours(2, 5)))
  expect(clocks(autumn, 'Europe/Kyiv')).toEqual(['02:00', '02:30', '03:00', '03:30', '03:00', '03:30', '04:00'])
  expect(autumn).toEqual(autumn.toSorted((a, b) => a - b))
})

test('an override replaces the hours of its day, and one without hours makes it free', () => {
  const overrides = [
    { date: '2026-12-01', ranges: hours(14, 15) },
    { date: '2026-12-02', ranges: [] },
  ]
  const availability = { timeZone: 'Europe/Kyiv', weekly: week(hours(9, 10)), overrides, travels: [] }
  const slots = slotsOf('Europe/Kyiv', '2026-11-30', 4, { availability })
  expect(slots.map((at) => local(at, 'Europe/Kyiv').toPlainDateTime().toString())).toEqual([
    '2026-11-30T09:00:00',
    '2026-12-01T14:00:00',
    '2026-12-03T09:00:00',
  ])
})

test('on a journey the hours are local times of the other zone', () => {
  const availability: AvailabilitySettings = {
    timeZone: 'Europe/Kyiv',
    weekly: week(hours(9, 10)),
    overrides: [],
    travels: [{ from: '2026-12-01', to: '2026-12-02', timeZone: 'America/New_York' }],
  }
  const slots = slotsOf('Europe/Kyiv', '2026-11-30', 4, { availability })
  expect(slots.map((at) => new Date(at).toISOString())).toEqual([
    '2026-11-30T07:00:00.000Z',
    '2026-12-01T14:00:00.000Z',
    '2026-12-02T14:00:00.000Z',
    '2026-12-03T07:00:00.000Z',
  ])
})

test('notice, booking window and the limit per day leave slots out', () => {
  const program = { ...PROGRAM, minNoticeHours: 34, maxDaysAhead: 3, perDayMax: 1 }
  const all = slotsOf('Europe/Kyiv', '2026-11-30', 30, {}, week(hours(9, 11)))
  const [, , , , , second] = all
  const slots = slotsOf('Europe/Kyiv', '2026-11-30', 30, { program, sessionStarts: [second ?? 0] }, week(hours(9, 11)))
  expect(slots.map((at) => local(at, 'Europe/Kyiv').toPlainDateTime().toString())).toEqual([
    '2026-12-02T09:00:00',
    '2026-12-02T09:30:00',
    '2026-12-02T10:00:00',
  ])
})
