import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { countOverdueTasks } from '#lib/homework/submission/overdue.ts'
import { task } from '#lib/homework/table.ts'
import { handedIn, learner, withTask } from '../../../setup/course/works.ts'
import { listStudents } from '../../../setup/parsed/student-list.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

afterAll(() => pool.end())

const PAST = { mode: 'date' as const, at: '2026-01-05T20:00:00.000Z' }

test('the list of students shows who has required homework overdue, until it is submitted', async () => {
  const home = await createTestTenant()
  const owner = home.as.OWNER
  const place = await withTask(owner, { dueRule: PAST })
  const optional = await withTask(owner, { dueRule: PAST, required: false }, 'Необов’язкове')
  const later = await withTask(owner, { dueRule: { ...PAST, at: '2099-01-05T20:00:00.000Z' } }, 'Майбутнє')
  const late = await learner(home, place.courseId, 'late@overdue.test')
  const done = await learner(home, place.courseId, 'done@overdue.test')
  const ended = await learner(home, place.courseId, 'ended@overdue.test')
  await learner(home, optional.courseId, 'optional@overdue.test')
  await learner(home, later.courseId, 'later@overdue.test')
  await handedIn(done, place)
  await inTenant(owner, (tx) =>
    tx
      .update(accessGrant)
      .set({ endsAt: new Date(Date.now() - 1000) })
      .where(eq(accessGrant.studentId, ended.membershipId)),
  )
  const overdue = async () =>
    (await listStudents(owner, { overdue: true })).items.map(({ email, overdueCount }) => [email, overdueCount])
  expect(await countOverdueTasks()).toBe(1)
  expect(await overdue()).toEqual([['late@overdue.test', 1]])
  expect(await countOverdueTasks()).toBe(0)
  await handedIn(late, place)
  expect(await countOverdueTasks()).toBe(1)
  expect(await overdue()).toEqual([])
})

test('a deleted task is not overdue any more', async () => {
  const home = await createTestTenant()
  const place = await withTask(home.as.OWNER, { dueRule: PAST })
  await learner(home, place.courseId, 'gone@overdue.test')
  expect(await countOverdueTasks()).toBe(1)
  await inTenant(home.as.OWNER, (tx) => tx.update(task).set({ deletedAt: new Date() }).where(eq(task.id, place.taskId)))
  expect(await countOverdueTasks()).toBe(1)
  expect((await listStudents(home.as.OWNER, { overdue: true })).items).toEqual([])
})

test('a course that cannot be counted keeps its numbers and does not stop the others', async () => {
  const home = await createTestTenant()
  const owner = home.as.OWNER
  const [failing, counted] = [
    await withTask(owner, { dueRule: PAST }),
    await withTask(owner, { dueRule: PAST }, 'Друге'),
  ]
  await learner(home, failing.courseId, 'kept@overdue.test')
  expect(await countOverdueTasks()).toBe(1)
  await inTenant(owner, (tx) =>
    tx.update(task).set({ dueRule: sql`'{"mode":"unknown"}'::jsonb` }).where(eq(task.id, failing.taskId)),
  )
  await learner(home, counted.courseId, 'counted@overdue.test')
  await expect(countOverdueTasks()).rejects.toThrow('1 of 2 items failed')
  const { items } = await listStudents(owner, { overdue: true })
  expect(items.map(({ email }) => email).sort()).toEqual(['counted@overdue.test', 'kept@overdue.test'])
})
