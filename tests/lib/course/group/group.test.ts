import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { explainAccess } from '#lib/course/access/explain-access.ts'
import { archiveGroup, createGroup, reopenGroup, restoreGroup, updateGroup } from '#lib/course/group/group.ts'
import { getGroup } from '#lib/course/group/list.ts'
import { changeMembers, previewMembers } from '#lib/course/group/members.ts'
import { groupStatusOf } from '#lib/course/group/rules.ts'
import type { ChangeMembers } from '#lib/course/group/schema.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { changeLesson, DAY_MS, expectRefusal, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import {
  copyGroup,
  findCandidates,
  finishGroup,
  listAllGroups,
  listMembers,
} from '../../../setup/parsed/course-group.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
let students: Actor[]
let courseId: string
let lessonIds: string[]
let groupId: string

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  students = []
  for (let index = 0; index < 20; index += 1) {
    students.push(await addTestMember(ours, 'STUDENT', `s${String(index).padStart(2, '0')}@group.test`))
  }
})

beforeEach(async () => {
  const made = await publishedCourse(owner)
  courseId = made.courseId
  lessonIds = made.lessonIds
  groupId = await newGroup()
})

const newGroup = async (more: Partial<Parameters<typeof createGroup>[1]> = {}) =>
  (
    await createGroup(owner, {
      courseId,
      name: 'Осіння',
      startAt: instantAt(-DAY_MS),
      endAt: null,
      timeZone: 'Europe/Kyiv',
      ...more,
    })
  ).groupId
const idOf = (index: number) => students[index]?.membershipId ?? ''
const add = (indexes: number[], group = groupId, actor = owner) =>
  changeMembers(actor, { action: 'add', groupId: group, studentIds: indexes.map(idOf) })
const names = async (group = groupId) => (await listMembers(owner, { groupId: group })).items.map(({ email }) => email)

describe('members', () => {
  test('the last seat is taken by 20 parallel additions exactly once', async () => {
    const seated = await newGroup({ seats: 1 })
    const results = await Promise.allSettled(students.map((_, index) => add([index], seated)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await getGroup(owner, { groupId: seated })).members).toBe(1)
    const [refused] = results.filter((result) => result.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'unprocessable', details: { fields: { form: ['group_full'] } } })
  })

  test('a member who is added twice takes one seat', async () => {
    const seated = await newGroup({ seats: 1 })
    await Promise.all([add([0], seated), add([0], seated)])
    expect((await getGroup(owner, { groupId: seated })).members).toBe(1)
  })

  test('an undone removal does not exceed the seats', async () => {
    const seated = await newGroup({ seats: 1 })
    await add([0], seated)
    const { changeId } = await changeMembers(owner, { action: 'remove', groupId: seated, studentIds: [idOf(0)] })
    await add([1], seated)
    await expectRefusal(undoAccess(owner, { changeId }), 'unprocessable', 'group_full')
    expect(await names(seated)).toEqual(['s01@group.test'])
  })

  test('an addition is previewed with the lessons that open, and opens them', async () => {
    const change: ChangeMembers = { action: 'add', groupId, studentIds: [idOf(0)] }
    const { effects } = await previewMembers(owner, change)
    expect(effects).toMatchObject([{ opens: ['Урок 1', 'Урок 2'], closes: [] }])
    expect(await names()).toEqual([])
    await changeMembers(owner, change)
    expect(await names()).toEqual(['s00@group.test'])
    const grants = await inTenant(owner, (tx) =>
      tx
        .select({ source: accessGrant.sourceType, id: accessGrant.sourceId })
        .from(accessGrant)
        .where(and(eq(accessGrant.courseId, courseId), eq(accessGrant.studentId, idOf(0)))),
    )
    expect(grants).toEqual([{ source: 'group', id: groupId }])
  })

  test('a move closes one group and opens the other, and can be undone', async () => {
    await add([0, 1])
    const later = await newGroup({ name: 'Зимова', startAt: instantAt(30 * DAY_MS) })
    const change: ChangeMembers = { action: 'move', groupId, toGroupId: later, studentIds: [idOf(0)] }
    const { effects } = await previewMembers(owner, change)
    expect(effects).toMatchObject([{ opens: [], closes: ['Урок 1', 'Урок 2'] }])
    const { changeId } = await changeMembers(owner, change)
    expect([await names(), await names(later)]).toEqual([['s01@group.test'], ['s00@group.test']])
    await undoAccess(owner, { changeId })
    expect([await names(), await names(later)]).toEqual([['s00@group.test', 's01@group.test'], []])
  })

  test('a removal leaves other grants, and a second one does nothing', async () => {
    await add([0])
    const other = await newGroup({ name: 'Друга' })
    await add([0], other)
    const remove = () => changeMembers(owner, { action: 'remove', groupId, studentIds: [idOf(0)] })
    await remove()
    await remove()
    expect([await names(), await names(other)]).toEqual([[], ['s00@group.test']])
  })

  test('refuses students of another school and those who are not in the group', async () => {
    const studentIds = [theirs.as.STUDENT.membershipId]
    await expectRefusal(changeMembers(owner, { action: 'add', groupId, studentIds }), 'not_found')
    await expectRefusal(changeMembers(owner, { action: 'remove', groupId, studentIds: [idOf(3)] }), 'not_found')
    await expectRefusal(changeMembers(theirs.as.OWNER, { action: 'add', groupId, studentIds }), 'not_found')
  })

  test('members are paged by name and found by email', async () => {
    await add([0, 1, 2])
    const first = await listMembers(owner, { groupId, limit: 2 })
    const second = await listMembers(owner, { groupId, limit: 2, ...(first.next ? { cursor: first.next } : {}) })
    expect([...first.items, ...second.items].map(({ email }) => email)).toEqual([
      's00@group.test',
      's01@group.test',
      's02@group.test',
    ])
    expect((await listMembers(owner, { groupId, q: 's02@' })).items).toHaveLength(1)
  })

  test('an administrator finds all students, an expert those of the course', async () => {
    expect((await findCandidates(owner, { groupId, q: 's1' })).map(({ studentId }) => studentId)).toContain(idOf(10))
    expect(await findCandidates(ours.as.EXPERT, { groupId })).toEqual([])
    await add([4], await newGroup({ name: 'Друга' }))
    expect(await findCandidates(ours.as.EXPERT, { groupId })).toMatchObject([{ studentId: idOf(4) }])
  })
})

