import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getProgram } from '#lib/mentoring/program/program.ts'
import { getSession } from '#lib/mentoring/session/session.ts'
import { removeMember } from '#lib/team/removal.ts'
import { getTeam } from '#lib/team/team.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'

let school: Mentoring
let startAt: Date
let bookingId: string
beforeEach(async () => {
  school = await createMentoring()
  startAt = await nextSlot(school)
  bookingId = newId()
  const { programId, mentor, student } = school
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
})

const remove = (mentoringHeirId?: string) =>
  removeMember(
    school.home.as.OWNER,
    { memberId: school.mentor.membershipId, ...(mentoringHeirId ? { mentoringHeirId } : {}) },
    teamAssignments,
  )

test('programs and coming sessions of a removed mentor go to the heir, and the student is notified', async () => {
  const { home, programId, mentor, student } = school
  const { OWNER, EXPERT } = home.as
  expect((await getTeam(OWNER)).members.find(({ id }) => id === mentor.membershipId)?.programs).toBe(1)
  await expect(remove()).rejects.toMatchObject({ details: { fields: { mentoringHeirId: ['heir_required'] } } })
  await expect(remove(home.as.CURATOR.membershipId)).rejects.toMatchObject({
    details: { fields: { mentoringHeirId: ['heir_unsuitable'] } },
  })
  await remove(EXPERT.membershipId)
  expect((await getProgram(OWNER, { programId })).mentors.map(({ memberId }) => memberId)).toEqual([
    EXPERT.membershipId,
  ])
  expect((await getSession(EXPERT, { bookingId }, NOW)).privateNotes).toBe('')
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ to: string }>(
      sql`select "to" from mail where once_key like ${`mentoring/confirmed/${bookingId}/1/%`}`,
    ),
  )
  expect(rows.map(({ to }) => to).toSorted()).toEqual([EXPERT.email, student.email].toSorted())
})

test('an heir with a session at the same time is refused, and nothing changes', async () => {
  const { home, programId, mentor } = school
  const { EXPERT } = home.as
  await inTenant(EXPERT, (tx) =>
    tx.execute(sql`insert into mentor_session select tenant_id, gen_random_uuid(), program_id, ${EXPERT.membershipId}::uuid,
      start_at, end_at, busy_from, busy_to, seats, created_at, released_at from mentor_session`),
  )
  await expect(remove(EXPERT.membershipId)).rejects.toMatchObject({
    details: { fields: { mentoringHeirId: ['heir_busy'] } },
  })
  expect((await getProgram(home.as.OWNER, { programId })).mentors[0]?.memberId).toBe(mentor.membershipId)
})
