import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { answerItem, answerItems } from '#lib/inbox/answer.ts'
import { countInbox, getInboxItem } from '#lib/inbox/inbox.ts'
import { assignItems, closeItems, snoozeItems } from '#lib/inbox/organize.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot, moveBooking } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { getSession } from '#lib/mentoring/session/session.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { listInbox } from '../../setup/inbox.ts'
import { createMentoring, type Mentoring } from '../../setup/mentoring.ts'
import { addTestMember, createOtherTenant } from '../../setup/tenants.ts'

let school: Mentoring
let mentor: Actor
let owner: Actor
beforeEach(async () => {
  school = await createMentoring()
  mentor = school.mentor
  owner = school.home.as.OWNER
  await execute(`update mentor_program set confirmation = 'mentor', reschedules = 3`)
})

const execute = (text: string) => inTenant(school.home.as.OWNER, (tx) => tx.execute(sql.raw(text)))
const refs = async (actor: Actor, input: Parameters<typeof listInbox>[1] = {}) =>
  (await listInbox(actor, input)).items.map(({ ref }) => ref)
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Free times of the mentor from now on, days apart. */
async function freeTimes(count: number): Promise<Date[]> {
  const { slots } = await getBookingPage(school.third, { programId: school.programId, mentorId: null })
  const days = new Map(slots.map(({ startAt }) => [new Date(startAt).toISOString().slice(0, 10), new Date(startAt)]))
  return [...days.values()].slice(0, count)
}

async function request(startAt: Date, student = school.student): Promise<string> {
  const bookingId = newId()
  const { programId } = school
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt })
  await bookSession(student, { bookingId, answers: {} })
  return bookingId
}

const onlyTime = async (): Promise<Date> => {
  const [time] = await freeTimes(1)
  if (!time) throw new Error('no time is free')
  return time
}

test('a booking waits in the inbox of its mentor and of managers until it is confirmed or canceled', async () => {
  const [first, second] = await freeTimes(2)
  if (!first || !second) throw new Error('no time is free')
  const bookingId = await request(first)
  const canceled = await request(second, school.second)
  const [item] = (await listInbox(mentor, { kind: 'booking', tab: 'mine' })).items
  expect(item).toMatchObject({
    ref: `booking.${bookingId}`,
    kind: 'booking',
    student: 'student Тест',
    task: 'Портфоліо дизайнера',
    startAt: first,
    href: `/mentoring?booking=${bookingId}`,
    assignedTo: { id: mentor.membershipId },
  })
  expect(await refs(owner)).toEqual([`booking.${bookingId}`, `booking.${canceled}`])
  expect(await refs(owner, { tab: 'mine' })).toEqual([])
  expect(await countInbox(mentor)).toEqual({ open: 2, overdue: 0 })
  await answerBooking(mentor, { bookingId, action: 'confirm' })
  await cancelBooking(mentor, { bookingId: canceled, reason: 'Хворію' })
  expect(await refs(mentor)).toEqual([])
  expect(await getInboxItem(mentor, { item: `booking.${bookingId}` })).toBeNull()
})

test('a booking that is confirmed automatically does not wait', async () => {
  await execute(`update mentor_program set confirmation = 'auto'`)
  await request(await onlyTime())
  expect(await refs(mentor)).toEqual([])
})

test('the deadline is the response time of the school, at most the start, and begins again when the student moves', async () => {
  const [first, second] = await freeTimes(2)
  if (!first || !second) throw new Error('no time is free')
  const bookingId = await request(first)
  const shown = async () => {
    const [item] = (await listInbox(mentor, {})).items
    if (!item) throw new Error('the inbox is empty')
    return item
  }
  const before = await shown()
  expect(before.dueAt.getTime()).toBe(Math.min(before.sinceAt.getTime() + 24 * HOUR_MS, first.getTime()))
  await execute(`insert into inbox_setting (tenant_id, answer_hours) values (current_tenant(), 720)`)
  expect((await shown()).dueAt).toEqual(first)
  await snoozeItems(mentor, { items: [before.ref], until: 'week' })
  expect(await refs(mentor)).toEqual([])
  expect(await refs(mentor, { tab: 'snoozed' })).toEqual([before.ref])
  await new Promise((resolve) => setTimeout(resolve, 2))
  await moveBooking(school.student, { bookingId, startAt: second, reason: '' })
  const after = await shown()
  expect(after.startAt).toEqual(second)
  expect(after.sinceAt.getTime()).toBeGreaterThan(before.sinceAt.getTime())
})

test('a booking whose time has passed does not wait any more', async () => {
  await request(await onlyTime())
  await execute(`update mentor_session set start_at = now() - interval '2 hours', end_at = now() - interval '1 hour'`)
  expect(await refs(mentor)).toEqual([])
})

test('a booking is neither assigned, closed nor answered by a message', async () => {
  const bookingId = await request(await onlyTime())
  const item = `booking.${bookingId}`
  const { membershipId } = owner
  expect(await assignItems(owner, { items: [item], memberId: membershipId })).toEqual({ changed: 0, skipped: 1 })
  expect((await closeItems(owner, { items: [item] })).closed).toEqual([])
  expect(await answerItems(owner, { items: [item], batchId: newId(), body: 'Так' })).toEqual({ sent: 0, skipped: 1 })
  await expect(answerItem(owner, { item, since: '1', messageId: newId(), body: 'Так' })).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(await refs(mentor)).toEqual([item])
})

test('other mentors, curators and other schools do not see it', async () => {
  const bookingId = await request(await onlyTime())
  const item = `booking.${bookingId}`
  const stranger = await addTestMember(school.home, 'MENTOR', 'stranger@school.test')
  const other = await createOtherTenant()
  for (const actor of [stranger, school.home.as.CURATOR, other.as.OWNER, other.as.MENTOR]) {
    expect(await refs(actor)).toEqual([])
    expect(await getInboxItem(actor, { item })).toBeNull()
    expect(await snoozeItems(actor, { items: [item], until: 'week' })).toEqual({ changed: 0, skipped: 1 })
  }
  expect(await refs(mentor)).toEqual([item])
})

test('the mentor who substitutes for one on vacation answers the booking, without the private notes', async () => {
  const deputy = await addTestMember(school.home, 'MENTOR', 'deputy@school.test')
  const bookingId = await request(await onlyTime())
  await expect(getSession(deputy, { bookingId })).rejects.toMatchObject({ code: 'not_found' })
  const away = { memberId: mentor.membershipId, deputyId: deputy.membershipId }
  await addVacation(owner, { ...away, firstDay: inDays(-1), lastDay: inDays(2) })
  expect(await refs(deputy, { tab: 'mine' })).toEqual([`booking.${bookingId}`])
  expect(await getSession(deputy, { bookingId })).toMatchObject({ canRun: true, privateNotes: null, isRoomOpen: false })
  await answerBooking(deputy, { bookingId, action: 'confirm' })
  expect(await refs(mentor)).toEqual([])
})
