import { expect, test } from 'vitest'
import { readForeignCalendar } from '#lib/core/calendar/busy-times.ts'

const PERIOD = { from: Date.parse('2026-11-28T00:00:00Z'), to: Date.parse('2027-06-01T00:00:00Z'), zone: 'Europe/Kyiv' }
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
const file = (...components: string[]) => ['BEGIN:VCALENDAR', ...components, 'END:VCALENDAR', ''].join('\r\n')
const read = (text: string) => {
  const { times, skipped } = readForeignCalendar({ text, ...PERIOD })
  const shown = times.map((ends) => ends.map((at) => new Date(at).toISOString().slice(5, 16)).join(' '))
  return { times: shown, skipped }
}
const SOUND = event('UID:sound', 'DTSTART:20261210T100000Z', 'DTEND:20261210T110000Z')
const SOUND_TIME = '12-10T10:00 12-10T11:00'
const DAILY = ['UID:a', 'DTSTART;TZID=Europe/Kyiv:20261201T100000', 'DTEND;TZID=Europe/Kyiv:20261201T110000']
const FIRST = '12-01T08:00 12-01T09:00'
const SECOND = '12-02T08:00 12-02T09:00'
const THIRD = '12-03T08:00 12-03T09:00'

test.each([
  ['an empty UNTIL', event(...DAILY, 'RRULE:FREQ=DAILY;UNTIL='), [FIRST]],
  ['an unknown frequency', event(...DAILY, 'RRULE:FREQ=NEVER'), [FIRST]],
  ['an interval of zero', event(...DAILY, 'RRULE:FREQ=DAILY;INTERVAL=0'), [FIRST]],
  ['a day of a month that does not exist', event(...DAILY, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=99'), [FIRST]],
  ['an exception that is no date', event(...DAILY, 'EXDATE:tomorrow'), [FIRST]],
  ['a start that is no date', event('UID:a', 'DTSTART:20261301T000000Z'), []],
  ['no start', event('UID:a', 'SUMMARY:x'), []],
  ['a huge duration', event('UID:a', 'DTSTART:20261201T000000Z', 'DURATION:P999999999999999999W'), []],
  ['an end before the start', event('UID:a', 'DTSTART:20261201T000000Z', 'DTEND:20261130T000000Z'), []],
])('skips and counts %s, and uses the rest of the file', (_, odd, times) => {
  expect(read(file(odd, SOUND))).toEqual({ times: [...times, SOUND_TIME], skipped: 1 })
})

test.each([
  ['a byte order mark', `\uFEFF${file(SOUND)}`],
  ['line feeds and empty lines', file(SOUND).replaceAll('\r\n', '\n\n')],
  ['a missing END of the calendar', file(SOUND).replace('END:VCALENDAR\r\n', '')],
  ['a missing END of an event', file(`BEGIN:VEVENT\r\nUID:b\r\nDTSTART:20250101T000000Z`, SOUND)],
  ['a missing END of an alarm', file(SOUND.replace('DTSTART', 'BEGIN:VALARM\r\nACTION:AUDIO\r\nDTSTART'))],
  ['lines that are none', file('free text', SOUND, 'X')],
  ['small letters', file(SOUND).toLowerCase()],
  ['a second calendar', file() + file(SOUND)],
])('reads a file with %s', (_, text) => {
  expect(read(text).times).toEqual([SOUND_TIME])
})

test('a moved occurrence without its series is an event, and a canceled one is none', () => {
  const moved = ['UID:a', 'RECURRENCE-ID;TZID=Europe/Kyiv:20261201T100000', 'DTSTART:20261201T090000Z', 'DURATION:PT1H']
  expect(read(file(event(...moved))).times).toEqual(['12-01T09:00 12-01T10:00'])
  expect(read(file(event(...moved, 'STATUS:CANCELLED'))).times).toEqual([])
})

test.each([
  'EXDATE:20261202T080000Z',
  'EXDATE;TZID=America/New_York:20261202T030000',
  'EXDATE;TZID=Eastern Standard Time:20261202T030000',
  'EXDATE:20261202T100000',
  'EXDATE;VALUE=DATE:20261202',
  'EXDATE:20261202',
])('an occurrence of a series is excluded by %s', (exclusion) => {
  expect(read(file(event(...DAILY, 'RRULE:FREQ=DAILY;COUNT=3', exclusion))).times).toEqual([FIRST, THIRD])
})

test.each(['EXDATE:20261202', 'EXDATE;VALUE=DATE:20261202', 'EXDATE:20261202T000000Z', 'EXDATE:20261201T220000Z'])(
  'a whole day of a series is excluded by %s',
  (exclusion) => {
    const days = ['UID:a', 'DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=DAILY;COUNT=3', exclusion]
    expect(read(file(event(...days))).times).toEqual(['11-30T22:00 12-01T22:00', '12-02T22:00 12-03T22:00'])
  },
)

test.each(['20261202T080000Z', '20261202T100000', '20261202'])('RECURRENCE-ID %s replaces an occurrence', (id) => {
  const moved = event('UID:a', `RECURRENCE-ID:${id}`, 'DTSTART:20261202T150000Z', 'DTEND:20261202T160000Z')
  // Local times and dates are in the zone of the event itself: here the time is written in that of the member.
  const text = file(
    event(...DAILY, 'RRULE:FREQ=DAILY;COUNT=3'),
    moved.replace('DTSTART:20261202T150000Z', 'DTSTART:20261202T170000'),
  )
  expect(read(text).times).toEqual([FIRST, '12-02T15:00 12-02T16:00', THIRD])
})

test.each(['20261202', '20261202T100000', '20261202T080000Z', '20261202T235959'])('UNTIL %s is inclusive', (until) => {
  expect(read(file(event(...DAILY, `RRULE:FREQ=DAILY;UNTIL=${until}`))).times).toEqual([FIRST, SECOND])
})

test.each([
  ['Pacific Standard Time', '18:00'],
  ['"FLE Standard Time"', '08:00'],
  ['/freeassociation.sourceforge.net/Europe/Kyiv', '08:00'],
  ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', '13:00'],
  ['(UTC+02:00) Helsinki, Kyiv', '08:00'],
  ['GMT-0500', '15:00'],
  ['europe/kyiv', '08:00'],
  ['tzone://Microsoft/Utc', '10:00'],
  ['Somewhere', '08:00'],
])('the zone %s is known without its definition', (zone, start) => {
  const text = file(event('UID:a', `DTSTART;TZID=${zone}:20261201T100000`, 'DURATION:PT15M'))
  expect(read(text).times).toEqual([`12-01T${start} 12-01T${start.replace(':00', ':15')}`])
})

test('a definition of a zone that cannot be used does not matter', () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Pacific Standard Time', 'BEGIN:STANDARD', 'DTSTART:x', 'RRULE:FREQ=SECONDLY']
  const text = file(...zone, event('UID:a', 'DTSTART;TZID=Pacific Standard Time:20261201T100000', 'DURATION:PT1H'))
  expect(read(text).times).toEqual(['12-01T18:00 12-01T19:00'])
})

test('additional dates and periods, and busy periods of VFREEBUSY', () => {
  const once = ['UID:a', 'DTSTART:20261201T100000Z', 'DTEND:20261201T110000Z']
  const additions = [
    'RDATE;VALUE=PERIOD:20261207T100000Z/PT2H,20261208T100000Z/20261208T103000Z',
    'RDATE:20261209T100000Z',
  ]
  expect(read(file(event(...once, ...additions))).times).toEqual([
    '12-01T10:00 12-01T11:00',
    '12-07T10:00 12-07T12:00',
    '12-08T10:00 12-08T10:30',
    '12-09T10:00 12-09T11:00',
  ])
  const busy = ['BEGIN:VFREEBUSY', 'FREEBUSY;FBTYPE=BUSY:20261201T100000Z/PT1H,20261202T100000Z/20261202T110000Z']
  const free = ['FREEBUSY;FBTYPE=FREE:20261203T100000Z/PT1H', 'END:VFREEBUSY']
  expect(read(file(...busy, ...free)).times).toEqual(['12-01T10:00 12-01T11:00', '12-02T10:00 12-02T11:00'])
})

test('the event with the highest SEQUENCE replaces its earlier versions', () => {
  const version = (sequence: number, hour: number) =>
    event('UID:a', `SEQUENCE:${sequence}`, `DTSTART:20261201T${hour}0000Z`, 'DURATION:PT1H')
  expect(read(file(version(1, 10), version(3, 14), version(2, 12))).times).toEqual(['12-01T14:00 12-01T15:00'])
})

test('a change of this and all later occurrences moves them', () => {
  const later = event(
    'UID:a',
    'RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T080000Z',
    'DTSTART:20261202T120000Z',
    'DURATION:PT30M',
  )
  expect(read(file(event(...DAILY, 'RRULE:FREQ=DAILY;COUNT=3'), later)).times).toEqual([
    FIRST,
    '12-02T12:00 12-02T12:30',
    '12-03T12:00 12-03T12:30',
  ])
})

test('series that began long ago are expanded in the period, and each has its own limit', () => {
  const old = (hour: number, rule: string) =>
    event(`UID:${hour}${rule}`, `DTSTART:1990010${hour % 9 || 1}T0${hour}0000Z`, 'DURATION:PT10M', `RRULE:${rule}`)
  const series = Array.from({ length: 9 }, (_, hour) => old(hour, 'FREQ=DAILY'))
  const endless = old(7, 'FREQ=SECONDLY')
  const { times } = read(file(endless, ...series, old(8, 'FREQ=DAILY;COUNT=90000'), SOUND))
  expect(times.filter((time) => time.startsWith('12-10'))).toContain(SOUND_TIME)
  const counted = read(file(event('UID:c', 'DTSTART:20260101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=335')))
  expect(counted.times.at(-1)).toBe('12-01T10:00 12-01T11:00')
})
