import { afterAll, beforeEach, expect, test } from 'vitest'
import { inTenant, query } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { getAvailability, saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { joinWaitlist, leaveWaitlist } from '#lib/mentoring/booking/join-waitlist.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { JoinWaitlist } from '#lib/mentoring/booking/schema.ts'
import { lockMentor } from '#lib/mentoring/booking/seat.ts'
import { removeBusyCalendar, saveBusyCalendar } from '#lib/mentoring/busy-calendar/busy-calendar.ts'
import { readBusyCalendar } from '#lib/mentoring/busy-calendar/read.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { listNotifications } from '../../../setup/notification.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

afterAll(closeWorkers)

let school: Mentoring
beforeEach(async () => {
  school = await createMentoring()
})

async function book(student: Actor, startAt: Date): Promise<string> {
  const { programId, mentor } = school
  const bookingId = newId()
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
  return bookingId
}
const join = (student: Actor, wantedFrom: Date | null = null, wantedTo: Date | null = null) =>
  joinWaitlist(student, { programId: school.programId, wantedFrom, wantedTo }, NOW)
const cancel = (bookingId: string, now = NOW) => cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, now)
const notices = async (student: Actor) =>
  (await listNotifications(student, { view: 'all' })).items.filter(({ kind }) => kind === 'session_time_free').length
const waitingOf = async (student: Actor) =>
  (await getBookingPage(student, { programId: school.programId, mentorId: null }, NOW)).waiting
const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR_MS)

test('a student who wants a period is notified when a time in it is free, and only then', async () => {
  const [first, second] = [await nextSlot(school), await nextSlot(school)]
  const [early, late] = [await book(school.student, first), await book(school.student, second)]
  await join(school.second, second, hoursAfter(second, 1))
  await join(school.third)
  expect(await waitingOf(school.second)).toEqual({ wanted: { from: second, to: hoursAfter(second, 1) } })
  await cancel(early)
  expect([await notices(school.second), await notices(school.third)]).toEqual([0, 1])
  await cancel(late)
  expect([await notices(school.second), await notices(school.third)]).toEqual([1, 1])
  expect(await waitingOf(school.second)).toBeNull()
  const [notice] = (await listNotifications(school.second, { view: 'all' })).items
  expect(notice?.data.at).toBe(second.toISOString())
})

test('nobody is notified of a time that is too near to be booked, or without access to the program', async () => {
  const startAt = await nextSlot(school)
  const bookingId = await book(school.student, startAt)
  await join(school.second)
  await cancel(bookingId, hoursAfter(startAt, -1))
  expect(await notices(school.second)).toBe(0)
  const other = await book(school.student, await nextSlot(school))
  await inTenant(school.mentor, (tx) =>
    tx.execute(`update program_enrolment set revoked_at = now() where student_id = '${school.second.membershipId}'`),
  )
  await cancel(other)
  expect(await notices(school.second)).toBe(0)
})

test('students of another fixed mentor are not notified', async () => {
  const bookingId = await book(school.student, await nextSlot(school))
  await join(school.second)
  await inTenant(school.mentor, (tx) => tx.execute(`update mentor_program set assignment = 'fixed'`))
  await cancel(bookingId)
  expect(await notices(school.second)).toBe(0)
})

test('new hours of the mentor tell those who want a time in them', async () => {
  // A Saturday, on which the mentor has no hours.
  const saturday = new Date('2027-02-06T08:00:00Z')
  await join(school.second, saturday, hoursAfter(saturday, 2))
  const { version, weekly, ...others } = await getAvailability(school.mentor)
  await saveAvailability(school.mentor, { ...others, weekly, version }, NOW)
  expect(await notices(school.second)).toBe(0)
  const withSaturday = weekly.map((ranges, day) => (day === 5 ? [{ from: 600, to: 720 }] : ranges))
  await saveAvailability(school.mentor, { ...others, weekly: withSaturday, version: version + 1 }, NOW)
  expect(await notices(school.second)).toBe(1)
})

const saveHours = async (change: Partial<Awaited<ReturnType<typeof getAvailability>>>) => {
  const stored = await getAvailability(school.mentor)
  await saveAvailability(school.mentor, { ...stored, ...change }, NOW)
}
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

test('a vacation that ends earlier, and hours on one day, tell those who wait; fewer hours tell nobody', async () => {
  const startAt = await nextSlot(school)
  const nextDay = new Date(startAt.getTime() + DAY_MS)
  const vacation = [startAt, nextDay].map((at) => ({ date: dayOf(at), ranges: [] }))
  await saveHours({ overrides: vacation })
  await join(school.second, startAt, hoursAfter(startAt, 1))
  await join(school.third)
  // Fewer hours on another day.
  await saveHours({ overrides: [...vacation, { date: dayOf(new Date(nextDay.getTime() + DAY_MS)), ranges: [] }] })
  expect([await notices(school.second), await notices(school.third)]).toEqual([0, 0])
  await saveHours({ overrides: vacation.slice(0, 1) })
  expect([await notices(school.second), await notices(school.third)]).toEqual([0, 1])
  await saveHours({ overrides: [{ date: dayOf(startAt), ranges: [{ from: 0, to: 1440 }] }] })
  expect([await notices(school.second), await notices(school.third)]).toEqual([1, 1])
})

