import { beforeAll, expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { sweepDeadlines } from '#lib/quiz/attempt/deadline-sweep.ts'
import { getQuizResult } from '#lib/quiz/attempt/result.ts'
import { acceptLateAnswer, saveLateAnswer } from '#lib/quiz/late/late-answer.ts'
import { listLateAnswers } from '#lib/quiz/late/late-view.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { saveAnswer, shownAnswer } from '../../../setup/quiz/attempts.ts'
import { startAttempt } from '../../../setup/quiz/parsed.ts'
import { KEYS, WRONG } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const

let ours: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  student = ours.as.STUDENT
})

async function finishedAttempt() {
  const { quizId, questionIds } = await offerQuiz(ours, ['single', 'shortText'])
  const [questionId = ''] = questionIds
  const { attemptId } = await startAttempt(student, { quizId })
  await saveAnswer(student, { attemptId, questionId, revision: 1, value: WRONG.single })
  await submitAttempt(student, { attemptId })
  const value = await shownAnswer(student, { attemptId, questionId }, KEYS.single)
  const scoreOf = async () => (await getQuizResult(student, { quizId, attemptId }, words)).attempt?.score
  return { attemptId, questionId, late: { attemptId, questionId, revision: 7, value }, scoreOf }
}

test('an answer that arrives after the end is kept once, shown, not scored, and scored when a reviewer accepts it', async () => {
  const { attemptId, questionId, late, scoreOf } = await finishedAttempt()
  for (let time = 0; time < 2; time += 1)
    expect(await saveLateAnswer(student, late)).toEqual({ questionId, revision: 7, late: true })
  expect(await scoreOf()).toBe(0)
  const [shown, ...others] = await listLateAnswers(student, { attemptId }, words)
  expect(shown).toMatchObject({ number: 1, accepted: false, answer: expect.stringContaining('Київ') })
  expect(others).toEqual([])
  const accepted = { attemptId, questionId, revision: 7 }
  for (let time = 0; time < 2; time += 1) await acceptLateAnswer(ours.as.EXPERT, accepted)
  expect(await auditedActions(ours.as.OWNER, accepted.attemptId)).toEqual(['attempt.late_accepted'])
  expect(await scoreOf()).toBe(1)
  expect(await listLateAnswers(student, { attemptId }, words)).toMatchObject([{ accepted: true }])
})

test('an abandoned attempt is scored when a reviewer accepts an answer that was written in time', async () => {
  const { quizId, questionIds } = await offerQuiz(ours, ['single', 'shortText'], {
    timeLimitSec: 60,
    onExpiry: 'discard',
  })
  const [questionId = ''] = questionIds
  const { attemptId } = await startAttempt(student, { quizId })
  const value = await shownAnswer(student, { attemptId, questionId }, KEYS.single)
  const late = { attemptId, questionId, revision: 7, value }
  const after = new Date(Date.now() + 3_600_000)
  await sweepDeadlines(after)
  expect(await saveLateAnswer(student, late, after)).toMatchObject({ late: true })
  const attempt = async () => (await getQuizResult(student, { quizId, attemptId }, words)).attempt
  expect(await attempt()).toMatchObject({ state: 'abandoned', score: null })
  await acceptLateAnswer(ours.as.EXPERT, { attemptId, questionId, revision: 7 })
  expect(await attempt()).toMatchObject({ state: 'graded', score: 1 })
})

test('late answers of several devices are kept side by side', async () => {
  const { attemptId, late } = await finishedAttempt()
  await saveLateAnswer(student, late)
  const other = await shownAnswer(student, late, { type: 'single', optionId: 'c' })
  await saveLateAnswer(student, { ...late, revision: 8, value: other })
  expect(await listLateAnswers(student, { attemptId }, words)).toHaveLength(2)
})

test('an answer that can still be saved is saved, and one that is saved already is acknowledged', async () => {
  const { quizId, questionIds } = await offerQuiz(ours, ['single'])
  const [questionId = ''] = questionIds
  const { attemptId } = await startAttempt(student, { quizId })
  const value = await shownAnswer(student, { attemptId, questionId }, KEYS.single)
  const save = { attemptId, questionId, revision: 3, value }
  expect(await saveLateAnswer(student, save)).toMatchObject({ late: false })
  await submitAttempt(student, { attemptId })
  expect(await saveLateAnswer(student, save)).toMatchObject({ late: false })
  expect(await listLateAnswers(student, { attemptId }, words)).toEqual([])
})

test('a late answer is refused to other people, and with unknown ids; only reviewers accept it', async () => {
  const { attemptId, questionId, late } = await finishedAttempt()
  const other = await createOtherTenant()
  const classmate = await addTestMember(ours, 'STUDENT', 'late-classmate@elsewhere.test')
  for (const stranger of [classmate, other.as.STUDENT])
    await expect(saveLateAnswer(stranger, late)).rejects.toMatchObject({ code: 'not_found' })
  await expect(saveLateAnswer(student, { ...late, value: KEYS.single })).rejects.toMatchObject({
    details: { fields: { form: ['answer_type'] } },
  })
  await saveLateAnswer(student, late)
  const accepted = { attemptId, questionId, revision: 7 }
  await expect(acceptLateAnswer(student, accepted)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(acceptLateAnswer(other.as.OWNER, accepted)).rejects.toMatchObject({ code: 'not_found' })
  await expect(acceptLateAnswer(ours.as.OWNER, { ...accepted, revision: 9 })).rejects.toMatchObject({
    code: 'not_found',
  })
})
