import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { changeQuestions } from '#lib/quiz/bank/bank.ts'
import { removeOverride } from '#lib/quiz/overrides.ts'
import { createQuiz, deleteQuiz, getQuiz, publishQuiz, restoreQuiz } from '#lib/quiz/quiz.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { listQuizzes, setOverride, setSections, updateQuiz } from '../../setup/quiz/parsed.ts'
import { addQuestion, addQuiz } from '../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let courseId: string
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  courseId = (await createCourse(ours.as.OWNER, { title: 'Курс' })).courseId
})

describe('a test', () => {
  test('created twice exists once, and is changed on its revision only', async () => {
    const quizId = newId()
    await createQuiz(ours.as.EXPERT, { quizId, courseId, title: 'Вступ' })
    await createQuiz(ours.as.EXPERT, { quizId, courseId, title: 'Вступ' })
    const change = { quizId, revision: 1, settings: { attempts: 2, timeLimitSec: 600 } }
    expect(await updateQuiz(ours.as.EXPERT, change)).toEqual({ revision: 2 })
    await expect(updateQuiz(ours.as.EXPERT, change)).rejects.toMatchObject({ code: 'conflict' })
    expect(await getQuiz(ours.as.CURATOR, { quizId })).toMatchObject({
      title: 'Вступ',
      courseTitle: 'Курс',
      attempts: 2,
      timeLimitSec: 600,
      passPercent: 60,
      status: 'draft',
      issues: [{ key: 'noQuestions' }],
    })
  })

  test('does not close before it opens', async () => {
    const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
    const openAt = '2031-01-02T00:00:00.000Z'
    await updateQuiz(ours.as.OWNER, { quizId, revision: 2, settings: { openAt } })
    await expect(
      updateQuiz(ours.as.OWNER, { quizId, revision: 3, settings: { closeAt: '2031-01-01T00:00:00.000Z' } }),
    ).rejects.toMatchObject({ code: 'unprocessable', details: { fields: { closeAt: ['end_before_start'] } } })
  })

  test('is not published while it has issues', async () => {
    const { quizId, questionIds } = await addQuiz(ours.as.OWNER, courseId, ['single', 'number'])
    await changeQuestions(ours.as.OWNER, { action: 'delete', questionIds: questionIds.slice(0, 1) })
    await expect(publishQuiz(ours.as.OWNER, { quizId })).rejects.toMatchObject({
      code: 'not_ready',
      details: { data: { issues: [{ key: 'deletedQuestion', questionId: questionIds[0] }] } },
    })
    await changeQuestions(ours.as.OWNER, { action: 'restore', questionIds })
    await publishQuiz(ours.as.OWNER, { quizId })
    await publishQuiz(ours.as.OWNER, { quizId })
    expect((await getQuiz(ours.as.OWNER, { quizId })).status).toBe('published')
  })

  test('counts the pool of its random sections without the questions that it contains', async () => {
    const { as } = await createTestTenant()
    const quizId = newId()
    await createQuiz(as.OWNER, { quizId, courseId: null, title: 'Випадковий' })
    const easy = [
      await addQuestion(as.OWNER, 'single', { tags: ['а'], difficulty: 1 }),
      await addQuestion(as.OWNER, 'number', { tags: ['а', 'б'], difficulty: 1 }),
      await addQuestion(as.OWNER, 'scale', { tags: ['а'], difficulty: 1 }),
    ]
    await addQuestion(as.OWNER, 'single', { tags: ['а'], difficulty: 3 })
    const random = { pick: 'random' as const, tags: ['а'], difficulty: 1, count: 2 }
    const fixed = {
      id: newId(),
      pick: 'fixed' as const,
      questions: easy.slice(0, 1).map((questionId) => ({ questionId })),
    }
    const first = await setSections(as.OWNER, { quizId, revision: 1, sections: [fixed, { id: newId(), ...random }] })
    expect(first.issues).toEqual([])
    const secondId = newId()
    const second = await setSections(as.OWNER, {
      quizId,
      revision: 2,
      sections: [fixed, { id: newId(), ...random }, { id: secondId, ...random }],
    })
    expect(second.issues).toEqual([
      { key: 'randomPoolTooSmall', sectionId: secondId, questionId: null, available: 2, needed: 4 },
    ])
  })

  test('refuses a question that occurs twice, and questions of another tenant', async () => {
    const { quizId, questionIds } = await addQuiz(ours.as.OWNER, courseId, ['single'])
    const [questionId = ''] = questionIds
    const twice = { id: newId(), pick: 'fixed' as const, questions: [{ questionId }, { questionId }] }
    await expect(setSections(ours.as.OWNER, { quizId, revision: 2, sections: [twice] })).rejects.toMatchObject({
      code: 'unprocessable',
    })
    const foreign = {
      id: newId(),
      pick: 'fixed' as const,
      questions: [{ questionId: await addQuestion(other.as.OWNER, 'single') }],
    }
    await expect(setSections(ours.as.OWNER, { quizId, revision: 2, sections: [foreign] })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await getQuiz(ours.as.OWNER, { quizId })).sections).toMatchObject([{ questions: [{ questionId }] }])
  })

  test('of another tenant is not found', async () => {
    const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
    const missing = { code: 'not_found' }
    await expect(getQuiz(other.as.OWNER, { quizId })).rejects.toMatchObject(missing)
    await expect(publishQuiz(other.as.OWNER, { quizId })).rejects.toMatchObject(missing)
    await expect(deleteQuiz(other.as.OWNER, { quizId })).rejects.toMatchObject(missing)
    await expect(createQuiz(other.as.OWNER, { quizId: newId(), courseId, title: 'Т' })).rejects.toMatchObject(missing)
    expect((await listQuizzes(other.as.OWNER, {})).items).toEqual([])
  })

  test('is deleted and restored', async () => {
    const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
    await deleteQuiz(ours.as.OWNER, { quizId })
    await expect(getQuiz(ours.as.OWNER, { quizId })).rejects.toMatchObject({ code: 'not_found' })
    await restoreQuiz(ours.as.OWNER, { quizId })
    expect((await getQuiz(ours.as.OWNER, { quizId })).sections).toHaveLength(1)
  })
})

test('an exception belongs to a student or group and replaces an earlier one', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  const studentId = ours.as.STUDENT.membershipId
  await setOverride(ours.as.OWNER, { quizId, studentId, extraAttempts: 1 })
  const { overrideId } = await setOverride(ours.as.OWNER, { quizId, studentId, extraTimeSec: 300 })
  expect((await getQuiz(ours.as.OWNER, { quizId })).overrides).toMatchObject([
    { id: overrideId, studentId, extraAttempts: 0, extraTimeSec: 300 },
  ])
  await expect(setOverride(ours.as.OWNER, { quizId, studentId: other.as.STUDENT.membershipId })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(setOverride(ours.as.CURATOR, { quizId, studentId })).rejects.toMatchObject({ code: 'forbidden' })
  await removeOverride(ours.as.OWNER, { quizId, overrideId })
  await removeOverride(ours.as.OWNER, { quizId, overrideId })
  expect((await getQuiz(ours.as.OWNER, { quizId })).overrides).toEqual([])
})
