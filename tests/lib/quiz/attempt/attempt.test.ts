import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { sweepDeadlines } from '#lib/quiz/attempt/deadline-sweep.ts'
import { grantTime } from '#lib/quiz/attempt/grant-time.ts'
import { reachPage } from '#lib/quiz/attempt/save-answer.ts'
import { quizAnswer, quizAttempt } from '#lib/quiz/attempt/table.ts'
import { unpublishQuiz } from '#lib/quiz/quiz.ts'
import { requestApi } from '../../../api/api-request.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { saveAnswer, shownAnswer } from '../../../setup/quiz/attempts.ts'
import { setOverride, startAttempt, updateQuestion } from '../../../setup/quiz/parsed.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'
import { changeSettings, offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  student = ours.as.STUDENT
})

const rowsOf = (attemptId: string) =>
  inTenant(student, async (tx) => {
    const attempts = await tx.select().from(quizAttempt)
    const answers = await tx.select().from(quizAnswer)
    return {
      attempt: attempts.find(({ id }) => id === attemptId),
      answers: answers.filter((row) => row.attemptId === attemptId),
    }
  })
const keyed = (key: string) => ({ code: 'unprocessable', details: { fields: { form: [key] } } })
const later = (seconds: number) => new Date(Date.now() + seconds * 1000)
const first = (ids: string[]) => ids[0] ?? ''

describe('an attempt', () => {
  test('with the key of every type that is scored gets the full score', async () => {
    const types = QUESTION_TYPES.filter((type) => type !== 'essay' && type !== 'fileUpload')
    const { quizId, questionIds } = await offerQuiz(ours, types)
    const { attemptId } = await startAttempt(student, { quizId })
    for (const [index, type] of types.entries())
      await saveAnswer(student, { attemptId, questionId: questionIds[index] ?? '', revision: 1, value: KEYS[type] })
    expect(await submitAttempt(student, { attemptId })).toMatchObject({ state: 'graded' })
    const { attempt } = await rowsOf(attemptId)
    expect(attempt?.score).toBe(attempt?.maxScore)
    expect(attempt?.maxScore).toBe(types.reduce((sum, type) => sum + sampleQuestion(type).points, 0))
    expect(attempt?.passed).toBe(true)
  })

  test('with an essay waits for its review', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['essay'])
    const { attemptId } = await startAttempt(student, { quizId })
    await saveAnswer(student, { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.essay })
    expect(await submitAttempt(student, { attemptId })).toMatchObject({ state: 'needsReview' })
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ score: null, passed: null })
  })

  test('started many times at once is one attempt', async () => {
    const { quizId } = await offerQuiz(ours, ['single'])
    const started = await Promise.all(Array.from({ length: 6 }, () => startAttempt(student, { quizId })))
    expect(new Set(started.map(({ attemptId }) => attemptId)).size).toBe(1)
    expect(started.filter(({ resumed }) => !resumed)).toHaveLength(1)
  })

  test('keeps its questions when they are edited in the meantime', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['trueFalse'])
    const { attemptId } = await startAttempt(student, { quizId })
    const questionId = first(questionIds)
    await updateQuestion(ours.as.OWNER, {
      questionId,
      revision: 1,
      content: { ...sampleQuestion('trueFalse'), correct: false },
    })
    await saveAnswer(student, { attemptId, questionId, revision: 1, value: { type: 'trueFalse', value: true } })
    await submitAttempt(student, { attemptId })
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ score: 1 })
  })

  test('submitted twice is scored once, and accepts no further answer', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'])
    const { attemptId } = await startAttempt(student, { quizId })
    const save = { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single }
    await saveAnswer(student, save)
    const [submitted, repeated] = await Promise.all([
      submitAttempt(student, { attemptId }),
      submitAttempt(student, { attemptId }),
    ])
    expect(repeated).toEqual(submitted)
    await expect(saveAnswer(student, { ...save, revision: 2, value: WRONG.single })).rejects.toMatchObject(
      keyed('attempt_finished'),
    )
    expect((await rowsOf(attemptId)).answers).toMatchObject([{ value: KEYS.single, revision: 1, score: 1 }])
  })

  test('continues when the test is withdrawn', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'])
    const { attemptId } = await startAttempt(student, { quizId })
    await unpublishQuiz(ours.as.OWNER, { quizId })
    await saveAnswer(student, { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single })
    expect(await submitAttempt(student, { attemptId })).toMatchObject({ state: 'graded' })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('does not start for staff, other students and other tenants', async () => {
    const { quizId } = await offerQuiz(ours, ['single'])
    await expect(startAttempt(ours.as.OWNER, { quizId })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(startAttempt(other.as.STUDENT, { quizId })).rejects.toMatchObject({ code: 'not_found' })
    const stranger = await addTestMember(ours, 'STUDENT', 'stranger@elsewhere.test')
    await expect(startAttempt(stranger, { quizId })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an answer', () => {
  test('of an older revision is refused with the saved one; the same save is acknowledged again', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'])
    const { attemptId } = await startAttempt(student, { quizId })
    const questionId = first(questionIds)
    const save = { attemptId, questionId, revision: 5, value: KEYS.single }
    const saved = await saveAnswer(student, save)
    expect(await saveAnswer(student, save)).toEqual(saved)
    for (const revision of [4, 5])
      await expect(saveAnswer(student, { ...save, revision, value: WRONG.single })).rejects.toMatchObject({
        code: 'conflict',
        details: { data: { revision: 5, value: await shownAnswer(student, save, KEYS.single) } },
      })
    expect((await rowsOf(attemptId)).answers).toMatchObject([{ value: KEYS.single, revision: 5 }])
    await saveAnswer(student, { ...save, revision: 6, value: null })
    expect((await rowsOf(attemptId)).answers).toMatchObject([{ value: null, revision: 6 }])
  })

  test('of a wrong type, another question, another student or with forged fields changes nothing', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'])
    const { questionIds: foreign } = await offerQuiz(ours, ['single'])
    const { attemptId } = await startAttempt(student, { quizId })
    const save = { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single }
    await saveAnswer(student, save)
    const next = { ...save, revision: 2 }
    await expect(saveAnswer(student, { ...next, value: KEYS.number })).rejects.toMatchObject(keyed('answer_type'))
    await expect(saveAnswer(student, { ...next, value: { type: 'single', optionId: 'zzz' } })).rejects.toMatchObject(
      keyed('answer_type'),
    )
    await expect(saveAnswer(student, { ...next, questionId: first(foreign) })).rejects.toMatchObject({
      code: 'not_found',
    })
    const classmate = await addTestMember(ours, 'STUDENT', 'classmate@elsewhere.test')
    for (const actor of [classmate, other.as.STUDENT]) {
      await expect(saveAnswer(actor, next)).rejects.toMatchObject({ code: 'not_found' })
      await expect(getAttempt(actor, { attemptId })).rejects.toMatchObject({ code: 'not_found' })
    }
    const forged = { ...next, score: 100, savedAt: '2020-01-01T00:00:00.000Z' }
    expect(await requestApi('POST', 'quiz/saveAnswer', { actor: student, body: forged })).toMatchObject({
      status: 400,
    })
    expect((await rowsOf(attemptId)).answers).toMatchObject([{ value: KEYS.single, revision: 1 }])
  })

  test('is accepted until the network grace after the deadline, and refused afterwards', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'], { timeLimitSec: 60, networkGraceSec: 15 })
    const { attemptId } = await startAttempt(student, { quizId })
    const save = { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single }
    await saveAnswer(student, save, later(74))
    await expect(saveAnswer(student, { ...save, revision: 2, value: WRONG.single }, later(76))).rejects.toMatchObject(
      keyed('attempt_over'),
    )
    expect((await rowsOf(attemptId)).answers).toMatchObject([{ value: KEYS.single }])
  })

  test('of a closed page is refused with forward navigation', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single', 'trueFalse'], {
      perPage: 1,
      navigation: 'forward',
    })
    const { attemptId } = await startAttempt(student, { quizId })
    const save = { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single }
    await saveAnswer(student, save)
    expect(await reachPage(student, { attemptId, page: 1 })).toEqual({ page: 1 })
    expect(await reachPage(student, { attemptId, page: 0 })).toEqual({ page: 1 })
    await expect(saveAnswer(student, { ...save, revision: 2 })).rejects.toMatchObject(keyed('answer_page'))
  })
})