test('a time that the calendar of the mentor does not take any more tells those who want it', async () => {
  const startAt = await nextSlot(school)
  const { tenantId, membershipId: memberId } = school.mentor
  const block = () =>
    inTenant(school.mentor, (tx) =>
      tx.execute(`insert into busy_time (tenant_id, member_id, start_at, end_at) values (current_tenant(), '${memberId}',
        '${startAt.toISOString()}', '${hoursAfter(startAt, 1).toISOString()}')`),
    )
  const read = (text: string) => readBusyCalendar({ tenantId, memberId }, NOW, async () => ({ text, etag: null }))
  const calendar = (events: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${events}END:VCALENDAR\r\n`
  const utc = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const event = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART:${utc(startAt)}\r\nDTEND:${utc(hoursAfter(startAt, 1))}\r\nEND:VEVENT\r\n`
  await saveBusyCalendar(school.mentor, { address: 'https://calendar.example.com/a.ics' }, NOW)
  await read(calendar(event))
  await join(school.second, startAt, hoursAfter(startAt, 1))
  await read(calendar(event))
  expect(await notices(school.second)).toBe(0)
  await read(calendar(''))
  expect(await notices(school.second)).toBe(1)
  // Removal of the calendar frees its times too.
  await block()
  await join(school.third, startAt, hoursAfter(startAt, 1))
  await removeBusyCalendar(school.mentor, NOW)
  expect([await notices(school.second), await notices(school.third)]).toEqual([1, 1])
})

test('joining again replaces the period, and leaving twice is the same as once', async () => {
  const at = new Date(NOW.getTime() + 2 * DAY_MS)
  await Promise.all([join(school.second, at, hoursAfter(at, 1)), join(school.second, at, hoursAfter(at, 1))])
  await join(school.second)
  expect(await waitingOf(school.second)).toEqual({ wanted: null })
  await leaveWaitlist(school.second, { programId: school.programId })
  await leaveWaitlist(school.second, { programId: school.programId })
  expect(await waitingOf(school.second)).toBeNull()
})

test('periods in the past, too far ahead or incomplete are refused, and other people too', async () => {
  const { programId, second, mentor } = school
  const past = join(second, hoursAfter(NOW, -2), hoursAfter(NOW, -1))
  await expect(past).rejects.toMatchObject({ details: { fields: { wantedDay: ['workshop_start_past'] } } })
  const far = new Date(NOW.getTime() + 61 * DAY_MS)
  await expect(join(second, far, hoursAfter(far, 1))).rejects.toMatchObject({
    details: { fields: { wantedDay: ['waitlist_too_far'] } },
  })
  const [from, to] = ['2027-02-06T08:00:00Z', '2027-02-06T07:00:00Z']
  expect(JoinWaitlist.safeParse({ programId, wantedFrom: from, wantedTo: to }).success).toBe(false)
  expect(JoinWaitlist.safeParse({ programId, wantedFrom: from }).success).toBe(false)
  expect(() => join(mentor)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  const stranger = (await createOtherTenant()).as.STUDENT
  await expect(join(stranger)).rejects.toMatchObject({ code: 'not_found' })
  await join(second)
  await expect(leaveWaitlist(stranger, { programId })).rejects.toMatchObject({ code: 'not_found' })
  expect(await waitingOf(second)).toEqual({ wanted: null })
})

test('bookings that wait for one mentor leave connections to other requests', async () => {
  const { programId, mentor, student, second, third } = school
  const startAt = await nextSlot(school)
  const isDone = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const locking = inTenant(mentor, async (tx) => {
    await lockMentor(tx, mentor.membershipId)
    isLocked.resolve()
    await isDone.promise
  })
  await isLocked.promise
  // More than the pool has connections.
  const holds = Array.from({ length: 30 }, (_, index) => {
    const actor = [student, second, third][index % 3] ?? student
    return holdSlot(actor, { programId, bookingId: newId(), mentorId: mentor.membershipId, startAt }, NOW)
  })
  const results = Promise.allSettled(holds)
  const { rows } = await query('select 1 as answer')
  expect(rows).toEqual([{ answer: 1 }])
  isDone.resolve()
  await locking
  const failures = (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  for (const failure of failures) expect(failure).toMatchObject({ code: 'unprocessable' })
  expect(failures.length).toBeLessThan(30)
})
