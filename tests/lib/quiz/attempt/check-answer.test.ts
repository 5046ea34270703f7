import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttemptPage } from '#lib/quiz/attempt/attempt-page.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { checkAnswer } from '#lib/quiz/attempt/check-answer.ts'
import { flagQuestion } from '#lib/quiz/attempt/flag-question.ts'
import type { QuizSettings } from '#lib/quiz/schema.ts'
import { saveAnswer, shownAnswer } from '../../../setup/quiz/attempts.ts'
import { KEYS, WRONG } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const

let ours: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  student = ours.as.STUDENT
})

const SHOW_ALL = { score: true, correctness: true, correctAnswers: true, explanations: true }

async function startNewAttempt(settings: Partial<QuizSettings> = { feedback: 'afterEach', show: SHOW_ALL }) {
  const { quizId, questionIds } = await offerQuiz(ours, ['single', 'trueFalse'], settings)
  const { attemptId } = await startAttempt(student, { quizId, attemptId: newId(), password: '' })
  const [questionId = '', other = ''] = questionIds
  return { quizId, attemptId, questionId, other }
}
const keyed = (key: string) => ({ code: 'unprocessable', details: { fields: { form: [key] } } })

describe('feedback after each question', () => {
  test('shows the key of a checked answer only, and locks it', async () => {
    const { quizId, attemptId, questionId } = await startNewAttempt()
    const save = { attemptId, questionId, revision: 1, value: KEYS.single }
    await saveAnswer(student, save)
    const before = await getAttemptPage(student, { quizId, page: null }, words)
    expect(before?.questions.map(({ feedback }) => feedback)).toEqual([null, null])
    expect(JSON.stringify(before)).not.toContain('1991')
    await checkAnswer(student, { attemptId, questionId, revision: 1 })
    const after = await getAttemptPage(student, { quizId, page: null }, words)
    expect(after?.questions).toMatchObject([
      { closed: true, feedback: { score: 1, isCorrect: true } },
      { closed: false, feedback: null },
    ])
    expect(after?.questions[0]?.feedback?.key).toContain('Київ')
    expect(JSON.stringify(after?.questions[0])).toContain('1991')
    await expect(saveAnswer(student, { ...save, revision: 2, value: WRONG.single })).rejects.toMatchObject(
      keyed('answer_closed'),
    )
    expect((await getAttempt(student, { attemptId })).answers).toMatchObject([
      { value: await shownAnswer(student, save, KEYS.single), closed: true },
    ])
  })

  test('is the same for a second check, and counts in the result', async () => {
    const { attemptId, questionId } = await startNewAttempt()
    await saveAnswer(student, { attemptId, questionId, revision: 1, value: KEYS.single })
    const [first, second] = await Promise.all([
      checkAnswer(student, { attemptId, questionId, revision: 1 }),
      checkAnswer(student, { attemptId, questionId, revision: 1 }),
    ])
    expect(second).toEqual(first)
    expect(await submitAttempt(student, { attemptId })).toMatchObject({ state: 'graded' })
  })

  test('needs an answer, the one that the student sees, and a test that allows it', async () => {
    const { attemptId, questionId, other } = await startNewAttempt()
    await expect(checkAnswer(student, { attemptId, questionId: other, revision: 1 })).rejects.toMatchObject(
      keyed('answer_missing'),
    )
    await saveAnswer(student, { attemptId, questionId, revision: 3, value: KEYS.single })
    await expect(checkAnswer(student, { attemptId, questionId, revision: 2 })).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { revision: 3, value: await shownAnswer(student, { attemptId, questionId }, KEYS.single) } },
    })
    const later = await startNewAttempt({ feedback: 'afterAttempt' })
    await saveAnswer(student, { ...later, revision: 1, value: KEYS.single })
    await expect(
      checkAnswer(student, { attemptId: later.attemptId, questionId: later.questionId, revision: 1 }),
    ).rejects.toMatchObject(keyed('answer_feedback'))
  })

  test('is refused to other students and after the end', async () => {
    const { attemptId, questionId } = await startNewAttempt()
    await saveAnswer(student, { attemptId, questionId, revision: 1, value: KEYS.single })
    const classmate = await addTestMember(ours, 'STUDENT', 'check-classmate@elsewhere.test')
    const check = { attemptId, questionId, revision: 1 }
    await expect(checkAnswer(classmate, check)).rejects.toMatchObject({ code: 'not_found' })
    await submitAttempt(student, { attemptId })
    await expect(checkAnswer(student, check)).rejects.toMatchObject(keyed('attempt_finished'))
  })
})

describe('a mark for later', () => {
  test('stays with the attempt on every device, set and removed once', async () => {
    const { quizId, attemptId, questionId } = await startNewAttempt()
    await flagQuestion(student, { attemptId, questionId, flagged: true })
    expect(await flagQuestion(student, { attemptId, questionId, flagged: true })).toEqual({ flagged: [questionId] })
    const view = await getAttemptPage(student, { quizId, page: null }, words)
    expect(view?.overview.map(({ flagged }) => flagged)).toEqual([true, false])
    expect(await flagQuestion(student, { attemptId, questionId, flagged: false })).toEqual({ flagged: [] })
  })

  test('is refused for other questions, other students and after the end', async () => {
    const { attemptId, questionId } = await startNewAttempt()
    const elsewhere = (await startNewAttempt()).questionId
    await expect(flagQuestion(student, { attemptId, questionId: elsewhere, flagged: true })).rejects.toMatchObject({
      code: 'not_found',
    })
    const classmate = await addTestMember(ours, 'STUDENT', 'flag-classmate@elsewhere.test')
    await expect(flagQuestion(classmate, { attemptId, questionId, flagged: true })).rejects.toMatchObject({
      code: 'not_found',
    })
    await submitAttempt(student, { attemptId })
    await expect(flagQuestion(student, { attemptId, questionId, flagged: true })).rejects.toMatchObject(
      keyed('attempt_finished'),
    )
  })
})