describe('at the deadline', () => {
  test('saved answers are submitted by the job, once', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, ['single'], { timeLimitSec: 60 })
    const { attemptId, deadlineAt } = await startAttempt(student, { quizId })
    await saveAnswer(student, { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single })
    await sweepDeadlines(later(70))
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ state: 'inProgress' })
    await Promise.all([sweepDeadlines(later(90)), sweepDeadlines(later(90))])
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ state: 'graded', score: 1, submittedAt: deadlineAt })
    expect(await submitAttempt(student, { attemptId }, later(100))).toMatchObject({ submittedAt: deadlineAt })
  })

  test('an attempt that cannot be ended stops no other', async () => {
    const [first, second] = [
      await offerQuiz(ours, ['single'], { timeLimitSec: 60 }),
      await offerQuiz(ours, ['single'], { timeLimitSec: 60 }),
    ]
    const { attemptId: bad } = await startAttempt(student, { quizId: first.quizId })
    const { attemptId: good } = await startAttempt(student, { quizId: second.quizId })
    await whileRowsFail({ table: 'quiz_attempt', column: 'id', value: bad }, async () => {
      await expect(sweepDeadlines(later(300))).rejects.toThrow('items failed')
    })
    const states = async () => [(await rowsOf(bad)).attempt?.state, (await rowsOf(good)).attempt?.state]
    expect(await states()).toEqual(['inProgress', 'graded'])
    await sweepDeadlines(later(300))
    expect(await states()).toEqual(['graded', 'graded'])
  })

  test('a grace period allows the submission without changes', async () => {
    const settings = { timeLimitSec: 60, onExpiry: 'graceSubmit' as const, graceSec: 120, networkGraceSec: 0 }
    const { quizId, questionIds } = await offerQuiz(ours, ['single'], settings)
    const { attemptId } = await startAttempt(student, { quizId })
    const save = { attemptId, questionId: first(questionIds), revision: 1, value: KEYS.single }
    await saveAnswer(student, save)
    await sweepDeadlines(later(100))
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ state: 'overdue' })
    await expect(saveAnswer(student, { ...save, revision: 2 }, later(100))).rejects.toMatchObject(
      keyed('attempt_finished'),
    )
    expect(await submitAttempt(student, { attemptId }, later(110))).toMatchObject({ state: 'graded' })
  })

  test('nothing is submitted where the test discards it', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { timeLimitSec: 60, onExpiry: 'discard' })
    const { attemptId } = await startAttempt(student, { quizId })
    expect(await submitAttempt(student, { attemptId }, later(200))).toMatchObject({ state: 'abandoned' })
    expect((await rowsOf(attemptId)).attempt).toMatchObject({ score: null, passed: null })
  })

  test('a new attempt can start although no job has run', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { timeLimitSec: 60 })
    const { attemptId } = await startAttempt(student, { quizId })
    const next = await startAttempt(student, { quizId }, later(300))
    expect(next).toMatchObject({ number: 2, resumed: false })
    expect((await rowsOf(attemptId)).attempt?.state).toBe('graded')
  })
})

