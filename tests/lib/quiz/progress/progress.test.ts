import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkStudents } from '#lib/certificate/issue/check.ts'
import { listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { saveRule } from '#lib/certificate/rule/rule.ts'
import { RuleText } from '#lib/certificate/rule/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { explainAccess } from '#lib/course/access/explain-access.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { lessonProgress } from '#lib/course/learning/table.ts'
import { listContentIssues } from '#lib/course/lesson/content-issues.ts'
import { publishLesson } from '#lib/course/lesson/lesson.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { setStaff } from '#lib/course/staff.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getQuizStart } from '#lib/quiz/attempt/view.ts'
import { listLessonTests, listOwnLessonTests } from '#lib/quiz/progress/lesson-tests.ts'
import { listTestStatistics } from '#lib/quiz/progress/statistics.ts'
import { checkTests } from '#lib/quiz/progress/update-progress.ts'
import { deleteQuiz, publishQuiz, restoreQuiz, setQuizHidden } from '#lib/quiz/quiz.ts'
import { loadSections } from '#lib/quiz/sections.ts'
import { createCertifiedCourse } from '../../../setup/course/earned-certificate.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { saveAnswer } from '../../../setup/quiz/attempts.ts'
import { addTestedLesson, takeTest } from '../../../setup/quiz/lessons.ts'
import { startAttempt } from '../../../setup/quiz/parsed.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { addQuiz, changeSettings } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const run = { signal: new AbortController().signal }

let ours: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  owner = ours.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
})

let count = 0
async function newStudent(): Promise<Actor> {
  count += 1
  const student = await addTestMember(ours, 'STUDENT', `tested-${count}@school.test`)
  await grantAccess(owner, { courseId, studentId: student.membershipId })
  return student
}

const check = () => checkTests({ tenantId: ours.tenant.id, courseId }, run)

async function take(student: Actor, quizId: string, isRight: boolean): Promise<void> {
  const { sections } = await inTenant(owner, (tx) => loadSections(tx, quizId))
  await takeTest(student, quizId, sections[0]?.questions[0]?.questionId ?? '', isRight)
}

async function progressOf(student: Actor, lessonId: string) {
  const [row] = await inTenant(owner, (tx) =>
    tx
      .select({ completedAt: lessonProgress.completedAt, testPassedAt: lessonProgress.testPassedAt })
      .from(lessonProgress)
      .where(and(eq(lessonProgress.lessonId, lessonId), eq(lessonProgress.studentId, student.membershipId))),
  )
  return row ?? { completedAt: null, testPassedAt: null }
}

const isOpen = async (student: Actor, lessonId: string) => (await openLesson(student, { lessonId })).access.allow

