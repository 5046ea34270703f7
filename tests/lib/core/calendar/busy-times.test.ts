import { expect, test } from 'vitest'
import { readBusyTimes } from '#lib/core/calendar/busy-times.ts'

const PERIOD = { from: Date.parse('2027-03-01T00:00:00Z'), to: Date.parse('2027-04-15T00:00:00Z'), zone: 'Europe/Kyiv' }

const calendar = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VTIMEZONE',
    'TZID:FLE Standard Time',
    'BEGIN:STANDARD',
    'DTSTART:16010101T000000',
    'TZOFFSETFROM:+0500',
    'TZOFFSETTO:+0500',
    'END:STANDARD',
    'END:VTIMEZONE',
    ...events.flatMap((lines, index) => [
      'BEGIN:VEVENT',
      ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:${index}`]),
      'DTSTAMP:20270101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const read = (...events: string[][]) =>
  readBusyTimes({ text: calendar(...events), ...PERIOD }).map((times) =>
    times.map((at) => new Date(at).toISOString().slice(0, 16)).join(' '),
  )

test('reads times in UTC, in a named zone, in a zone of the file and without a zone', () => {
  expect(read(['DTSTART:20270310T100000Z', 'DTEND:20270310T110000Z'])).toEqual(['2027-03-10T10:00 2027-03-10T11:00'])
  const tokyo = ['DTSTART;TZID=Asia/Tokyo:20270310T100000', 'DURATION:PT30M']
  expect(read(tokyo)).toEqual(['2027-03-10T01:00 2027-03-10T01:30'])
  const own = ['DTSTART;TZID=FLE Standard Time:20270310T100000', 'DTEND;TZID=FLE Standard Time:20270310T110000']
  expect(read(own)).toEqual(['2027-03-10T05:00 2027-03-10T06:00'])
  expect(read(['DTSTART:20270310T100000', 'DTEND:20270310T110000'])).toEqual(['2027-03-10T08:00 2027-03-10T09:00'])
  expect(read(['DTSTART;VALUE=DATE:20270310'])).toEqual(['2027-03-09T22:00 2027-03-10T22:00'])
})

test('repeats at the local time across a clock change, without exceptions and with moved occurrences', () => {
  const weekly = [
    'UID:weekly',
    'DTSTART;TZID=Europe/Kyiv:20270315T100000',
    'DTEND;TZID=Europe/Kyiv:20270315T110000',
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'EXDATE;TZID=Europe/Kyiv:20270322T100000',
  ]
  const moved = [
    'UID:weekly',
    'RECURRENCE-ID;TZID=Europe/Kyiv:20270405T100000',
    'DTSTART;TZID=Europe/Kyiv:20270406T150000',
    'DTEND;TZID=Europe/Kyiv:20270406T160000',
  ]
  expect(read(weekly, moved)).toEqual([
    '2027-03-15T08:00 2027-03-15T09:00',
    '2027-03-29T07:00 2027-03-29T08:00',
    '2027-04-06T12:00 2027-04-06T13:00',
  ])
})

test('omits free and canceled events and those outside of the period, and joins overlapping ones', () => {
  const at = ['DTSTART:20270310T100000Z', 'DTEND:20270310T110000Z']
  expect(read([...at, 'TRANSP:TRANSPARENT'], [...at, 'STATUS:CANCELLED'])).toEqual([])
  expect(read([...at, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'])).toEqual([])
  expect(read(['DTSTART:20260310T100000Z', 'DTEND:20260310T110000Z'])).toEqual([])
  expect(read(at, ['DTSTART:20270310T103000Z', 'DTEND:20270310T120000Z'])).toEqual([
    '2027-03-10T10:00 2027-03-10T12:00',
  ])
})

test('an endless rule of seconds ends, and texts that are no calendar are refused', () => {
  const endless = ['DTSTART:19700101T000000Z', 'DTEND:19700101T000001Z', 'RRULE:FREQ=SECONDLY']
  expect(read(endless)).toEqual([])
  for (const text of ['', 'Слова', '<html></html>', 'BEGIN:VCARD\r\nEND:VCARD']) {
    expect(() => readBusyTimes({ text, ...PERIOD })).toThrow(
      expect.objectContaining({ details: { fields: { address: ['calendar_format'] } } }),
    )
  }
})
