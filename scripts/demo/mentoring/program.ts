import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { enrolStudents } from '#lib/mentoring/program/enrolment.ts'
import { changeProgramStatus, createProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { ProgramSettings } from '#lib/mentoring/program/schema.ts'
import { saveNotes } from '#lib/mentoring/session/session.ts'

const TITLE = 'Розбір вашого виступу'
const HOURS = [
  { from: 10 * 60, to: 13 * 60 },
  { from: 15 * 60, to: 18 * 60 },
]

/** A published program with a confirmed and a requested session, and a draft. */
export async function addMentoring(owner: Actor, mentor: Actor, students: readonly Actor[]): Promise<void> {
  const programId = newId()
  await createProgram(owner, { programId, title: TITLE })
  const settings = ProgramSettings.parse({
    title: TITLE,
    description: 'Година з ментором: дивимося запис вашого виступу й домовляємося, що спробувати до наступного разу.',
    mentorIds: [mentor.membershipId],
    sessionsIncluded: 4,
    perStudentOpenMax: 2,
    bufferAfter: 15,
    place: 'room',
    questions: [{ id: 'goal', label: 'Що хочете розібрати?', required: true }],
  })
  await saveProgram(owner, { programId, version: 1, settings })
  await saveAvailability(mentor, {
    timeZone: 'Europe/Kyiv',
    weekly: [HOURS, HOURS, [], HOURS, HOURS, [], []],
    overrides: [],
    travels: [],
    version: 0,
  })
  await changeProgramStatus(owner, { programId, action: 'publish' })
  const studentIds = students.map(({ membershipId }) => membershipId)
  await enrolStudents(owner, { programId, studentIds, groupId: null, mentorId: null, sessionsTotal: 4 })
  const { membershipId: mentorId } = mentor
  for (const [index, student] of students.slice(0, 2).entries()) {
    const { slots } = await getBookingPage(student, { programId, mentorId })
    const slot = slots.find(({ startAt }) => startAt > Date.now() + (index + 1) * DAY_MS)
    if (!slot) continue
    const bookingId = newId()
    await holdSlot(student, { programId, bookingId, mentorId, startAt: new Date(slot.startAt) })
    await bookSession(student, { bookingId, answers: { goal: 'Вступ: перші дві хвилини' } })
    if (index > 0) continue
    await saveNotes(mentor, {
      bookingId,
      version: 1,
      sharedNotes: 'Почнемо з короткого запису: дві хвилини без підготовки.',
      homework: 'Запишіть вступ тричі й виберіть найкращий варіант.',
      goals: [{ text: 'Говорити без конспекту', done: false }],
    })
  }
  await createProgram(owner, { programId: newId(), title: 'Підготовка першого вебінару' })
}
