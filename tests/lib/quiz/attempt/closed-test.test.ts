import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { getQuizStart } from '#lib/quiz/attempt/view.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { addTestedLesson } from '../../../setup/quiz/lessons.ts'
import { startAttempt } from '../../../setup/quiz/parsed.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

describe('a test of a closed lesson', () => {
  const OPENS = '2031-01-05T08:00:00.000Z'
  let ours: TestTenant
  let student: Actor
  let courseId: string
  let quizId: string
  let lessonId: string
  beforeAll(async () => {
    ours = await createTestTenant()
    const { OWNER, STUDENT } = ours.as
    student = STUDENT
    courseId = (await publishedCourse(OWNER)).courseId
    await grantAccess(OWNER, { courseId, studentId: student.membershipId })
    const tested = await addTestedLesson(OWNER, courseId)
    quizId = tested.quizIds[0] ?? ''
    lessonId = tested.lessonId
  })
  const close = (availability: object) =>
    changeLessons(ours.as.OWNER, { courseId, lessonIds: [lessonId], change: { availability } } as never)

  test('tells when it opens, and starts no attempt', async () => {
    await close({ mode: 'date', at: OPENS })
    const start = await getQuizStart(student, { quizId })
    expect(start).toMatchObject({ title: 'Тест', course: { id: courseId } })
    expect(start).toMatchObject({ closed: { allow: false, reason: 'opens_at', at: new Date(OPENS) } })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject({
      code: 'forbidden',
      details: { data: { reason: 'opens_at' } },
    })
  })

  test('shows attempts that were made, and why no other can be started', async () => {
    await close({ mode: 'open' })
    await startAttempt(student, { quizId })
    await close({ mode: 'date', at: OPENS })
    const start = await getQuizStart(student, { quizId })
    expect(start).toMatchObject({ running: { isOver: false }, closedLesson: { reason: 'opens_at' } })
  })
})