describe('a group', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const dates = { startAt: new Date('2026-11-01'), endAt: null, finishedAt: null, archivedAt: null }
  test.each([
    ['planned', { startAt: new Date('2026-12-01') }],
    ['running', {}],
    ['finished', { endAt: now }],
    ['finished', { finishedAt: now }],
    ['archived', { archivedAt: now, finishedAt: now }],
  ])('is %s with %o', (status, more) => {
    expect(groupStatusOf({ ...dates, ...more }, now)).toBe(status)
  })

  test('that is finished accepts nobody; access closes only on request', async () => {
    await add([0])
    const lesson = { courseId, studentId: idOf(0), lessonId: lessonIds[0] ?? '' }
    await finishGroup(owner, { groupId })
    expect((await explainAccess(owner, lesson)).access.allow).toBe(true)
    await expectRefusal(add([1]), 'unprocessable', 'group_finished')
    await reopenGroup(owner, { groupId })
    await add([1])
    await finishGroup(owner, { groupId, closesAccess: true })
    expect((await explainAccess(owner, lesson)).access).toMatchObject({ allow: false, reason: 'ended' })
  })

  test('that is archived is not listed and accepts nobody', async () => {
    await archiveGroup(owner, { groupId })
    expect((await listAllGroups(owner, { courseId })).items).toEqual([])
    expect((await listAllGroups(owner, { courseId, status: 'archived' })).items).toHaveLength(1)
    await expectRefusal(add([0]), 'not_found')
    await restoreGroup(owner, { groupId })
    await add([0])
  })

  test('moves the opening of lessons by its schedule offset', async () => {
    await changeLesson(owner, courseId, lessonIds[0] ?? '', {
      mode: 'afterStart',
      days: 0,
      time: '00:00',
      zone: 'Europe/Kyiv',
    })
    await add([0])
    const lesson = { courseId, studentId: idOf(0), lessonId: lessonIds[0] ?? '' }
    expect((await explainAccess(owner, lesson)).access.allow).toBe(true)
    const { startAt, name, timeZone } = await getGroup(owner, { groupId })
    const same = { groupId, name, startAt: startAt.toISOString(), endAt: null, timeZone }
    await updateGroup(owner, { ...same, scheduleOffsetDays: 5 })
    expect((await explainAccess(owner, lesson)).access).toMatchObject({ allow: false, reason: 'opens_at' })
  })

  test('is created once by two submits of the form', async () => {
    const id = newId()
    await Promise.all([newGroup({ groupId: id }), newGroup({ groupId: id })])
    expect((await listAllGroups(owner, { courseId })).items).toHaveLength(2)
  })

  test('is not overwritten by a form that was opened before another change', async () => {
    const { revision } = await getGroup(owner, { groupId })
    const change = { groupId, revision, startAt: instantAt(0), endAt: null, timeZone: 'Europe/Kyiv' }
    await updateGroup(owner, { ...change, name: 'Перша назва' })
    await expectRefusal(updateGroup(owner, { ...change, name: 'Друга назва' }), 'conflict')
  })

  test('has curators from the staff of its course and at least as many seats as members', async () => {
    const change = { groupId, name: 'Осіння', startAt: instantAt(0), endAt: null, timeZone: 'Europe/Kyiv' }
    const stranger = ours.as.MENTOR.membershipId
    await expectRefusal(updateGroup(owner, { ...change, curatorIds: [stranger] }), 'unprocessable')
    await add([0, 1])
    await expectRefusal(updateGroup(owner, { ...change, seats: 1 }), 'unprocessable')
    await updateGroup(owner, { ...change, seats: 2 })
    await expectRefusal(add([2]), 'unprocessable', 'group_full')
  })

  test('is copied with dates at the same local time across the change of clocks, and without members', async () => {
    const from = await newGroup({ startAt: '2026-10-20T06:00:00.000Z', endAt: '2026-12-01T07:00:00.000Z', seats: 7 })
    await add([0], from)
    const newGroupId = newId()
    const copy = () => copyGroup(owner, { groupId: from, newGroupId, name: 'Наступна', offsetDays: 7 })
    await Promise.all([copy(), copy()])
    const copied = await getGroup(owner, { groupId: newGroupId })
    expect(copied).toMatchObject({ name: 'Наступна', seats: 7, members: 0 })
    expect(copied.startAt.toISOString()).toBe('2026-10-27T07:00:00.000Z')
    const withMembers = newId()
    await copyGroup(owner, {
      groupId: from,
      newGroupId: withMembers,
      name: 'З людьми',
      offsetDays: 28,
      withMembers: true,
    })
    expect(await names(withMembers)).toEqual(['s00@group.test'])
  })

  test('leaves entries in the audit log', async () => {
    await add([0])
    await archiveGroup(owner, { groupId })
    const { items } = await listAuditEntries(owner, { objectId: groupId })
    expect(items.map(({ action }) => action).sort()).toEqual([
      'group.changed',
      'group.created',
      'group.members_changed',
    ])
  })
})
