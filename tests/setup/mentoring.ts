import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { enrolStudents } from '#lib/mentoring/program/enrolment.ts'
import { changeProgramStatus, createProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { ProgramSettings } from '#lib/mentoring/program/schema.ts'
import { addTestMember, createTestTenant, type TestTenant } from './tenants.ts'

/** A Monday, long after the tests run, so that trials of plans are not concerned: only times are computed from it. */
export const NOW = new Date('2027-02-01T06:00:00Z')

export interface Mentoring {
  home: TestTenant
  programId: string
  mentor: Actor
  student: Actor
  second: Actor
  third: Actor
  /** Slots that `nextSlot` has returned. */
  usedSlots: Set<number>
  addCrowd(students: number, slots: number): Promise<{ students: Actor[]; slots: Date[] }>
}

/** A school with a published program, a mentor with hours on weekdays from 9 to 17, and three students with access. */
export async function createMentoring(): Promise<Mentoring> {
  const home = await createTestTenant()
  const { MENTOR: mentor, STUDENT: student, OWNER: owner } = home.as
  const subdomain = home.tenant.subdomain
  const second = await addTestMember(home, 'STUDENT', `second@${subdomain}.test`)
  const third = await addTestMember(home, 'STUDENT', `third@${subdomain}.test`)
  const programId = newId()
  await createProgram(owner, { programId, title: 'Портфоліо дизайнера' })
  const settings = ProgramSettings.parse({
    title: 'Портфоліо дизайнера',
    mentorIds: [mentor.membershipId],
    placeText: 'https://meet.example.com/room',
    perStudentOpenMax: 2,
  })
  await saveProgram(owner, { programId, version: 1, settings })
  const day = [{ from: 9 * 60, to: 17 * 60 }]
  await saveAvailability(mentor, {
    timeZone: 'Europe/Kyiv',
    weekly: [day, day, day, day, day, [], []],
    overrides: [],
    travels: [],
    version: 0,
  })
  await changeProgramStatus(owner, { programId, action: 'publish' })
  const enrol = (students: readonly Actor[]) =>
    enrolStudents(owner, {
      programId,
      studentIds: students.map(({ membershipId }) => membershipId),
      groupId: null,
      mentorId: null,
      sessionsTotal: 3,
    })
  await enrol([student, second, third])
  const school: Mentoring = {
    home,
    programId,
    mentor,
    student,
    second,
    third,
    usedSlots: new Set(),
    async addCrowd(studentCount, slotCount) {
      const students: Actor[] = []
      for (let index = 0; index < studentCount; index += 1) {
        students.push(await addTestMember(home, 'STUDENT', `crowd-${index}@${subdomain}.test`))
      }
      await enrol(students)
      const slots: Date[] = []
      for (let index = 0; index < slotCount; index += 1) slots.push(await nextSlot(school))
      return { students, slots }
    },
  }
  return school
}

/** A free slot that overlaps none of those returned before. */
export async function nextSlot(school: Mentoring): Promise<Date> {
  const { third, programId, mentor, usedSlots } = school
  const { slots } = await getBookingPage(third, { programId, mentorId: mentor.membershipId }, NOW)
  const slot = slots.find(({ startAt }) => [...usedSlots].every((used) => Math.abs(used - startAt) >= 60 * 60_000 * 2))
  if (!slot) throw new Error('no slot is free')
  usedSlots.add(slot.startAt)
  return new Date(slot.startAt)
}
