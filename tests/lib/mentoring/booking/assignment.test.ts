import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { addTestMember } from '../../../setup/tenants.ts'

let school: Mentoring
let colleague: Actor
beforeEach(async () => {
  school = await createMentoring()
  colleague = await addTestMember(school.home, 'MENTOR', 'colleague@school.test')
  const day = [{ from: 9 * 60, to: 17 * 60 }]
  const hours = { timeZone: 'Europe/Kyiv', weekly: [day, day, day, day, day, [], []], overrides: [], travels: [] }
  await saveAvailability(colleague, { ...hours, version: 0 }, NOW)
  await execute(`insert into program_mentor (tenant_id, program_id, member_id)
    values (current_tenant(), '${school.programId}', '${colleague.membershipId}')`)
})

const execute = (text: string) => inTenant(school.mentor, (tx) => tx.execute(text))
const assign = (assignment: string) => execute(`update mentor_program set assignment = '${assignment}'`)

/** Books a time without choosing a mentor, or with one; returns the mentor who has the session. */
async function book(student: Actor, startAt: Date, mentorId: string | null = null): Promise<unknown> {
  const bookingId = newId()
  await holdSlot(student, { programId: school.programId, bookingId, mentorId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
  const { rows } = await execute(`select s.mentor_id from booking b join mentor_session s on s.id = b.session_id
    where b.id = '${bookingId}'`)
  return rows[0]?.mentor_id
}

test('by turns, the mentor with fewer sessions gets the next one, and a busy one is passed over', async () => {
  await assign('roundRobin')
  const [first, second] = [await nextSlot(school), await nextSlot(school)]
  const mentorOfFirst = await book(school.student, first)
  // At the same time only the other mentor is free.
  const mentorOfSecond = await book(school.second, first)
  expect([mentorOfFirst, mentorOfSecond].toSorted()).toEqual(
    [school.mentor.membershipId, colleague.membershipId].toSorted(),
  )
  const three = await book(school.student, second)
  const four = await book(school.third, await nextSlot(school))
  expect(new Set([three, four]).size).toBe(2)
  await expect(book(school.third, first)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('by turns, a student sees the times of all mentors together and chooses none', async () => {
  await assign('roundRobin')
  const [first] = [await nextSlot(school)]
  await book(school.student, first)
  const { slots } = await getBookingPage(school.second, { programId: school.programId, mentorId: null }, NOW)
  expect(slots.some(({ startAt }) => startAt === first.getTime())).toBe(true)
  await book(school.second, first)
  const later = await getBookingPage(school.third, { programId: school.programId, mentorId: null }, NOW)
  expect(later.slots.some(({ startAt }) => startAt === first.getTime())).toBe(false)
})

test('a fixed mentor is that of the enrolment, also when another one is chosen; without one nothing can be booked', async () => {
  await assign('fixed')
  const startAt = await nextSlot(school).catch(() => new Date('2027-02-03T08:00:00Z'))
  await expect(book(school.student, startAt)).rejects.toMatchObject({
    details: { fields: { form: ['mentor_missing'] } },
  })
  await execute(`update program_enrolment set mentor_id = '${colleague.membershipId}'`)
  expect(await book(school.student, startAt, school.mentor.membershipId)).toBe(colleague.membershipId)
})

test('a chosen mentor is one of the program', async () => {
  const startAt = await nextSlot(school)
  const stranger = await addTestMember(school.home, 'MENTOR', 'stranger@school.test')
  await expect(book(school.student, startAt, stranger.membershipId)).rejects.toMatchObject({ code: 'not_found' })
  expect(await book(school.student, startAt, colleague.membershipId)).toBe(colleague.membershipId)
})
