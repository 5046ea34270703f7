import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAutomation, switchAutomation } from '#lib/automation/automation.ts'
import { reactToEvent, runAutomations } from '#lib/automation/run-automations.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { type AutomationRequest, requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addGrant } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import {
  type AddedSettings,
  addEnabledAutomation,
  listAutomationRuns,
  listWaitingJobs,
  saveAutomation,
} from '../../setup/automation.ts'
import { giveAccess } from '../../setup/chat/conversations.ts'
import { type TaskPlace, withTask } from '../../setup/course/works.ts'
import { addTestedLesson } from '../../setup/quiz/lessons.ts'
import { startAttempt } from '../../setup/quiz/parsed.ts'
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

const resultsOf = async (automationId: string) =>
  (await listAutomationRuns(owner, { automationId })).items.map(({ name, result, reason }) => [name, result, reason])
const waitingRequests = () => listWaitingJobs<AutomationRequest>(home.tenant.id, 'automation.react')
const waitingEvents = async () => (await waitingRequests()).map(({ event }) => event).sort()

describe('immediately after the commit', () => {
  test('of access, a completed course and a failed test a job waits; a rollback leaves none', async () => {
    const { courseId } = place
    for (const trigger of ['courseJoined', 'courseCompleted', 'testFailed'] as const)
      await add({ trigger, action: 'tag', tag: 'новий' })
    const source = { type: 'manual' as const, id: null }
    const failing = inTenant(owner, async (tx) => {
      await addGrant(tx, owner, { courseId, studentId: student.membershipId, source })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await waitingEvents()).toEqual([])
    await giveAccess(student, courseId)
    const { tenantId, membershipId: studentId } = student
    const joined = { tenantId, event: 'courseJoined', studentId, subjectId: courseId, delayHours: 0 }
    expect(await waitingRequests()).toEqual([joined])
    // A second request of the same student is the same job while the first one waits.
    await inTenant(owner, (tx) => tx.execute(`update access_grant set revoked_at = now()`))
    await giveAccess(student, courseId)
    expect(await waitingRequests()).toEqual([joined])
    const { lessonId } = place
    await inTenant(owner, (tx) => tx.execute(`update lesson set completion_rule = '{"mode":"manual"}', task_count = 0`))
    await completeLesson(student, { lessonId })
    expect(await waitingEvents()).toEqual(['courseCompleted', 'courseJoined'])
    const { quizIds } = await addTestedLesson(owner, courseId)
    // Without an answer.
    const { attemptId } = await startAttempt(student, { quizId: quizIds[0] ?? '' })
    await submitAttempt(student, { attemptId })
    expect(await waitingEvents()).toEqual(['courseCompleted', 'courseJoined', 'testFailed'])
  })

  test('no job waits without an enabled automation of this event that concerns the course', async () => {
    await add({ trigger: 'testFailed', action: 'tag', tag: 'новий' })
    await add({ action: 'tag', tag: 'інший', courseId: (await withTask(owner, {})).courseId })
    const off = await add({ action: 'tag', tag: 'новий' })
    await switchAutomation(owner, { automationId: off, isOn: false })
    const deleted = await add({ action: 'tag', tag: 'новий', courseId: null })
    await deleteAutomation(owner, { automationId: deleted })
    const other = await createOtherTenant()
    await saveAutomation(other.as.OWNER, {
      automationId: newId(),
      version: 0,
      settings: { title: 'Чуже', trigger: 'courseJoined', action: 'tag', tag: 'новий' },
    })
    await giveAccess(student, place.courseId)
    expect(await waitingRequests()).toEqual([])
  })

  test('progress that does not complete the course leaves no job', async () => {
    await add({ trigger: 'courseCompleted', action: 'tag', tag: 'новий' })
    const { courseId, lessonId } = place
    const { tenantId, membershipId: studentId } = student
    await inTenant(owner, (tx) => tx.execute(`update lesson set completion_rule = '{"mode":"manual"}', task_count = 0`))
    await giveAccess(student, courseId)
    const report = () =>
      inTenant(student, () => requestAutomations(tenantId, 'courseCompleted', { studentId, subjectId: courseId }))
    await report()
    expect(await waitingEvents()).toEqual([])
    await completeLesson(student, { lessonId })
    await report()
    expect(await waitingEvents()).toEqual(['courseCompleted'])
  })

  test('of each delay a job waits that starts when it has passed, and acts with the automations of this delay', async () => {
    const soon = await add({ action: 'tag', tag: 'згодом', delayHours: 2 })
    const late = await add({ action: 'tag', tag: 'потім', delayHours: 48 })
    await giveAccess(student, place.courseId)
    const requests = await waitingRequests()
    expect(requests.map(({ delayHours }) => delayHours).sort()).toEqual([2, 48])
    const { rows } = await pool.query<{ hours: number }>(
      `select round(extract(epoch from start_after - created_on) / 3600)::int as hours from pgboss.job
        where name = 'automation.react' and data->>'tenantId' = $1 order by 1`,
      [home.tenant.id],
    )
    expect(rows.map(({ hours }) => hours)).toEqual([2, 48])
    const request = requests.find(({ delayHours }) => delayHours === 2)
    if (!request) throw new Error('no job waits')
    expect(await reactToEvent(request)).toBe(0)
    const later = new Date(Date.now() + 49 * 3_600_000)
    expect(await reactToEvent(request, later)).toBe(1)
    expect(await resultsOf(soon)).toHaveLength(1)
    expect(await resultsOf(late)).toEqual([])
  })

  test('the job looks only for the student and the course of the event', async () => {
    const automationId = await add({ action: 'tag', tag: 'новий', courseId: null })
    const second = await addTestMember(home, 'STUDENT', 'second@school.test')
    const elsewhere = await withTask(owner, {})
    await giveAccess(student, place.courseId)
    await giveAccess(second, place.courseId)
    await giveAccess(student, elsewhere.courseId)
    const request = (await waitingRequests()).find(
      ({ studentId, subjectId }) => studentId === student.membershipId && subjectId === place.courseId,
    )
    if (!request) throw new Error('no job waits')
    expect(await reactToEvent(request)).toBe(1)
    expect(await resultsOf(automationId)).toEqual([['student Тест', 'done', null]])
    // What was missed is made up for by the periodic job.
    await runAutomations()
    expect(await resultsOf(automationId)).toHaveLength(3)
  })

  test('the job acts with the rules of this event that have no delay, and the periodic job does nothing again', async () => {
    const immediate = await add({ action: 'tag', tag: 'новий' })
    const delayed = await add({ action: 'tag', tag: 'пізніше', delayHours: 1 })
    await giveAccess(student, place.courseId)
    const { tenantId } = owner
    expect(await reactToEvent({ tenantId, event: 'courseCompleted' })).toBe(0)
    const [first, second] = await Promise.all([
      reactToEvent({ tenantId, event: 'courseJoined' }),
      reactToEvent({ tenantId, event: 'courseJoined' }),
    ])
    expect(first + second).toBe(1)
    await runAutomations()
    expect(await resultsOf(immediate)).toHaveLength(1)
    expect(await resultsOf(delayed)).toEqual([])
  })

  test('the job of another school, or of one that is closed, does nothing', async () => {
    await add({ action: 'tag', tag: 'новий' })
    await giveAccess(student, place.courseId)
    const other = await createOtherTenant()
    expect(await reactToEvent({ tenantId: other.tenant.id, event: 'courseJoined' })).toBe(0)
    await pool.query(`update tenant set status = 'suspended' where id = $1`, [home.tenant.id])
    expect(await reactToEvent({ tenantId: home.tenant.id, event: 'courseJoined' })).toBe(0)
  })
})
