import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { getBusyCalendar, removeBusyCalendar, saveBusyCalendar } from '#lib/mentoring/busy-calendar/busy-calendar.ts'
import { readBusyCalendar, readDueCalendars } from '#lib/mentoring/busy-calendar/read.ts'
import { SaveBusyCalendar } from '#lib/mentoring/busy-calendar/schema.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { listTitles } from '../../../setup/schedule.ts'

let school: Mentoring
let busyAt: Date
beforeAll(async () => {
  school = await createMentoring()
  busyAt = await nextSlot(school)
})
afterAll(closeWorkers)

const ADDRESS = 'https://calendar.example.com/private-token/basic.ics'
const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
const fileWith = (at: Date) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Лікар\r\nDTSTART:${compact(at)}\r\nDTEND:${compact(new Date(at.getTime() + HOUR_MS))}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
const EMPTY = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n'
const keyOf = () => ({ tenantId: school.mentor.tenantId, memberId: school.mentor.membershipId })
const save = (address = ADDRESS) => saveBusyCalendar(school.mentor, SaveBusyCalendar.parse({ address }), NOW)
const read = (result: Awaited<ReturnType<NonNullable<Parameters<typeof readBusyCalendar>[2]>>>) =>
  readBusyCalendar(keyOf(), NOW, async () => result)
const isOffered = async () => {
  const { slots } = await getBookingPage(
    school.student,
    { programId: school.programId, mentorId: school.mentor.membershipId },
    NOW,
  )
  return slots.some(({ startAt }) => startAt === busyAt.getTime())
}

test('times of the calendar are not offered to students and are busy in the schedule of its owner alone', async () => {
  await save()
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ host: 'calendar.example.com', readAt: null })
  expect(await isOffered()).toBe(true)
  await read({ text: fileWith(busyAt), etag: '"1"' })
  expect(await isOffered()).toBe(false)
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ timeCount: 1, error: null, readAt: NOW })
  const month = { date: localDay(busyAt, 'Europe/Kyiv'), kind: 'busy' }
  expect(await listTitles(school.mentor, month, NOW)).toEqual(['busy '])
  expect(await listTitles(school.home.as.OWNER, month, NOW)).toEqual([])
})

test('an error keeps the known times and is shown until the calendar can be read again', async () => {
  await save()
  await read({ text: fileWith(busyAt), etag: null })
  await read({ error: 'private' })
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ error: 'calendar_private', timeCount: 1 })
  expect(await isOffered()).toBe(false)
  await read({ text: 'Слова', etag: null })
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ error: 'calendar_format' })
  await read({ unchanged: true })
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ error: null })
})

test('the failure of one calendar is stored for its member, and the calendars of others are read', async () => {
  const other = school.home.as.EXPERT
  await save()
  await saveBusyCalendar(other, { address: 'https://calendar.example.com/other' }, new Date(NOW.getTime() + 1))
  const later = new Date(NOW.getTime() + HOUR_MS)
  const requested: string[] = []
  const fetchText = async (address: string) => {
    requested.push(address)
    if (address === ADDRESS) throw new Error('The library failed')
    return { text: fileWith(busyAt).replace('BEGIN:VEVENT', 'BEGIN:VEVENT\r\nEND:VEVENT\r\nBEGIN:VEVENT'), etag: null }
  }
  expect(await readDueCalendars(later, fetchText)).toBe(1)
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ error: 'calendar_failed', readAt: later })
  expect(await getBusyCalendar(other)).toMatchObject({ error: null, timeCount: 1, skippedCount: 1, readAt: later })
  await readDueCalendars(later, fetchText)
  expect(requested).toHaveLength(2)
  await removeBusyCalendar(other)
})

test('a result of a replaced calendar is not stored', async () => {
  await removeBusyCalendar(school.mentor, NOW)
  await save()
  await readBusyCalendar(keyOf(), NOW, async () => {
    await save(`${ADDRESS}?new`)
    return { text: fileWith(busyAt), etag: null }
  })
  expect(await getBusyCalendar(school.mentor)).toMatchObject({ readAt: null, timeCount: 0 })
  expect(await isOffered()).toBe(true)
})

test('the times of the previous calendar stay until the new one is read, and end when it cannot be read', async () => {
  for (const result of [{ text: EMPTY, etag: null }, { error: 'silent' as const }]) {
    await save()
    await read({ text: fileWith(busyAt), etag: null })
    await save(`${ADDRESS}?new`)
    expect(await isOffered()).toBe(false)
    await read(result)
    expect(await isOffered()).toBe(true)
  }
})

test('removal deletes address and times, and a second one changes nothing', async () => {
  await save()
  await read({ text: fileWith(busyAt), etag: null })
  await removeBusyCalendar(school.mentor)
  await removeBusyCalendar(school.mentor)
  expect(await getBusyCalendar(school.mentor)).toBeNull()
  expect(await isOffered()).toBe(true)
  await read({ text: fileWith(busyAt), etag: null })
  expect(await isOffered()).toBe(true)
})

test('the address is stored encrypted, and only web addresses are accepted', async () => {
  await save('webcal://calendar.example.com/private-token/basic.ics')
  const { rows } = await inTenant(school.mentor, (tx) =>
    tx.execute<{ address: string }>(sql`select address from busy_calendar`),
  )
  expect(rows[0]?.address).not.toContain('private-token')
  expect(SaveBusyCalendar.parse({ address: 'webcal://a.test/b' })).toEqual({ address: 'https://a.test/b' })
  for (const address of ['', 'file:///etc/passwd', 'javascript:alert(1)', 'слова']) {
    expect(SaveBusyCalendar.safeParse({ address }).success).toBe(false)
  }
  await expect(saveBusyCalendar(school.student, { address: ADDRESS })).rejects.toMatchObject({ code: 'forbidden' })
})
