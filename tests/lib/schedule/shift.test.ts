import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addMeeting } from '#lib/attendance/meeting.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { loadSchedule } from '#lib/schedule/schedule.ts'
import { previewShift, shiftGroup, undoShift } from '#lib/schedule/shift/shift.ts'
import { changeLesson, publishedCourse } from '../../setup/course/groups.ts'
import { createEvent } from '../../setup/schedule.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const now = new Date('2027-03-10T10:00:00Z')
let home: TestTenant
let owner: Actor
let student: Actor
let groupId: string

beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
  const { courseId, lessonIds } = await publishedCourse(owner)
  const [first = '', second = ''] = lessonIds
  await changeLesson(owner, courseId, first, { mode: 'date', at: '2027-03-01T07:00:00.000Z' })
  await changeLesson(owner, courseId, second, { mode: 'afterStart', days: 22, time: '09:00', zone: 'Europe/Kyiv' })
  const dates = { startAt: '2027-03-01T07:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Весняна', ...dates })).groupId
  await changeMembers(owner, { action: 'add', groupId, studentIds: [student.membershipId] })
  const meeting = await createEvent(owner, 'Зустріч', new Date('2027-03-24T17:00:00Z'))
  await addMeeting(owner, { groupId, workshopId: meeting })
  await inTenant(owner, async (tx) => {
    await tx.execute(sql`insert into quiz (tenant_id, id, course_id, title, status, close_at, show, author_id)
      values (current_tenant(), ${newId()}, ${courseId}, 'Тест', 'published', '2027-03-26T20:00:00Z', '{}',
        ${owner.membershipId})`)
    await tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions, due_rule)
      values (current_tenant(), ${newId()}, ${courseId}, ${first}, 'Есе', '{"type":"doc","content":[]}',
        '{"mode":"date","at":"2027-03-25T20:00:00.000Z"}')`)
  })
})

const request = (shiftId: string = newId()) => ({ groupId, from: '2027-03-20', days: 7, notify: false, shiftId })
async function datesOf(actor: Actor): Promise<Record<string, string>> {
  const { days } = await loadSchedule(actor, { view: 'month', date: '2027-03-15' }, now)
  const items = days.flatMap((day) => day.items)
  return Object.fromEntries(items.map(({ title, startAt }) => [title, startAt.toISOString().slice(0, 16)]))
}

const BEFORE = {
  'Урок 1': '2027-03-01T07:00',
  'Урок 2': '2027-03-23T07:00',
  Зустріч: '2027-03-24T17:00',
  Есе: '2027-03-25T20:00',
  Тест: '2027-03-26T20:00',
}
// The clocks go forward on 28 March: the local times stay.
const AFTER = {
  'Урок 2': '2027-03-30T06:00',
  Зустріч: '2027-03-31T16:00',
  Есе: '2027-04-01T19:00',
  Тест: '2027-04-02T19:00',
}

test('everything from a day on moves at the same local times, lessons that are open stay open, and undo restores it', async () => {
  expect(await datesOf(student)).toEqual(BEFORE)
  const { plan } = await previewShift(owner, { groupId, shift: { from: '2027-03-20', days: 7 } }, now)
  expect(plan?.dates.map(({ title, after }) => [title, after.toISOString().slice(0, 16)])).toEqual(
    Object.entries(AFTER),
  )
  expect(plan?.openLessonIds).toHaveLength(1)
  expect(await datesOf(student)).toEqual(BEFORE)
  const { shiftId, dates } = await shiftGroup(owner, request(), now)
  expect(dates).toBe(4)
  expect(await datesOf(student)).toEqual(AFTER)
  await undoShift(owner, { shiftId })
  await undoShift(owner, { shiftId })
  expect(await datesOf(student)).toEqual(BEFORE)
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(sql`select after from audit_entry where action = 'group.shifted' order by id`),
  )
  expect(rows).toEqual([{ after: { scheduleOffsetDays: 7 } }, { after: { scheduleOffsetDays: -7 } }])
})

test('a repeated request shifts once, a second shift adds to the first', async () => {
  const shiftId = newId()
  const results = await Promise.all([
    shiftGroup(owner, request(shiftId), now),
    shiftGroup(owner, request(shiftId), now),
  ])
  expect(results.map(({ dates }) => dates).sort()).toEqual([0, 4])
  expect(await datesOf(student)).toEqual(AFTER)
  await shiftGroup(owner, { ...request(), days: -7 }, now)
  expect(await datesOf(student)).toMatchObject({
    'Урок 2': BEFORE['Урок 2'],
    Зустріч: BEFORE.Зустріч,
    Тест: BEFORE.Тест,
  })
})

test('only those who manage courses and events shift a group, within their school', async () => {
  const other = await createOtherTenant()
  const shift = { from: '2027-03-20', days: 7 }
  for (const role of ROLES) {
    const preview = previewShift(home.as[role], { groupId, shift }, now)
    if (['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)) expect((await preview).plan?.dates).toHaveLength(4)
    else await expect(preview).rejects.toMatchObject({ code: 'forbidden' })
  }
  const { shiftId } = await shiftGroup(owner, request(), now)
  for (const action of [
    () => shiftGroup(other.as.OWNER, request(), now),
    () => undoShift(other.as.OWNER, { shiftId }),
    () => undoShift(owner, { shiftId: newId() }),
  ]) {
    await expect(action()).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('a shift without dates is refused', async () => {
  await expect(shiftGroup(owner, { ...request(), from: '2028-01-01' }, now)).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { form: ['shift_nothing'] } },
  })
})
