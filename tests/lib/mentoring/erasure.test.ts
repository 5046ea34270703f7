import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { mentoringCardSection } from '#lib/mentoring/erasure.ts'
import { createMentoring, NOW, nextSlot } from '../../setup/mentoring.ts'

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
