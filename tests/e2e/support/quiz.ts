import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { callApi, createTask, openPageAs } from './homework.ts'
import { staffEmail } from './sign-in.ts'

export interface PublishedTest {
  courseId: string
  quizId: string
  questionIds: string[]
  title: string
}

/** A published test of these questions in a course of its own that the demo student may enter. */
export async function publishTest(
  page: Page,
  contents: readonly object[],
  settings: Record<string, unknown> = {},
): Promise<PublishedTest> {
  const { courseId } = await createTask(page)
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const quizId = randomUUID()
  const title = `Тест ${Date.now()}`
  await callApi(expert, 'quiz/create', { quizId, courseId, title })
  const questionIds: string[] = []
  for (const content of contents) {
    const questionId = randomUUID()
    await callApi(expert, 'quiz/createQuestion', { questionId, draft: { content } })
    questionIds.push(questionId)
  }
  const section = { id: randomUUID(), pick: 'fixed', questions: questionIds.map((questionId) => ({ questionId })) }
  const { revision } = await callApi<{ revision: number }>(expert, 'quiz/setSections', {
    quizId,
    revision: 1,
    sections: [section],
  })
  if (Object.keys(settings).length > 0) await callApi(expert, 'quiz/update', { quizId, revision, settings })
  await callApi(expert, 'quiz/publish', { quizId })
  await expert.context().close()
  return { courseId, quizId, questionIds, title }
}

/** Starts an attempt as the student of a page on `go`. Returns its id. */
export async function startAttempt(student: Page, quizId: string): Promise<string> {
  const { attemptId = '' } = await callApi(student, 'quiz/startAttempt', { quizId })
  return attemptId
}
