import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { submitAnswer } from '#lib/homework/submission/submit.ts'
import { removeMember } from '#lib/team/removal.ts'
import { getTeam } from '#lib/team/team.ts'
import { addVacation, cancelVacation } from '#lib/team/vacation.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { learner, putOnCourse, type TaskPlace, withTask } from '../../setup/course/works.ts'
import { listQueue } from '../../setup/parsed/homework-review.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let place: TaskPlace
let deputy: Actor
let count = 0

beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
  deputy = await addTestMember(home, 'CURATOR', 'deputy@vacation.test')
})
afterAll(() => pool.end())

async function submit(): Promise<string> {
  const student = await learner(home, place.courseId, `student${++count}@vacation.test`)
  const { submissionId } = await submitAnswer(student, { taskId: place.taskId, attempt: 1, text: 'Відповідь' })
  return submissionId
}

async function assigneeOf(submissionId: string): Promise<string | null> {
  const { rows } = await inTenant(home.as.OWNER, (tx) =>
    tx.execute<{ assignee: string | null }>(
      `select assigned_to as assignee from submission where id = '${submissionId}'`,
    ),
  )
  return rows[0]?.assignee ?? null
}

const queueOf = async (actor: Actor) => (await listQueue(actor, {})).items.map(({ id }) => id)

test('new homework goes to the deputy during the vacation only, and the deputy sees the course', async () => {
  const before = await submit()
  expect(await assigneeOf(before)).toBeNull()
  expect(await queueOf(deputy)).toEqual([])
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const { vacationId } = await addVacation(home.as.OWNER, {
    memberId: home.as.CURATOR.membershipId,
    deputyId: deputy.membershipId,
    firstDay: day(-2),
    lastDay: day(2),
  })
  const during = await submit()
  expect(await assigneeOf(during)).toBe(deputy.membershipId)
  expect(await queueOf(deputy)).toEqual(expect.arrayContaining([before, during]))
  await cancelVacation(home.as.OWNER, { vacationId })
  expect(await assigneeOf(await submit())).toBeNull()
  expect(await queueOf(deputy)).toEqual([])
})

test('the queue of a removed member is reassigned to the heir', async () => {
  const memberId = deputy.membershipId
  const waiting = (await getTeam(home.as.OWNER)).members.find(({ id }) => id === memberId)?.openHomework
  expect(waiting).toBe(1)
  const homeworkHeirId = home.as.CURATOR.membershipId
  await expect(removeMember(home.as.OWNER, { memberId }, teamAssignments)).rejects.toMatchObject({
    details: { fields: { homeworkHeirId: ['heir_required'] } },
  })
  await expect(
    removeMember(home.as.OWNER, { memberId, homeworkHeirId: home.as.MODERATOR.membershipId }, teamAssignments),
  ).rejects.toMatchObject({ details: { fields: { homeworkHeirId: ['heir_unsuitable'] } } })
  await removeMember(home.as.OWNER, { memberId, homeworkHeirId }, teamAssignments)
  const heir = (await getTeam(home.as.OWNER)).members.find(({ id }) => id === homeworkHeirId)
  expect(heir?.openHomework).toBe(1)
})
