import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAutomation, getAutomation, listAutomationGroups } from '#lib/automation/automation.ts'
import { runAutomations } from '#lib/automation/run-automations.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup, finishGroup } from '#lib/course/group/group.ts'
import { addToGroup } from '#lib/course/group/members.ts'
import { requestApi } from '../../api/api-request.ts'
import { type AddedSettings, addEnabledAutomation, listAutomationRuns } from '../../setup/automation.ts'
import { giveAccess } from '../../setup/chat/conversations.ts'
import { type TaskPlace, withTask } from '../../setup/course/works.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
let student: Actor
let place: TaskPlace
beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
  place = await withTask(owner, {})
})
afterAll(() => pool.end())

const add = (settings: Partial<AddedSettings> & Pick<AddedSettings, 'action'>): Promise<string> =>
  addEnabledAutomation(owner, { trigger: 'courseJoined', courseId: place.courseId, ...settings })

const coursesOf = async (actor: Actor): Promise<[string, string][]> => {
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ course_id: string; source_type: string }>(
      `select course_id, source_type from access_grant where student_id = '${actor.membershipId}' and revoked_at is null
        order by created_at, id`,
    ),
  )
  return rows.map((row) => [row.course_id, row.source_type])
}
const resultsOf = async (automationId: string) =>
  (await listAutomationRuns(owner, { automationId })).items.map(({ name, result, reason }) => [name, result, reason])
const newGroup = (seats: number | null = null) =>
  createGroup(owner, {
    courseId: place.courseId,
    name: 'Ранкова',
    startAt: new Date(Date.now() - 3_600_000).toISOString(),
    endAt: null,
    timeZone: 'Europe/Kyiv',
    seats,
  })
describe('access', () => {
  test('to another course is given once, however often the job runs, and is audited', async () => {
    const next = await withTask(owner, {})
    const automationId = await add({ action: 'giveCourse', givenCourseId: next.courseId })
    await giveAccess(student, place.courseId)
    await Promise.all([runAutomations(), runAutomations()])
    await runAutomations()
    expect((await coursesOf(student)).map(([courseId]) => courseId)).toEqual([place.courseId, next.courseId])
    expect(await resultsOf(automationId)).toEqual([['student Тест', 'done', null]])
    const { rows } = await inTenant(owner, (tx) =>
      tx.execute(`select actor_id from audit_entry where action = 'student.access_changed'
        and object_id = '${student.membershipId}' and actor_id is null`),
    )
    expect(rows).toHaveLength(1)
  })

  test('to a group is given while it has seats; who has none is refused in the log, the others are added', async () => {
    const { groupId } = await newGroup(1)
    const automationId = await add({ action: 'addToGroup', groupId })
    const second = await addTestMember(home, 'STUDENT', 'second@school.test')
    await giveAccess(student, place.courseId)
    await giveAccess(second, place.courseId)
    expect(await runAutomations()).toBe(2)
    expect((await resultsOf(automationId)).map(([, result, reason]) => [result, reason]).sort()).toEqual([
      ['done', null],
      ['refused', 'group_full'],
    ])
    const members = [...(await coursesOf(student)), ...(await coursesOf(second))].filter(([, type]) => type === 'group')
    expect(members).toHaveLength(1)
  })

  test('a finished group takes nobody', async () => {
    const { groupId } = await newGroup()
    const automationId = await add({ action: 'addToGroup', groupId })
    await finishGroup(owner, { groupId, closesAccess: false })
    await giveAccess(student, place.courseId)
    await runAutomations()
    expect(await resultsOf(automationId)).toEqual([['student Тест', 'refused', 'group_finished']])
  })

  test('by a group ends, other access stays, and the students of the course are counted', async () => {
    const { groupId } = await newGroup()
    await add({ action: 'removeFromGroup', groupId })
    const leaving = await addTestMember(home, 'STUDENT', 'leaving@school.test')
    await giveAccess(student, place.courseId)
    for (const { membershipId } of [student, leaving]) await addToGroup(owner, { groupId, studentId: membershipId })
    await runAutomations()
    expect((await coursesOf(student)).map(([, type]) => type)).toEqual(['manual'])
    expect(await coursesOf(leaving)).toEqual([])
    const { rows } = await inTenant(owner, (tx) =>
      tx.execute(`select student_count from course where id = '${place.courseId}'`),
    )
    expect(rows).toEqual([{ student_count: 1 }])
  })
})

describe('the editor and the log', () => {
  test('refuse what is missing, and courses and groups of other schools', async () => {
    const other = await createOtherTenant()
    const theirs = await withTask(other.as.OWNER, {})
    const call = (settings: object) =>
      requestApi('POST', 'automation/saveAutomation', {
        actor: owner,
        body: { automationId: newId(), version: 0, settings: { title: 'А', trigger: 'courseJoined', ...settings } },
      })
    for (const settings of [
      { action: 'giveCourse' },
      { action: 'addToGroup' },
      { action: 'removeFromGroup', groupId: 'x' },
      { action: 'callWebhook' },
      { action: 'callWebhook', webhookAddress: 'http://example.com/' },
      { action: 'callWebhook', webhookAddress: 'https://user:password@example.com/' },
      { action: 'callWebhook', webhookAddress: 'javascript:alert(1)' },
      { action: 'callWebhook', webhookAddress: `https://example.com/${'a'.repeat(1000)}` },
    ])
      expect({ settings, status: (await call(settings)).status }).toEqual({ settings, status: 400 })
    expect((await call({ action: 'giveCourse', givenCourseId: theirs.courseId })).status).toBe(404)
    expect((await call({ action: 'addToGroup', groupId: newId() })).status).toBe(404)
    expect((await call({ action: 'giveCourse', givenCourseId: place.courseId })).status).toBe(200)
  })

  test('list the groups that take students, and page the runs for owner and director only', async () => {
    const { groupId } = await newGroup()
    expect((await listAutomationGroups(owner)).map(({ id }) => id)).toEqual([groupId])
    const automationId = await add({ action: 'tag', tag: 'новий' })
    for (const name of ['one', 'two', 'three'])
      await giveAccess(await addTestMember(home, 'STUDENT', `${name}@school.test`), place.courseId)
    await runAutomations()
    const first = await listAutomationRuns(owner, { automationId, limit: 2 })
    const second = await listAutomationRuns(owner, { automationId, limit: 2, cursor: first.next ?? undefined })
    expect([...first.items, ...second.items].map(({ name }) => name).sort()).toEqual([
      'one Тест',
      'three Тест',
      'two Тест',
    ])
    expect(second.next).toBeNull()
    for (const role of ROLES) {
      const outcome = await Promise.resolve()
        .then(() => listAutomationRuns(home.as[role], { automationId }))
        .then(
          () => 'allowed',
          ({ code }: { code?: string }) => code,
        )
      expect(`${role} ${outcome}`).toBe(`${role} ${role === 'OWNER' || role === 'DIRECTOR' ? 'allowed' : 'forbidden'}`)
    }
    const other = await createOtherTenant()
    await expect(listAutomationRuns(other.as.OWNER, { automationId })).rejects.toMatchObject({ code: 'not_found' })
    await deleteAutomation(owner, { automationId })
    await expect(listAutomationRuns(owner, { automationId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(getAutomation(owner, { automationId })).rejects.toMatchObject({ code: 'not_found' })
  })
})