describe('a test', () => {
  test('allows its attempts, and more by an exception', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { attempts: 1 })
    await submitAttempt(student, { attemptId: (await startAttempt(student, { quizId })).attemptId })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject(keyed('quiz_no_attempts'))
    await setOverride(ours.as.OWNER, { quizId, studentId: student.membershipId, extraAttempts: 1, extraTimeSec: 60 })
    expect(await startAttempt(student, { quizId })).toMatchObject({ number: 2 })
  })

  test('opens, closes and requires its password', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { openAt: later(3600).toISOString(), password: 'мак' })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject(keyed('quiz_not_open'))
    const openAt = new Date(Date.now() - 7_200_000).toISOString()
    await changeSettings(ours.as.OWNER, quizId, { openAt, closeAt: later(-60).toISOString() })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject(keyed('quiz_closed'))
    await changeSettings(ours.as.OWNER, quizId, { closeAt: later(600).toISOString() })
    await expect(startAttempt(student, { quizId, password: 'рис' })).rejects.toMatchObject({
      details: { fields: { password: ['quiz_password'] } },
    })
    const { deadlineAt } = await startAttempt(student, { quizId, password: 'мак' })
    expect(deadlineAt?.getTime()).toBeLessThanOrEqual(later(601).getTime())
  })

  test('locks after five guesses of its password, also simultaneous ones', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { password: 'мак' })
    const guess = (word: string) => startAttempt(student, { quizId, password: word })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => guess(`слово ${n}`)))
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'started'))
    expect(codes.filter((code) => code === 'unprocessable')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too_many')).toHaveLength(7)
    await expect(guess('мак')).rejects.toMatchObject({ code: 'too_many' })
  })

  test('makes students wait between attempts', async () => {
    const { quizId } = await offerQuiz(ours, ['single'], { delayMinutes: 30 })
    await submitAttempt(student, { attemptId: (await startAttempt(student, { quizId })).attemptId })
    await expect(startAttempt(student, { quizId }, later(29 * 60))).rejects.toMatchObject(keyed('quiz_delay'))
    expect(await startAttempt(student, { quizId }, later(31 * 60))).toMatchObject({ number: 2 })
  })
})

test('time is added within the cap, by reviewers only', async () => {
  const { quizId } = await offerQuiz(ours, ['single'], { timeLimitSec: 60 })
  const { attemptId, deadlineAt } = await startAttempt(student, { quizId })
  const grant = { attemptId, seconds: 1200, note: 'Не було світла' }
  expect(await grantTime(ours.as.OWNER, grant)).toEqual({
    deadlineAt: new Date((deadlineAt?.getTime() ?? 0) + 1_200_000),
  })
  await expect(grantTime(ours.as.OWNER, grant)).rejects.toMatchObject({
    details: { fields: { seconds: ['outage_cap'] } },
  })
  await expect(grantTime(ours.as.CURATOR, grant)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(grantTime(other.as.OWNER, grant)).rejects.toMatchObject({ code: 'not_found' })
  const unlimited = await offerQuiz(ours, ['single'])
  const started = await startAttempt(student, { quizId: unlimited.quizId, attemptId: newId() })
  await expect(grantTime(ours.as.OWNER, { ...grant, attemptId: started.attemptId })).rejects.toMatchObject(
    keyed('attempt_unlimited'),
  )
})
