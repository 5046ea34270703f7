import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { mentoringCardSection } from '#lib/mentoring/student-card.ts'
import { listSection } from '#lib/student/card/list-section.ts'
import { cardSections } from '#lib/student-card.ts'
import { createMentoring, NOW, nextSlot } from '../../setup/mentoring.ts'
import { listTimeline } from '../../setup/parsed/student-card.ts'

test('texts about an erased student are removed, and those about others remain', async () => {
  const school = await createMentoring()
  for (const student of [school.student, school.second]) {
    const bookingId = newId()
    const startAt = await nextSlot(school)
    const mentorId = school.mentor.membershipId
    await holdSlot(student, { programId: school.programId, bookingId, mentorId, startAt }, NOW)
    await bookSession(student, { bookingId, answers: {} }, NOW)
    await cancelBooking(student, { bookingId, reason: 'Хворію' }, NOW)
  }
  const { membershipId: studentId, email } = school.student
  const reasons = await inTenant(school.mentor, async (tx) => {
    await tx.execute(`update booking set private_notes = 'нотатка', shared_notes = 'план', rating_text = 'добре'`)
    await mentoringCardSection.erase?.(tx, { studentId, email })
    const { rows } = await tx.execute<{ own: boolean; texts: string; history: object[] }>(
      `select student_id = '${studentId}' as own, concat(private_notes, shared_notes, rating_text) as texts, history
         from booking order by own`,
    )
    return rows.map(({ own, texts, history }) => ({ own, texts, reasons: JSON.stringify(history).includes('Хворію') }))
  })
  expect(reasons).toEqual([
    { own: false, texts: 'нотаткапландобре', reasons: true },
    { own: true, texts: '', reasons: false },
  ])
})

test('the card of a student has the sessions with their states, and the timeline when they were booked and held', async () => {
  const school = await createMentoring()
  const { home, student, second, mentor, programId } = school
  const startAt = await nextSlot(school)
  const bookingId = newId()
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
  await answerBooking(mentor, { bookingId, action: 'complete' }, new Date(startAt.getTime() + 60_000))
  const owner = home.as.OWNER
  const studentId = student.membershipId
  const { items } = await listSection(owner, { studentId, section: 'mentoring' }, cardSections)
  expect(items).toMatchObject([{ title: 'Портфоліо дизайнера', stateKey: 'mentoring:state.completed', isGood: true }])
  expect(items[0]?.context).toBeTruthy()
  const kinds = async (id: string) =>
    (await listTimeline(owner, { studentId: id, limit: 50 }, cardSections)).items.map(({ kind }) => kind)
  expect(await kinds(studentId)).toEqual(expect.arrayContaining(['booked', 'mentored']))
  expect(await kinds(second.membershipId)).not.toContain('booked')
  expect(() => listSection(mentor, { studentId, section: 'mentoring' }, cardSections)).toThrow('forbidden')
})
