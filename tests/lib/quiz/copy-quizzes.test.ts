import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { duplicateCourse } from '#lib/course/outline/duplicate-course.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { DuplicateCourse } from '#lib/course/outline/schema.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { copyTests, duplicateQuiz } from '#lib/quiz/copy-quizzes.ts'
import { getQuiz } from '#lib/quiz/quiz.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { addTestedLesson } from '../../setup/quiz/lessons.ts'
import { listQuizzes } from '../../setup/quiz/parsed.ts'
import { addQuiz, changeSettings } from '../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let courseId: string
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  courseId = (await publishedCourse(ours.as.OWNER)).courseId
})

describe('a copy of a test', () => {
  test('is a draft with the settings and questions of its original; posted twice, it is one', async () => {
    const { OWNER, EXPERT } = ours.as
    const { quizId, questionIds } = await addQuiz(OWNER, courseId, ['single', 'number'])
    await changeSettings(OWNER, quizId, { attempts: 3, passPercent: 75, title: 'Модуль 1' })
    const newQuizId = newId()
    await Promise.all([1, 2].map(() => duplicateQuiz(EXPERT, { quizId, newQuizId })))
    const copy = await getQuiz(OWNER, { quizId: newQuizId })
    expect(copy).toMatchObject({ title: 'Модуль 1 (копія)', status: 'draft', attempts: 3, passPercent: 75, courseId })
    expect(copy.sections).toHaveLength(1)
    expect(copy.sections[0]?.questions.map((question) => question.questionId)).toEqual(questionIds)
    expect((await getQuiz(OWNER, { quizId })).sections).toHaveLength(1)
  })

  test('is refused to those who may not edit, and of tests of another tenant', async () => {
    const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
    const input = { quizId, newQuizId: newId() }
    await expect(duplicateQuiz(other.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
    await expect(async () => duplicateQuiz(ours.as.CURATOR, input)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('the copy of a course has separate tests, which are in the copies of its lessons', async () => {
  const { OWNER } = ours.as
  const { courseId: from } = await publishedCourse(OWNER)
  const openAt = '2031-05-04T06:00:00.000Z'
  const { quizIds } = await addTestedLesson(OWNER, from, { settings: { openAt } })
  const parts = { copyTasks, copyTests }
  const copy = async (input: object) =>
    (await duplicateCourse(OWNER, DuplicateCourse.parse({ courseId: from, ...input }), parts)).courseId
  const testIdsOf = async (id: string) => {
    const modules = await getOutline(OWNER, { courseId: id })
    const lessons = modules.flatMap((module) => module.lessons)
    const drafts = await Promise.all(lessons.map((lesson) => getLesson(OWNER, { lessonId: lesson.id })))
    return drafts.flatMap(({ blocks }) =>
      blocks.content.flatMap(({ type, attrs }) => (type === 'test' ? [attrs?.testId] : [])),
    )
  }
  const copied = await copy({ shiftDays: 7 })
  const { items } = await listQuizzes(OWNER, { courseId: copied })
  expect(items).toMatchObject([{ title: 'Тест', status: 'draft', questions: 1 }])
  expect(items[0]?.id).not.toBe(quizIds[0])
  expect(await testIdsOf(copied)).toEqual([items[0]?.id])
  const moved = await getQuiz(OWNER, { quizId: items[0]?.id ?? '' })
  expect(moved.openAt).toEqual(new Date('2031-05-11T06:00:00.000Z'))
  const without = await copy({ tests: false })
  expect(await testIdsOf(without)).toEqual([null])
  expect((await listQuizzes(OWNER, { courseId: without })).items).toEqual([])
})
