import { beforeAll, describe, expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttemptPage } from '#lib/quiz/attempt/attempt-page.ts'
import { getQuizResult } from '#lib/quiz/attempt/result.ts'
import { getQuizStart } from '#lib/quiz/attempt/view.ts'
import { saveAnswer } from '../../../setup/quiz/attempts.ts'
import { startAttempt } from '../../../setup/quiz/parsed.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { changeSettings, offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const

let ours: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  student = ours.as.STUDENT
})

/** Texts of the sample questions that reveal the key, and names of fields that would. */
const KEY_TEXTS = ['1991', 'Тарас', '3.14', 'стогне', 'широкий', 'Серце', 'fraction', 'correct', 'choiceId', 'accepted']

describe('the page of an attempt', () => {
  test('shows every type and contains no key', async () => {
    const { quizId } = await offerQuiz(ours, QUESTION_TYPES)
    await startAttempt(student, { quizId })
    const view = await getAttemptPage(student, { quizId, page: null }, words)
    expect(view?.questions.map(({ type }) => type)).toEqual(QUESTION_TYPES)
    const page = JSON.stringify(view)
    for (const text of KEY_TEXTS) expect(page, text).not.toContain(text)
    expect(page).toContain('Столиця України?')
  })

  test('has fields for the gaps of a stem, with the typed text escaped', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['gapText'])
    const { attemptId } = await startAttempt(student, { quizId })
    const [questionId = ''] = questionIds
    const value = { type: 'gapText' as const, gaps: { g1: '"><script>' } }
    await saveAnswer(student, { attemptId, questionId, revision: 1, value })
    const view = await getAttemptPage(student, { quizId, page: null }, words)
    const stem = view?.questions[0]?.stem ?? ''
    expect(stem.match(/<input /g)).toHaveLength(2)
    expect(stem).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(view?.answeredCount).toBe(1)
  })

  test('shows the pages of the test, and none without a running attempt', async () => {
    const { quizId } = await offerQuiz(ours, ['single', 'trueFalse', 'number'], { perPage: 2 })
    expect(await getAttemptPage(student, { quizId, page: null }, words)).toBeNull()
    await startAttempt(student, { quizId })
    const second = await getAttemptPage(student, { quizId, page: 1 }, words)
    expect(second).toMatchObject({ page: 1, pages: 2, questions: [{ type: 'number', number: 3 }] })
    expect(await getAttemptPage(student, { quizId, page: 99 }, words)).toMatchObject({ page: 1 })
  })

  test('is not found in another tenant and forbidden to staff', async () => {
    const { quizId } = await offerQuiz(ours, ['single'])
    const other = await createOtherTenant()
    const open = (actor: Actor) => getAttemptPage(actor, { quizId, page: null }, words)
    await expect(open(other.as.STUDENT)).rejects.toMatchObject({ code: 'not_found' })
    await expect(open(ours.as.OWNER)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(getQuizStart(other.as.STUDENT, { quizId })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the result', () => {
  async function finished(settings: Parameters<typeof offerQuiz>[2]) {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'], settings)
    const { attemptId } = await startAttempt(student, { quizId })
    await saveAnswer(student, { attemptId, questionId: questionIds[0] ?? '', revision: 1, value: KEYS.single })
    await submitAttempt(student, { attemptId })
    return quizId
  }
  const resultOf = (quizId: string) => getQuizResult(student, { quizId, attemptId: null }, words)

  test('shows what the settings allow after the attempt', async () => {
    const quizId = await finished({})
    const result = await resultOf(quizId)
    expect(result.attempt).toMatchObject({ score: 1, maxScore: 1, passed: true, isOpen: true })
    expect(result.questions).toMatchObject([{ score: 1, isCorrect: true, key: null }])
    expect(result.questions[0]?.answer).toContain('Київ')
    expect(JSON.stringify(result.questions)).toContain('1991')
  })

  test('shows neither score nor answers before the test has closed, and never where it is set so', async () => {
    const quizId = await finished({ feedback: 'afterClose', closeAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await resultOf(quizId)).toMatchObject({
      attempt: { score: null, passed: null, isOpen: false },
      questions: [],
    })
    await changeSettings(ours.as.OWNER, quizId, { closeAt: new Date(Date.now() - 1000).toISOString() })
    expect(await resultOf(quizId)).toMatchObject({ attempt: { score: 1, isOpen: true } })
    await changeSettings(ours.as.OWNER, quizId, { feedback: 'never' })
    expect(await resultOf(quizId)).toMatchObject({ attempt: { score: null }, questions: [] })
  })

  test('of another attempt is not found', async () => {
    const quizId = await finished({})
    const other = await finished({})
    const foreign = (await resultOf(other)).attempt?.id ?? ''
    await expect(getQuizResult(student, { quizId, attemptId: foreign }, words)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