describe('a test in a lesson', () => {
  test('completes the lesson and opens the next one once it is passed, not before', async () => {
    const student = await newStudent()
    const { quizIds, lessonId, nextId } = await addTestedLesson(owner, courseId)
    const [quizId = ''] = quizIds
    expect(await isOpen(student, nextId)).toBe(false)
    await expect(completeLesson(student, { lessonId })).rejects.toMatchObject({ code: 'unprocessable' })
    await take(student, quizId, false)
    expect(await progressOf(student, lessonId)).toEqual({ completedAt: null, testPassedAt: null })
    expect(await isOpen(student, nextId)).toBe(false)
    await take(student, quizId, true)
    const passed = await progressOf(student, lessonId)
    expect(passed).toEqual({ completedAt: expect.any(Date), testPassedAt: expect.any(Date) })
    expect(await isOpen(student, nextId)).toBe(true)
    // Another attempt, also a failed one, does not change the best one.
    await take(student, quizId, false)
    expect(await progressOf(student, lessonId)).toEqual(passed)
  })

  test('submitted twice completes the lesson once', async () => {
    const student = await newStudent()
    const { quizIds, lessonId } = await addTestedLesson(owner, courseId)
    const [quizId = ''] = quizIds
    const { sections } = await inTenant(owner, (tx) => loadSections(tx, quizId))
    const questionId = sections[0]?.questions[0]?.questionId ?? ''
    const { attemptId } = await startAttempt(student, { quizId })
    await saveAnswer(student, { attemptId, questionId, revision: 1, value: KEYS.trueFalse })
    await Promise.all([submitAttempt(student, { attemptId }), submitAttempt(student, { attemptId })])
    const { completedAt } = await progressOf(student, lessonId)
    await submitAttempt(student, { attemptId })
    expect((await progressOf(student, lessonId)).completedAt).toEqual(completedAt)
    expect(completedAt).not.toBeNull()
  })

  test('is one of several that must all be passed, also when two are submitted at once', async () => {
    const student = await newStudent()
    const { quizIds, lessonId } = await addTestedLesson(owner, courseId, { tests: 2 })
    const [first = '', second = ''] = quizIds
    await take(student, first, true)
    expect((await progressOf(student, lessonId)).completedAt).toBeNull()
    await take(student, second, true)
    expect((await progressOf(student, lessonId)).completedAt).not.toBeNull()
    const hasty = await newStudent()
    await Promise.all([take(hasty, first, true), take(hasty, second, true)])
    expect((await progressOf(hasty, lessonId)).completedAt).not.toBeNull()
  })

  test('whose last attempt counts is not passed any more after a worse attempt', async () => {
    const student = await newStudent()
    const { quizIds, lessonId, nextId } = await addTestedLesson(owner, courseId, { settings: { gradeOf: 'last' } })
    const [quizId = ''] = quizIds
    await take(student, quizId, true)
    expect(await isOpen(student, nextId)).toBe(true)
    await take(student, quizId, false)
    expect(await progressOf(student, lessonId)).toEqual({ completedAt: null, testPassedAt: null })
    expect(await isOpen(student, nextId)).toBe(false)
  })

  test('cannot be taken while its lesson is closed, and submitted attempts stay visible', async () => {
    const student = await newStudent()
    const { quizIds, nextId } = await addTestedLesson(owner, courseId)
    const { quizId, questionIds } = await addQuiz(owner, courseId, ['trueFalse'])
    await publishQuiz(owner, { quizId })
    const test = { type: 'test', attrs: { testId: quizId } }
    await saveLesson(owner, { lessonId: nextId, version: 1, change: { at: 1, remove: 0, insert: [test] } })
    await publishLesson(owner, { lessonId: nextId })
    const closed = { code: 'forbidden', details: { data: { reason: 'after_lesson' } } }
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject(closed)
    await take(student, quizIds[0] ?? '', true)
    await takeTest(student, quizId, questionIds[0] ?? '', true)
    const change = { availability: { mode: 'manual' } } as const
    await changeLessons(owner, { courseId, lessonIds: [nextId], change })
    await expect(startAttempt(student, { quizId })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await getQuizStart(student, { quizId })).toMatchObject({ attempts: [{ passed: true }] })
  })

  test('is shown with its state and score as far as its settings show them', async () => {
    const student = await newStudent()
    const { quizIds, lessonId } = await addTestedLesson(owner, courseId)
    const [quizId = ''] = quizIds
    const shown = () => listOwnLessonTests(student, { lessonId })
    expect(await shown()).toMatchObject([{ id: quizId, title: 'Тест', progress: 'notStarted', percent: null }])
    await startAttempt(student, { quizId })
    expect(await shown()).toMatchObject([{ progress: 'running', isOpen: true }])
    await take(student, quizId, true)
    expect(await shown()).toMatchObject([{ progress: 'passed', percent: 100, passPercent: 60 }])
    await changeSettings(owner, quizId, { feedback: 'never' })
    expect(await shown()).toMatchObject([{ progress: 'submitted', percent: null }])
  })

  test('is not shown to students of another tenant or without access', async () => {
    const { lessonId } = await addTestedLesson(owner, courseId)
    expect(await listOwnLessonTests(other.as.STUDENT, { lessonId })).toEqual([])
    expect(await listOwnLessonTests(ours.as.STUDENT, { lessonId })).toEqual([])
    await expect(listOwnLessonTests(owner, { lessonId })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a test that is deleted or hidden', () => {
  test('is not required: students who have passed the others have completed the lesson, the rest have not', async () => {
    const [student, late] = [await newStudent(), await newStudent()]
    const { quizIds, lessonId, nextId } = await addTestedLesson(owner, courseId, { tests: 2 })
    const [first = '', second = ''] = quizIds
    await take(student, first, true)
    await take(late, first, false)
    expect(await isOpen(student, nextId)).toBe(false)
    await deleteQuiz(owner, { quizId: second })
    await check()
    const after = await progressOf(student, lessonId)
    expect(after.completedAt).not.toBeNull()
    expect(await isOpen(student, nextId)).toBe(true)
    expect((await progressOf(late, lessonId)).completedAt).toBeNull()
    await check()
    expect(await progressOf(student, lessonId)).toEqual(after)
    // A passed lesson stays passed when the test is restored.
    await restoreQuiz(owner, { quizId: second })
    await check()
    expect(await progressOf(student, lessonId)).toEqual(after)
  })

  test('lets students complete the lesson manually when it contains no other one', async () => {
    const student = await newStudent()
    const { quizIds, lessonId, nextId } = await addTestedLesson(owner, courseId)
    const [quizId = ''] = quizIds
    await setQuizHidden(owner, { quizId, hidden: true })
    await check()
    expect((await progressOf(student, lessonId)).completedAt).toBeNull()
    await completeLesson(student, { lessonId })
    expect(await isOpen(student, nextId)).toBe(true)
  })

  test('is reported by the check of the course', async () => {
    const { quizIds, lessonId } = await addTestedLesson(owner, courseId)
    const [quizId = ''] = quizIds
    const issues = async () =>
      (await listContentIssues(owner, { courseId })).filter((issue) => issue.lessonId === lessonId)
    expect(await issues()).toEqual([])
    await setQuizHidden(owner, { quizId, hidden: true })
    expect(await issues()).toMatchObject([{ emptyTestCount: 0, unavailableTestCount: 1 }])
    await setQuizHidden(owner, { quizId, hidden: false })
    await deleteQuiz(owner, { quizId })
    expect(await issues()).toMatchObject([{ unavailableTestCount: 1 }])
  })
})

describe('staff', () => {
  test('see which test keeps a lesson closed, and the required score', async () => {
    const student = await newStudent()
    const { quizIds, lessonId, nextId } = await addTestedLesson(owner, courseId, { settings: { passPercent: 80 } })
    await take(student, quizIds[0] ?? '', false)
    const studentId = student.membershipId
    const { access } = await explainAccess(owner, { courseId, studentId, lessonId: nextId })
    expect(access.after).toMatchObject({ lessonId, require: 'testPassed' })
    const input = { courseId, lessonId, studentId }
    const found = [{ title: 'Тест', passPercent: 80, percent: 0, progress: 'failed', completesLesson: true }]
    expect(await listLessonTests(owner, input)).toMatchObject(found)
    await expect(listLessonTests(ours.as.CURATOR, input)).rejects.toMatchObject({ code: 'forbidden' })
    await setStaff(owner, { courseId, staff: [{ memberId: ours.as.CURATOR.membershipId, role: 'curator' }] })
    expect(await listLessonTests(ours.as.CURATOR, input)).toMatchObject(found)
    expect(await listLessonTests(other.as.OWNER, input)).toEqual([])
    await expect(listLessonTests(student, input)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('see in the statistics who started and passed a test by its grading method', async () => {
    const { quizIds } = await addTestedLesson(owner, courseId, { settings: { gradeOf: 'last', title: 'Статистика' } })
    const [quizId = ''] = quizIds
    const [steady, fallen] = [await newStudent(), await newStudent()]
    await take(steady, quizId, true)
    await take(fallen, quizId, true)
    await take(fallen, quizId, false)
    const rows = await listTestStatistics(owner, { courseId })
    expect(rows.find(({ id }) => id === quizId)).toEqual({
      id: quizId,
      title: 'Статистика',
      started: 2,
      graded: 2,
      passed: 1,
      percent: 50,
      waiting: 0,
    })
    expect(await listTestStatistics(other.as.OWNER, { courseId })).toEqual([])
  })
})

test('a test that is in no lesson earns the certificate that requires it', async () => {
  const { OWNER, STUDENT } = other.as
  const certified = await createCertifiedCourse(OWNER)
  const { quizId, questionIds } = await addQuiz(OWNER, certified.courseId, ['trueFalse'])
  await publishQuiz(OWNER, { quizId })
  const rule = { minCompletion: 50, testId: quizId, templateId: certified.templateId }
  await saveRule(OWNER, { ...RuleText.parse(rule), courseId: certified.courseId, version: 1 })
  await grantAccess(OWNER, { courseId: certified.courseId, studentId: STUDENT.membershipId })
  await completeLesson(STUDENT, { lessonId: certified.lessonIds[0] ?? '' })
  const soon = () => checkStudents(new Date(Date.now() + 1000))
  await takeTest(STUDENT, quizId, questionIds[0] ?? '', false)
  await soon()
  expect(await listOwnCertificates(STUDENT)).toEqual([])
  await takeTest(STUDENT, quizId, questionIds[0] ?? '', true)
  await soon()
  expect(await listOwnCertificates(STUDENT)).toMatchObject([{ state: 'pending' }])
})
