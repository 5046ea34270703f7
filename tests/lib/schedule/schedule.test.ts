import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { addMeeting } from '#lib/attendance/meeting.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { loadScheduleOptions } from '#lib/schedule/filters.ts'
import { deleteScheduleNote, getScheduleNote, restoreScheduleNote, saveScheduleNote } from '#lib/schedule/note.ts'
import { getScheduleReader, saveSecondZone } from '#lib/schedule/reader.ts'
import { scheduleScope } from '#lib/schedule/rules.ts'
import { getScheduleItem, loadSchedule } from '#lib/schedule/schedule.ts'
import { changeLesson, publishedCourse } from '../../setup/course/groups.ts'
import { createEvent, listTitles } from '../../setup/schedule.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const now = new Date('2027-03-10T10:00:00Z')
const month = { date: '2027-03-10' }
let home: TestTenant
let other: TestTenant
let owner: Actor
let student: Actor
let courseId: string
let groupId: string
let lessonIds: string[]
let webinar: string
let meeting: string

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
  const course = await publishedCourse(owner)
  courseId = course.courseId
  lessonIds = course.lessonIds
  const [dated = '', relative = ''] = lessonIds
  await changeLesson(owner, courseId, dated, { mode: 'date', at: '2027-03-15T07:00:00.000Z' })
  await changeLesson(owner, courseId, relative, {
    mode: 'afterStart',
    days: 20,
    time: '09:00',
    zone: 'Europe/Kyiv',
  })
  const dates = { startAt: '2027-03-01T07:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Весняна', ...dates })).groupId
  await changeMembers(owner, { action: 'add', groupId, studentIds: [student.membershipId] })
  webinar = await createEvent(owner, 'Ефір', new Date('2027-03-12T17:00:00Z'))
  meeting = await createEvent(owner, 'Зустріч', new Date('2027-03-13T17:00:00Z'))
  await addMeeting(owner, { groupId, workshopId: meeting })
  await inTenant(owner, async (tx) => {
    const { tenantId, membershipId } = home.as.PRESENTER
    await tx.execute(sql`insert into workshop_staff (tenant_id, workshop_id, member_id, role)
      values (${tenantId}, ${webinar}, ${membershipId}, 'speaker')`)
    await tx.execute(sql`insert into course_staff (tenant_id, course_id, member_id, role)
      values (${tenantId}, ${courseId}, ${home.as.CURATOR.membershipId}, 'curator')`)
    await tx.execute(sql`insert into quiz (tenant_id, id, course_id, title, status, close_at, show, author_id)
      values (${tenantId}, ${newId()}, ${courseId}, 'Тест', 'published', '2027-03-20T20:00:00Z', '{}', ${owner.membershipId})`)
    await tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions, due_rule)
      values (${tenantId}, ${newId()}, ${courseId}, ${dated}, 'Есе', '{"type":"doc","content":[]}',
        '{"mode":"date","at":"2027-03-22T20:00:00.000Z"}')`)
  })
  await createEvent(other.as.OWNER, 'Чужий ефір', new Date('2027-03-12T17:00:00Z'))
})

const EVENTS = ['webinar Ефір', 'meeting Зустріч']
const COURSE = ['lesson Урок 1', 'test Тест', 'lesson Урок 2', 'homework Есе']
const ofRole = {
  OWNER: [...EVENTS, ...COURSE],
  DIRECTOR: [...EVENTS, ...COURSE],
  EXPERT: [...EVENTS, ...COURSE],
  CURATOR: ['meeting Зустріч', ...COURSE],
  PRESENTER: ['webinar Ефір'],
  MODERATOR: [],
  MENTOR: [],
  MEMBER: [],
  STUDENT: ['meeting Зустріч', ...COURSE],
}

test.each(ROLES)('%s sees the items that the permission table allows', async (role) => {
  expect(await listTitles(home.as[role], month, now)).toEqual(ofRole[role])
})

test('each role has its scope', () => {
  expect(ROLES.map((role) => [role, scheduleScope({ roles: [role] })])).toEqual([
    ['OWNER', 'all'],
    ['DIRECTOR', 'all'],
    ['EXPERT', 'all'],
    ['CURATOR', 'assigned'],
    ['PRESENTER', 'assigned'],
    ['MODERATOR', 'assigned'],
    ['MENTOR', 'assigned'],
    ['MEMBER', 'notes'],
    ['STUDENT', 'student'],
  ])
})

test('an item is shown on the local day of its reader', async () => {
  const inTokyo = { ...owner, timeZone: 'Asia/Tokyo' }
  const { days } = await loadSchedule(inTokyo, { view: 'day', date: '2027-03-13' }, now)
  expect(days[0]?.items.map(({ title }) => title)).toEqual(['Ефір'])
})

test('filters by kind, course, group and person combine', async () => {
  expect(await listTitles(owner, { ...month, kind: 'webinar' }, now)).toEqual(['webinar Ефір'])
  expect(await listTitles(owner, { ...month, kind: 'meeting' }, now)).toEqual(['meeting Зустріч'])
  expect(await listTitles(owner, { ...month, courseId }, now)).toEqual(['meeting Зустріч', ...COURSE])
  expect(await listTitles(owner, { ...month, groupId, kind: 'lesson' }, now)).toEqual([
    'lesson Урок 1',
    'lesson Урок 2',
  ])
  const personId = home.as.PRESENTER.membershipId
  expect(await listTitles(owner, { ...month, personId }, now)).toEqual(['webinar Ефір'])
  expect(await listTitles(owner, { ...month, courseId: newId() }, now)).toEqual([])
})

test('the filters offer what the reader sees, and nothing of another school', async () => {
  const all = await loadScheduleOptions(owner)
  expect(all.courses.map(({ label }) => label)).toEqual(['Групи'])
  expect(all.groups).toEqual([{ value: groupId, label: 'Весняна' }])
  expect(all.people).toHaveLength(8)
  expect((await loadScheduleOptions(student)).people).toEqual([])
  expect(await loadScheduleOptions(home.as.PRESENTER)).toMatchObject({ courses: [], groups: [] })
  expect(await loadScheduleOptions(other.as.OWNER)).toMatchObject({ courses: [], groups: [] })
})

test('a month shows the first items of a full day and counts the others', async () => {
  const crowded = await createTestTenant()
  for (let number = 0; number < 7; number++) {
    await createEvent(crowded.as.OWNER, `Подія ${number}`, new Date(Date.UTC(2027, 2, 12, 8 + number)))
  }
  const { days } = await loadSchedule(crowded.as.OWNER, { view: 'month', date: '2027-03-12' }, now)
  const full = days.find(({ day }) => day === '2027-03-12')
  expect(full?.items.map(({ title }) => title)).toEqual(['Подія 0', 'Подія 1', 'Подія 2', 'Подія 3'])
  expect(full?.omitted).toBe(3)
  const day = await loadSchedule(crowded.as.OWNER, { view: 'day', date: '2027-03-12' }, now)
  expect(day.days[0]).toMatchObject({ omitted: 0, items: { length: 7 } })
})

test('an item is found by its key only by those who see it', async () => {
  const key = { day: '2027-03-12', kind: 'webinar' as const, id: webinar }
  expect(await getScheduleItem(owner, key, now)).toMatchObject({
    title: 'Ефір',
    moveTarget: { type: 'event', id: webinar },
  })
  for (const actor of [student, home.as.MODERATOR, other.as.OWNER]) {
    await expect(getScheduleItem(actor, key, now)).rejects.toMatchObject({ code: 'not_found' })
  }
  await expect(getScheduleItem(owner, { ...key, day: '2027-03-13' }, now)).rejects.toMatchObject({ code: 'not_found' })
})

test('a note is saved once, changed with its version, deleted and restored by its author only', async () => {
  const noteId = newId()
  const note = {
    noteId,
    title: 'Підготувати',
    text: '',
    startAt: '2027-03-11T08:00:00.000Z',
    minutes: 30,
    version: null,
  }
  await Promise.all([saveScheduleNote(home.as.MEMBER, note), saveScheduleNote(home.as.MEMBER, note)])
  expect(await listTitles(home.as.MEMBER, month, now)).toEqual(['note Підготувати'])
  expect(await listTitles(owner, { ...month, kind: 'note' }, now)).toEqual([])
  await saveScheduleNote(home.as.MEMBER, { ...note, title: 'Готово', version: 1 })
  await expect(saveScheduleNote(home.as.MEMBER, { ...note, version: 1 })).rejects.toMatchObject({ code: 'conflict' })
  expect(await getScheduleNote(home.as.MEMBER, { noteId })).toMatchObject({ title: 'Готово', version: 2 })
  for (const actor of [owner, other.as.OWNER]) {
    await expect(getScheduleNote(actor, { noteId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(saveScheduleNote(actor, { ...note, version: 2 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteScheduleNote(actor, { noteId })).rejects.toMatchObject({ code: 'not_found' })
  }
  await deleteScheduleNote(home.as.MEMBER, { noteId })
  expect(await listTitles(home.as.MEMBER, month, now)).toEqual([])
  await restoreScheduleNote(home.as.MEMBER, { noteId })
  expect(await listTitles(home.as.MEMBER, month, now)).toEqual(['note Готово'])
})

test('each reader has a second zone of their own', async () => {
  await saveSecondZone(student, { secondZone: 'Asia/Kathmandu' })
  expect((await getScheduleReader(student)).secondZone).toBe('Asia/Kathmandu')
  expect((await getScheduleReader(owner)).secondZone).toBeNull()
  await saveSecondZone(student, { secondZone: null })
  expect((await getScheduleReader(student)).secondZone).toBeNull()
})

test('homework of a group that is offset moves by the same days as its lessons, for the student and for staff', async () => {
  const school = await createTestTenant()
  const { OWNER, STUDENT } = school.as
  const course = await publishedCourse(OWNER)
  const [lessonId = ''] = course.lessonIds
  const rule = { mode: 'afterStart' as const, days: 3, time: '09:00', zone: 'Europe/Kyiv' }
  await changeLesson(OWNER, course.courseId, lessonId, rule)
  const dates = { startAt: '2027-03-01T07:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv', scheduleOffsetDays: 7 }
  const group = await createGroup(OWNER, { courseId: course.courseId, name: 'Пізніша', ...dates })
  await changeMembers(OWNER, { action: 'add', groupId: group.groupId, studentIds: [STUDENT.membershipId] })
  await inTenant(OWNER, (tx) =>
    tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions, due_rule)
      values (${OWNER.tenantId}, ${newId()}, ${course.courseId}, ${lessonId}, 'Есе', '{"type":"doc","content":[]}',
        ${JSON.stringify({ ...rule, days: 5 })})`),
  )
  for (const actor of [OWNER, STUDENT]) {
    const { days } = await loadSchedule(actor, { view: 'month', ...month, courseId: course.courseId }, now)
    expect(days.flatMap(({ day, items }) => items.map(({ kind }) => `${day} ${kind}`))).toEqual([
      '2027-03-11 lesson',
      '2027-03-13 homework',
    ])
  }
})
