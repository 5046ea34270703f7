import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { markAttendance } from '#lib/attendance/attendance.ts'
import { addMeeting, listLinkableEvents, listMeetings, removeMeeting } from '#lib/attendance/meeting.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { DAY_MS, expectRefusal, instantAt, publishedCourse } from '../../setup/course/groups.ts'
import { listAttendance } from '../../setup/parsed/attendance.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
let came: Actor
let missed: Actor
let groupId: string
let workshopId: string

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  came = await addTestMember(ours, 'STUDENT', 'came@attendance.test')
  missed = await addTestMember(ours, 'STUDENT', 'missed@attendance.test')
  const { courseId } = await publishedCourse(owner)
  const dates = { startAt: instantAt(-DAY_MS), endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Осіння', ...dates })).groupId
  await changeMembers(owner, { action: 'add', groupId, studentIds: [came.membershipId, missed.membershipId] })
  const event = await createWorkshop(owner, { type: 'webinar', title: 'Зустріч', timeZone: 'Europe/Kyiv' })
  workshopId = event.workshopId
  await inTenant(owner, async (tx) => {
    await tx.execute(sql`update workshop set start_at = now() - interval '3 hours' where id = ${workshopId}`)
    await tx.insert(workshopParticipant).values({
      tenantId: owner.tenantId,
      sessionId: event.sessionId ?? '',
      workshopId,
      kind: 'student',
      memberId: came.membershipId,
      name: 'Прийшла',
    })
  })
})

const cells = async () => (await listAttendance(owner, { groupId })).rows.map(({ cells: row }) => row[0])
const mark = (student: Actor, isPresent: boolean | null, actor = owner) =>
  markAttendance(actor, { groupId, workshopId, studentId: student.membershipId, isPresent })

test('an event becomes a meeting once and can be taken back', async () => {
  expect((await listLinkableEvents(owner, { groupId })).map((event) => event.workshopId)).toEqual([workshopId])
  await Promise.all([addMeeting(owner, { groupId, workshopId }), addMeeting(owner, { groupId, workshopId })])
  expect(await listMeetings(owner, { groupId })).toMatchObject([
    { workshopId, title: 'Зустріч', isOver: true, present: 1 },
  ])
  expect(await listLinkableEvents(owner, { groupId })).toEqual([])
  await removeMeeting(owner, { groupId, workshopId })
  expect(await listMeetings(owner, { groupId })).toEqual([])
  await addMeeting(owner, { groupId, workshopId })
})

test('attendance comes from the participants of the event until staff mark it', async () => {
  expect(await cells()).toEqual([
    { isPresent: true, source: 'event' },
    { isPresent: false, source: 'event' },
  ])
  await Promise.all([mark(missed, true), mark(missed, true)])
  await mark(came, false)
  expect(await cells()).toEqual([
    { isPresent: false, source: 'staff' },
    { isPresent: true, source: 'staff' },
  ])
  await mark(came, null)
  await mark(missed, null)
  expect(await cells()).toMatchObject([{ source: 'event' }, { source: 'event' }])
})

test('a mark needs a meeting and a member of the group', async () => {
  await expectRefusal(mark(ours.as.STUDENT, true), 'not_found')
  const { workshopId: other } = await createWorkshop(owner, { type: 'webinar', title: 'Інша', timeZone: 'Europe/Kyiv' })
  const input = { groupId, workshopId: other, studentId: came.membershipId, isPresent: true }
  await expectRefusal(markAttendance(owner, input), 'not_found')
})

test.each(ROLES)('%s', async (role) => {
  const allowed = ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)
  for (const run of [
    () => listMeetings(ours.as[role], { groupId }),
    () => listAttendance(ours.as[role], { groupId }),
    () => mark(came, null, ours.as[role]),
  ]) {
    if (allowed) await run()
    else await expectRefusal(run(), 'forbidden')
  }
})

test('neither groups nor events of another school can be used', async () => {
  const stranger = theirs.as.OWNER
  await expectRefusal(addMeeting(stranger, { groupId, workshopId }), 'not_found')
  await expectRefusal(listAttendance(stranger, { groupId }), 'not_found')
  const foreign = await createWorkshop(stranger, { type: 'webinar', title: 'Чужа', timeZone: 'Europe/Kyiv' })
  await expectRefusal(addMeeting(owner, { groupId, workshopId: foreign.workshopId }), 'not_found')
})
