import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { moveSession } from '#lib/mentoring/booking/move-session.ts'
import { MoveSession } from '#lib/mentoring/booking/schema.ts'
import { getSession } from '#lib/mentoring/session/session.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let startAt: Date
let bookingId: string
beforeEach(async () => {
  school = await createMentoring()
  startAt = await nextSlot(school)
  bookingId = await book(school.student, startAt)
})

async function book(student: Mentoring['student'], at: Date): Promise<string> {
  const id = newId()
  const { programId, mentor } = school
  await holdSlot(student, { programId, bookingId: id, mentorId: mentor.membershipId, startAt: at }, NOW)
  await bookSession(student, { bookingId: id, answers: {} }, NOW)
  return id
}

const moveTo = (at: Date) => ({ bookingId, startAt: at, reason: 'Відрядження' })

test('the mentor moves a session once to a time outside of the hours, and the student gets the reason', async () => {
  const { mentor, student } = school
  const evening = new Date(startAt.getTime() + 12 * HOUR_MS)
  await moveSession(mentor, moveTo(evening), NOW)
  await moveSession(mentor, moveTo(evening), NOW)
  const session = await getSession(student, { bookingId }, NOW)
  expect(session).toMatchObject({ startAt: evening, state: 'confirmed' })
  expect(session.history.filter(({ action }) => action === 'moved')).toMatchObject([
    { by: 'mentor', reason: 'Відрядження' },
  ])
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ text: string }>(sql`select text from mail where "to" = ${student.email}
      and once_key like ${`mentoring/${bookingId}/moved/1/%`}`),
  )
  expect(rows[0]?.text).toContain('Відрядження')
})

test('another session, the past and a canceled session are refused', async () => {
  const other = await nextSlot(school)
  await book(school.second, other)
  const refusal = (field: string) => ({ details: { fields: { startAt: [field] } } })
  await expect(moveSession(school.mentor, moveTo(other), NOW)).rejects.toMatchObject(refusal('slot_taken'))
  const past = new Date(NOW.getTime() - HOUR_MS)
  await expect(moveSession(school.mentor, moveTo(past), NOW)).rejects.toMatchObject(refusal('workshop_start_past'))
  expect(MoveSession.safeParse({ bookingId, startAt: other.toISOString(), reason: '' }).success).toBe(false)
  await cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, NOW)
  await expect(moveSession(school.mentor, moveTo(startAt), NOW)).resolves.toEqual({ bookingId })
  const later = new Date(startAt.getTime() + 12 * HOUR_MS)
  await expect(moveSession(school.mentor, moveTo(later), NOW)).rejects.toMatchObject({ code: 'conflict' })
})

test('students and others do not move it', async () => {
  const later = new Date(startAt.getTime() + 12 * HOUR_MS)
  const { student, second, home } = school
  await expect(moveSession(student, moveTo(later), NOW)).rejects.toMatchObject({ code: 'forbidden' })
  for (const actor of [second, home.as.CURATOR, (await createOtherTenant()).as.OWNER]) {
    await expect(moveSession(actor, moveTo(later), NOW)).rejects.toMatchObject({ code: 'not_found' })
  }
  await moveSession(home.as.OWNER, moveTo(later), NOW)
})
