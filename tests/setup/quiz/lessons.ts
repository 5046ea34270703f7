import type { Actor } from '#lib/core/shared/actor.ts'
import { publishLesson } from '#lib/course/lesson/lesson.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { publishQuiz } from '#lib/quiz/quiz.ts'
import type { QuizSettings } from '#lib/quiz/schema.ts'
import { addLesson } from '../parsed/course-outline.ts'
import { saveAnswer } from './attempts.ts'
import { startAttempt } from './parsed.ts'
import { KEYS, WRONG } from './questions.ts'
import { addQuiz, changeSettings } from './quizzes.ts'

const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }

export interface TestedLesson {
  quizIds: string[]
  /** The lesson with the tests, and the one that opens when they are passed. */
  lessonId: string
  nextId: string
}

/** Adds a module of two published lessons: one with tests of one question each, and one that requires them. */
export async function addTestedLesson(
  owner: Actor,
  courseId: string,
  { tests = 1, settings = {} }: { tests?: number; settings?: Partial<QuizSettings> } = {},
): Promise<TestedLesson> {
  const quizIds: string[] = []
  for (let count = 0; count < tests; count++) {
    const { quizId } = await addQuiz(owner, courseId, ['trueFalse'])
    await changeSettings(owner, quizId, settings)
    await publishQuiz(owner, { quizId })
    quizIds.push(quizId)
  }
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const blocks = quizIds.map((testId) => ({ type: 'test', attrs: { testId } }))
  const { lessonId } = await addLesson(owner, {
    moduleId,
    title: 'З тестом',
    blocks: { type: 'doc', content: [paragraph, ...blocks] },
  })
  const { lessonId: nextId } = await addLesson(owner, {
    moduleId,
    title: 'Наступний',
    blocks: { type: 'doc', content: [paragraph] },
  })
  await changeLessons(owner, { courseId, lessonIds: [lessonId], change: { completionRule: { mode: 'testPassed' } } })
  const availability = { mode: 'afterPrevious', of: 'lesson', require: 'testPassed' } as const
  await changeLessons(owner, { courseId, lessonIds: [nextId], change: { availability } })
  await publishLesson(owner, { lessonId })
  await publishLesson(owner, { lessonId: nextId })
  return { quizIds, lessonId, nextId }
}

/** Completes a test of one question of the type true or false. */
export async function takeTest(student: Actor, quizId: string, questionId: string, isRight: boolean): Promise<void> {
  const { attemptId } = await startAttempt(student, { quizId })
  const value = isRight ? KEYS.trueFalse : WRONG.trueFalse
  await saveAnswer(student, { attemptId, questionId, revision: 1, value })
  await submitAttempt(student, { attemptId })
}
