import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { announceCourseDate, type CourseDateJob } from '#lib/schedule/course-date/announce.ts'
import { moveScheduleItem, previewMove } from '#lib/schedule/move/move.ts'
import { MoveScheduleItem } from '#lib/schedule/move/schema.ts'
import { loadSchedule } from '#lib/schedule/schedule.ts'
import { changeLesson, publishedCourse } from '../../setup/course/groups.ts'
import { listNotifications } from '../../setup/notification.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const now = new Date('2027-03-10T10:00:00Z')
let home: TestTenant
let owner: Actor
let student: Actor
let courseId: string
let lessonIds: string[]
let quizId: string

beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
  ;({ courseId, lessonIds } = await publishedCourse(owner))
  const [first = '', second = ''] = lessonIds
  await changeLesson(owner, courseId, first, { mode: 'date', at: '2027-03-01T07:00:00.000Z' })
  await changeLesson(owner, courseId, second, { mode: 'date', at: '2027-03-23T07:00:00.000Z' })
  quizId = newId()
  await inTenant(owner, async (tx) => {
    await tx.execute(sql`insert into quiz (tenant_id, id, course_id, title, status, close_at, show, author_id)
      values (current_tenant(), ${quizId}, ${courseId}, 'Тест', 'published', '2027-03-26T20:00:00Z', '{}',
        ${owner.membershipId})`)
    for (const [title, lessonId] of [
      ['Есе', first],
      ['Ескіз', second],
    ]) {
      await tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions, due_rule)
        values (current_tenant(), ${newId()}, ${courseId}, ${lessonId}, ${title}, '{"type":"doc","content":[]}',
          '{"mode":"date","at":"2027-03-25T20:00:00.000Z"}')`)
    }
  })
})

/** Adds a study group with the student. */
async function addGroup(): Promise<string> {
  const dates = { startAt: '2027-03-01T07:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  const { groupId } = await createGroup(owner, { courseId, name: 'Весняна', ...dates })
  await changeMembers(owner, { action: 'add', groupId, studentIds: [student.membershipId] })
  return groupId
}

async function itemsOf(actor: Actor): Promise<ScheduleItem[]> {
  const { days } = await loadSchedule(actor, { view: 'month', date: '2027-03-15' }, now)
  return days.flatMap((day) => day.items)
}
async function find(actor: Actor, title: string): Promise<ScheduleItem> {
  const item = (await itemsOf(actor)).find((other) => other.title === title)
  if (!item) throw new Error(`no item ${title}`)
  return item
}
async function datesOf(actor: Actor): Promise<Record<string, string>> {
  return Object.fromEntries((await itemsOf(actor)).map(({ title, startAt }) => [title, startAt.toISOString()]))
}
const keyOf = ({ kind, id, startAt }: ScheduleItem) => ({ day: startAt.toISOString().slice(0, 10), kind, id })
async function move(actor: Actor, item: ScheduleItem, startAt: string, notify?: boolean) {
  const input = { kind: item.kind, id: item.id, from: item.startAt.toISOString(), startAt, notify }
  return moveScheduleItem(actor, MoveScheduleItem.parse(input), now)
}
async function jobs(): Promise<CourseDateJob[]> {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ data: CourseDateJob }>(sql`select data from pgboss.job where name = 'schedule.announceDate'
      and data ->> 'tenantId' = ${owner.tenantId}`),
  )
  return rows.map(({ data }) => data)
}

test('an opening of a group moves with its homework by whole days, the same local time, once', async () => {
  await addGroup()
  const item = await find(owner, 'Урок 2')
  const after = '2027-03-30T06:00:00.000Z'
  const preview = await previewMove(owner, { key: keyOf(item), startAt: new Date('2027-03-30T09:30:00Z') }, now)
  expect(preview).toMatchObject({ startAt: new Date(after), people: 1, conflicts: { holiday: null } })
  expect(preview.together).toMatchObject([
    { kind: 'homework', title: 'Ескіз', after: new Date('2027-04-01T19:00:00Z') },
  ])
  await expect(move(owner, item, after)).rejects.toMatchObject({ details: { fields: { notify: ['required'] } } })
  await expect(move(owner, item, '2027-03-30T09:30:00.000Z', false)).rejects.toMatchObject({
    details: { fields: { form: ['move_whole_days'] } },
  })
  await Promise.all([move(owner, item, after, false), move(owner, item, after, false)])
  expect(await datesOf(student)).toMatchObject({
    'Урок 2': after,
    Ескіз: '2027-04-01T19:00:00.000Z',
    Есе: '2027-03-25T20:00:00.000Z',
  })
  await expect(move(owner, item, '2027-03-29T06:00:00.000Z', false)).rejects.toMatchObject({ code: 'conflict' })
  await move(owner, { ...item, startAt: new Date(after) }, item.startAt.toISOString(), false)
  expect(await datesOf(student)).toMatchObject({ 'Урок 2': '2027-03-23T07:00:00.000Z' })
})

test('a deadline of homework moves without closing its open lesson', async () => {
  await addGroup()
  const item = await find(owner, 'Есе')
  expect(await find(owner, 'Урок 1')).toMatchObject({ moveTarget: null })
  await move(owner, item, '2027-03-26T20:00:00.000Z', false)
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(sql`select effect from access_override where ended_at is null order by effect`),
  )
  expect(rows).toEqual([{ effect: 'open' }, { effect: 'shiftDays' }])
  expect(await datesOf(student)).toMatchObject({ Есе: '2027-03-26T20:00:00.000Z' })
})

test('students are notified once, in their zone, with the course that they can mute', async () => {
  await addGroup()
  const item = await find(owner, 'Ескіз')
  await move(owner, item, '2027-03-26T20:00:00.000Z', true)
  await move(owner, item, '2027-03-26T20:00:00.000Z', true)
  const [job, ...others] = await jobs()
  expect(others).toEqual([])
  if (!job) throw new Error('no job')
  await announceCourseDate(job)
  await announceCourseDate(job)
  const { items } = await listNotifications(student, { view: 'all' })
  expect(items.map(({ kind, data }) => [kind, data.subject])).toEqual([['homework_due_moved', 'Ескіз']])
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ text: string }>(sql`select text from mail where "to" = ${student.email} and text like '%Ескіз%'`),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.text).toContain('22:00')
})

test('blocked students are neither counted nor notified', async () => {
  await addGroup()
  await inTenant(owner, (tx) =>
    tx.execute(sql`update membership set blocked_at = now() where id = ${student.membershipId}`),
  )
  const item = await find(owner, 'Ескіз')
  const startAt = new Date('2027-03-26T20:00:00Z')
  expect(await previewMove(owner, { key: keyOf(item), startAt }, now)).toMatchObject({ people: 0 })
  await move(owner, item, startAt.toISOString(), true)
  const [job] = await jobs()
  if (!job) throw new Error('no job')
  await announceCourseDate(job)
  const { rows } = await inTenant(owner, (tx) => tx.execute(sql`select 1 from notification`))
  expect(rows).toEqual([])
})

test('of two different moves of a date of a group at the same time, the second is refused', async () => {
  await addGroup()
  const item = await find(owner, 'Урок 2')
  const days = ['2027-03-29', '2027-03-30', '2027-03-31']
  const outcomes = await Promise.allSettled(days.map((day) => move(owner, item, `${day}T06:00:00.000Z`, false)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
})

test('staff of other courses do not learn of a date by its id', async () => {
  const startAt = new Date('2027-03-27T08:00:00Z')
  for (const title of ['Урок 2', 'Ескіз', 'Тест']) {
    const key = keyOf(await find(owner, title))
    await expect(previewMove(home.as.CURATOR, { key, startAt }, now)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('without a group, the dates of the course and of the test itself move to any time', async () => {
  const lesson = await find(owner, 'Урок 2')
  await move(owner, lesson, '2027-03-24T09:15:00.000Z', false)
  await move(owner, await find(owner, 'Ескіз'), '2027-03-27T08:00:00.000Z', false)
  await move(owner, await find(owner, 'Тест'), '2027-03-28T08:00:00.000Z', false)
  expect(await datesOf(owner)).toMatchObject({
    'Урок 2': '2027-03-24T09:15:00.000Z',
    Ескіз: '2027-03-27T08:00:00.000Z',
    Тест: '2027-03-28T08:00:00.000Z',
  })
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(sql`select availability from lesson where id = ${lesson.id}`),
  )
  expect(rows).toEqual([{ availability: { mode: 'date', at: '2027-03-24T09:15:00.000Z' } }])
})

test('a deadline of a group at a test changes its exception only, and stays after the opening of the test', async () => {
  const groupId = await addGroup()
  await inTenant(owner, (tx) =>
    tx.execute(sql`insert into quiz_override (tenant_id, id, quiz_id, group_id, open_at, close_at, extra_attempts, by, at)
      values (current_tenant(), ${newId()}, ${quizId}, ${groupId}, '2027-03-20T08:00:00Z', '2027-03-27T20:00:00Z', 2,
        ${owner.membershipId}, now())`),
  )
  const items = (await itemsOf(owner)).filter(({ kind }) => kind === 'test')
  const ofGroup = items.find(({ id }) => id.endsWith(groupId))
  if (!ofGroup) throw new Error('no item')
  await expect(move(owner, ofGroup, '2027-03-20T07:00:00.000Z', false)).rejects.toMatchObject({
    details: { fields: { form: ['end_before_start'] } },
  })
  await move(owner, ofGroup, '2027-03-29T20:00:00.000Z', false)
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<Record<string, unknown>>(sql`select o.close_at = '2027-03-29T20:00:00Z' as moved,
      o.open_at = '2027-03-20T08:00:00Z' as "keepsOpening", o.extra_attempts as attempts,
      q.close_at = '2027-03-26T20:00:00Z' as "keepsTest"
      from quiz_override o join quiz q on q.id = o.quiz_id`),
  )
  expect(rows).toEqual([{ moved: true, keepsOpening: true, attempts: 2, keepsTest: true }])
})

test('who may move a date is decided by its module, and the schedule offers it to nobody else', async () => {
  const groupId = await addGroup()
  await inTenant(owner, (tx) =>
    tx.execute(sql`insert into course_staff (tenant_id, course_id, member_id, role)
      values (current_tenant(), ${courseId}, ${home.as.CURATOR.membershipId}, 'curator')`),
  )
  const lesson = await find(owner, 'Урок 2')
  const quiz = await find(owner, 'Тест')
  const may: Record<string, string[]> = { lesson: [], test: [] }
  for (const role of ROLES) {
    const actor = home.as[role]
    for (const item of [lesson, quiz]) {
      const seen = (await itemsOf(actor)).find(({ id }) => id === item.id)
      const days = (may[item.kind]?.length ?? 0) + 1
      const at = new Date(item.startAt.getTime() + (item.kind === 'test' ? days * 60_000 : 86_400_000))
      const isMoved = await move(actor, item, at.toISOString(), false).then(
        () => true,
        (error) => {
          expect(['forbidden', 'not_found']).toContain(error.code)
          return false
        },
      )
      if (isMoved) {
        may[item.kind]?.push(role)
        await move(actor, { ...item, startAt: at }, item.startAt.toISOString(), false)
      }
      expect([role, item.kind, Boolean(seen?.moveTarget)]).toEqual([role, item.kind, isMoved])
    }
  }
  expect(may).toEqual({
    lesson: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
    test: ['OWNER', 'DIRECTOR', 'EXPERT'],
  })
  const stranger = (await createOtherTenant()).as.OWNER
  for (const item of [lesson, quiz, { ...lesson, id: `${newId()}.${groupId}` }, { ...lesson, id: newId() }]) {
    await expect(move(stranger, item, '2027-03-30T06:00:00.000Z', false)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('what has passed cannot be moved, nothing moves into the past or further than a year, and ids are checked', async () => {
  await addGroup()
  const item = await find(owner, 'Урок 2')
  await expect(move(owner, item, '2027-03-09T07:00:00.000Z', false)).rejects.toMatchObject({
    details: { fields: { form: ['workshop_start_past'] } },
  })
  await expect(move(owner, item, '2028-03-31T06:00:00.000Z', false)).rejects.toMatchObject({
    details: { fields: { form: ['shift_too_far'] } },
  })
  const open = await find(owner, 'Урок 1')
  await expect(move(owner, open, '2027-03-11T07:00:00.000Z', false)).rejects.toMatchObject({ code: 'not_found' })
  const times = { from: '2027-03-23T07:00:00.000Z', startAt: '2027-03-24T07:00:00.000Z' }
  const isValid = (kind: string, id: string) => MoveScheduleItem.safeParse({ kind, id, ...times }).success
  expect([isValid('lesson', item.id), isValid('test', newId())]).toEqual([true, true])
  expect([isValid('webinar', item.id), isValid('lesson', 'x'), isValid('lesson', `${newId()}.1`)]).toEqual([
    false,
    false,
    false,
  ])
})
