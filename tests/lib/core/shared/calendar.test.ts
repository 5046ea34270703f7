import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { formatCalendarFile, googleCalendarUrl, outlookCalendarUrl } from '#lib/core/calendar/calendar.ts'
import { formatVtimezone } from '#lib/core/calendar/vtimezone.ts'
import { wallTimeOf } from '#lib/core/shared/time-zone.ts'

const ZONES = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu'] as const
const MINUTE = 60_000

const appointment = (startAt: Date, timeZone: string) => ({
  uid: 'one',
  sequence: 3,
  startAt,
  durationMinutes: 90,
  timeZone,
  title: 'Подія, «перша»; \\ і далі',
  text: 'рядок\nдругий',
  href: 'https://school.test/a?b=1&c=2',
  organizer: 'Школа "Лекторій"; інша',
  attendee: { name: 'Олена, "Ім’я"', email: 'olena@school.test' },
})

/** Reads a file with an independent library, which uses only the zones of the file. */
function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const zone = calendar.getFirstSubcomponent('vtimezone')
  if (zone) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? new ICAL.Component('vevent'))
  const seen = { start: event.startDate.toJSDate(), end: event.endDate.toJSDate(), event, calendar, zone }
  ICAL.TimezoneService.reset()
  return seen
}

/** Instants around a clock change: half-hours from eight before to eight after. */
const around = (change: string) =>
  Array.from({ length: 33 }, (_, n) => new Date(Date.parse(change) + (n - 16) * 30 * MINUTE))

const CHANGES = [
  ['Europe/Kyiv', '2026-03-29T01:00:00Z'],
  ['Europe/Kyiv', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2027-03-14T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Asia/Kathmandu', '2026-10-25T01:00:00Z'],
] as const

describe.each(CHANGES)('in %s around %s', (zone, change) => {
  test('an independent reader finds the same instants, whatever the local time', () => {
    for (const startAt of around(change)) {
      const { start, end } = read(formatCalendarFile(appointment(startAt, zone), 'REQUEST'))
      expect([start.toISOString(), end.toISOString()], startAt.toISOString()).toEqual([
        startAt.toISOString(),
        new Date(startAt.getTime() + 90 * MINUTE).toISOString(),
      ])
    }
  })
})

test.each([...ZONES, 'Africa/Casablanca', 'Asia/Jerusalem', 'Australia/Lord_Howe'])(
  'the rules of %s hold for two years',
  (name) => {
    const at = new Date('2026-11-21T10:00:00Z')
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(formatVtimezone(name, at))))
    for (let day = -300; day < 700; day += 1) {
      const instant = new Date(at.getTime() + day * 86_400_000)
      const wall = ICAL.Time.fromJSDate(new Date(wallTimeOf(instant, name)), true)
      wall.zone = zone
      expect(wall.toJSDate().toISOString()).toBe(instant.toISOString())
    }
  },
)

test('a calendar file is complete, in UTF-8 lines of 75 bytes, with its identity', () => {
  const file = formatCalendarFile(appointment(new Date('2026-12-01T17:00:00Z'), 'Europe/Kyiv'), 'REQUEST')
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
  expect(file).not.toMatch(/[^\r]\n/)
  const { event, calendar, zone } = read(file)
  expect(event.summary).toBe('Подія, «перша»; \\ і далі')
  expect(event.description).toBe('рядок\nдругий')
  expect([event.uid, event.sequence]).toEqual(['one@kafedra.localhost', 3])
  expect(zone?.getFirstPropertyValue('tzid')).toBe('Europe/Kyiv')
  expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
  expect(String(event.component.getFirstPropertyValue('dtstamp'))).toMatch(/Z$/)
  expect(event.organizer).toMatch(/^mailto:no-reply@kafedra\.localhost$/i)
  expect(event.component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  const canceled = read(formatCalendarFile(appointment(new Date('2026-12-01T17:00:00Z'), 'Europe/Kyiv'), 'CANCEL'))
  expect(canceled.event.component.getFirstPropertyValue('status')).toBe('CANCELLED')
  expect(canceled.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
})

test('web calendars get the same instants', () => {
  const entry = appointment(new Date('2026-10-25T00:30:00Z'), 'Europe/Kyiv')
  const google = new URL(googleCalendarUrl(entry)).searchParams
  expect(google.get('dates')).toBe('20261025T003000Z/20261025T020000Z')
  expect(google.get('ctz')).toBe('Europe/Kyiv')
  const outlook = new URL(outlookCalendarUrl(entry)).searchParams
  expect([outlook.get('startdt'), outlook.get('enddt')]).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T02:00:00.000Z',
  ])
  expect(outlook.get('subject')).toBe(entry.title)
})
