import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getQuizResult } from '#lib/quiz/attempt/result.ts'
import { quizAnswer, quizAttempt, quizAttemptEvent } from '#lib/quiz/attempt/table.ts'
import { getAttemptReview } from '#lib/quiz/review/attempt-review.ts'
import { sendResultEmail } from '#lib/quiz/review/result-email.ts'
import { finishAttemptReview, saveAttemptReview } from '#lib/quiz/review/review.ts'
import type { AttemptReviewDraft } from '#lib/quiz/review/schema.ts'
import { quizReview } from '#lib/quiz/review/table.ts'
import { putOnCourse } from '../../../setup/course/works.ts'
import { submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS, WRONG } from '../../../setup/quiz/questions.ts'
import { changeSettings, offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const
const keyed = (key: string) => ({ code: 'unprocessable', details: { fields: { form: [key] } } })

let ours: TestTenant
let other: TestTenant
let student: Actor
let expert: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  student = ours.as.STUDENT
  expert = ours.as.EXPERT
  const { courseId } = await offerQuiz(ours, ['single'])
  await putOnCourse(ours.as.CURATOR, courseId)
})

interface Work {
  quizId: string
  questionIds: string[]
  attemptId: string
  single: string
  essay: string
}
let work: Work
/** A single choice with 1 point that is answered wrongly, and an essay with 5 points. */
beforeEach(async () => {
  const place = await offerQuiz(ours, ['single', 'essay'])
  const attemptId = await submittedAttempt(student, place, [WRONG.single, KEYS.essay])
  const [single = '', essay = ''] = place.questionIds
  work = { ...place, attemptId, single, essay }
})

const draftOf = (marks: AttemptReviewDraft['marks'], comment = ''): AttemptReviewDraft => ({ marks, comment })
const mark = (score: number | null, comment = '') => ({ score, comment })
const attemptOf = async (attemptId: string) => {
  const [row] = await inTenant(expert, (tx) => tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)))
  return row
}
const review = (actor: Actor = expert) =>
  getAttemptReview(actor, { quizId: work.quizId, studentId: student.membershipId }, words)
async function finishWith(marks: AttemptReviewDraft['marks'], comment = '') {
  const { attempt } = await review()
  const draft = draftOf(marks, comment)
  const { revision } = await saveAttemptReview(expert, {
    attemptId: work.attemptId,
    revision: attempt?.revision ?? 0,
    draft,
  })
  return finishAttemptReview(expert, { attemptId: work.attemptId, revision })
}

describe('the review page', () => {
  test('shows every answer with its key, automatic score and the one that waits for a mark', async () => {
    const { attempt, student: shown, quiz } = await review()
    expect(quiz.id).toBe(work.quizId)
    expect(shown.id).toBe(student.membershipId)
    expect(attempt).toMatchObject({ state: 'needsReview', canMark: true, revision: 0, edited: null })
    const [single, essay] = attempt?.answers ?? []
    expect(single).toMatchObject({ number: 1, autoScore: 0, points: 1, needsMark: false, hasAnswer: true })
    expect(single?.answer).toContain('Львів')
    expect(single?.key).toContain('Київ')
    expect(essay).toMatchObject({ number: 2, autoScore: null, points: 5, needsMark: true })
    expect(essay?.answer).toContain('Досвід')
  })

  test('links to the previous and next waiting attempts', async () => {
    const second = await addTestMember(ours, 'STUDENT', `next-${work.quizId}@elsewhere.test`)
    const { grantAccess } = await import('#lib/course/access/grants.ts')
    const { course } = await review()
    await grantAccess(ours.as.OWNER, { courseId: course.id, studentId: second.membershipId })
    const next = await submittedAttempt(second, work, [null, KEYS.essay])
    const { attempt } = await review()
    expect(attempt).toMatchObject({ previous: null, next: { attemptId: next, studentId: second.membershipId } })
    const other = await getAttemptReview(expert, { quizId: work.quizId, studentId: second.membershipId }, words)
    expect(other.attempt?.previous).toEqual({ attemptId: work.attemptId, studentId: student.membershipId })
  })

  test('of a running attempt accepts no marks', async () => {
    const { attemptId } = await startAttempt(student, { quizId: work.quizId, password: '' })
    const running = await getAttemptReview(
      expert,
      { quizId: work.quizId, studentId: student.membershipId, attemptId },
      words,
    )
    expect(running.attempt).toMatchObject({ state: 'inProgress', canMark: false })
    const save = { attemptId, revision: 0, draft: draftOf({ [work.essay]: mark(3) }) }
    await expect(saveAttemptReview(expert, save)).rejects.toMatchObject(keyed('attempt_not_submitted'))
    await expect(finishAttemptReview(expert, { attemptId, revision: 0 })).rejects.toMatchObject(
      keyed('attempt_not_submitted'),
    )
  })
})

describe('the draft of a review', () => {
  test('is kept for the next reviewer and not shown to the student', async () => {
    const draft = draftOf({ [work.essay]: mark(3, 'Добре') }, 'Разом непогано')
    await saveAttemptReview(expert, { attemptId: work.attemptId, revision: 0, draft })
    const { attempt } = await review(ours.as.DIRECTOR)
    expect(attempt).toMatchObject({ draft, revision: 1, edited: { by: expect.stringContaining('expert') } })
    const { questions } = await getQuizResult(student, { quizId: work.quizId, attemptId: null }, words)
    expect(questions.map(({ comment, score }) => [comment, score])).toEqual([
      ['', 0],
      ['', null],
    ])
  })

  test('of two reviewers is a conflict that returns the newer one; the same save again changes nothing', async () => {
    const mine = { attemptId: work.attemptId, revision: 0, draft: draftOf({ [work.essay]: mark(3) }) }
    const theirs = { ...mine, draft: draftOf({ [work.essay]: mark(4) }) }
    expect(await saveAttemptReview(expert, mine)).toEqual({ revision: 1 })
    expect(await saveAttemptReview(expert, mine)).toEqual({ revision: 1 })
    await expect(saveAttemptReview(ours.as.DIRECTOR, theirs)).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 1, draft: mine.draft, by: expect.stringContaining('expert') } },
    })
    await expect(finishAttemptReview(ours.as.DIRECTOR, { ...mine, revision: 0 })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await review()).attempt?.draft).toEqual(mine.draft)
  })

  test('of two reviewers at the same moment is saved once', async () => {
    const saves = [expert, ours.as.DIRECTOR, ours.as.OWNER].map((actor, index) =>
      saveAttemptReview(actor, {
        attemptId: work.attemptId,
        revision: 0,
        draft: draftOf({ [work.essay]: mark(index + 1) }),
      }),
    )
    const settled = await Promise.allSettled(saves)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('drops marks of questions that the attempt does not have', async () => {
    const draft = draftOf({ [work.essay]: mark(3), [work.attemptId]: mark(5, 'чуже') })
    await saveAttemptReview(expert, { attemptId: work.attemptId, revision: 0, draft })
    expect(Object.keys((await review()).attempt?.draft.marks ?? {})).toEqual([work.essay])
  })
})

describe('finishing a review', () => {
  test('computes score and result, removes the attempt from the queue and is recorded in the history', async () => {
    expect(await finishWith({ [work.essay]: mark(4.5, 'Добре') }, 'Гарна робота')).toEqual({
      state: 'graded',
      score: 4.5,
      passed: true,
    })
    const { attempt } = await review()
    expect(attempt).toMatchObject({ state: 'graded', edited: null, previous: null, next: null })
    expect(attempt?.draft).toEqual(draftOf({ [work.essay]: mark(4.5, 'Добре') }, 'Гарна робота'))
    const events = await inTenant(expert, (tx) =>
      tx.select().from(quizAttemptEvent).where(eq(quizAttemptEvent.attemptId, work.attemptId)),
    )
    expect(events.filter(({ event }) => event === 'graded')).toMatchObject([{ by: expert.membershipId }])
    const [queued] = await inTenant(expert, (tx) =>
      tx.select().from(quizReview).where(eq(quizReview.attemptId, work.attemptId)),
    )
    expect(queued).toMatchObject({ state: 'reviewed', reviewedBy: expert.membershipId, comment: 'Гарна робота' })
  })

  test('shows the student marks and comments', async () => {
    await finishWith({ [work.essay]: mark(4.5, 'Добре') }, 'Гарна робота')
    const { questions, attempt, reviewComment } = await getQuizResult(
      student,
      { quizId: work.quizId, attemptId: null },
      words,
    )
    expect(reviewComment).toBe('Гарна робота')
    expect(attempt).toMatchObject({ score: 4.5, passed: true })
    expect(questions[1]).toMatchObject({ score: 4.5, comment: 'Добре' })
  })

  test('is refused while an answer has no mark, and with more than its points: no points are set by default', async () => {
    await expect(finishWith({ [work.single]: mark(1) })).rejects.toMatchObject(keyed('review_marks_missing'))
    await expect(finishWith({ [work.essay]: mark(5.5) })).rejects.toMatchObject(keyed('review_mark_above'))
    expect(await attemptOf(work.attemptId)).toMatchObject({ state: 'needsReview', score: null })
  })

  test('a mark overrules the automatic score, and a removed mark restores it', async () => {
    expect(await finishWith({ [work.essay]: mark(5), [work.single]: mark(1) })).toMatchObject({ score: 6 })
    expect(await finishWith({ [work.essay]: mark(5) })).toMatchObject({ score: 5 })
    const answers = await inTenant(expert, (tx) =>
      tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, work.attemptId)),
    )
    expect(answers.find(({ questionId }) => questionId === work.single)).toMatchObject({ score: 0, manualScore: null })
  })

  test('twice releases the result once', async () => {
    await finishWith({ [work.essay]: mark(5) })
    const { attempt } = await review()
    const again = { attemptId: work.attemptId, revision: attempt?.revision ?? 0 }
    expect(await finishAttemptReview(expert, again)).toMatchObject({ score: 5 })
    expect((await review()).attempt?.history.filter(({ event }) => event === 'graded')).toHaveLength(1)
  })

  test('sends the student one email, without the score where results are not shown yet', async () => {
    const sent = async () =>
      (await listEmailsTo(student.email, ours.tenant.id)).filter(({ subject }) => subject.startsWith('Тест перевірено'))
    const before = (await sent()).length
    const job = async () => {
      const [row] = await inTenant(expert, (tx) =>
        tx.select().from(quizReview).where(eq(quizReview.attemptId, work.attemptId)),
      )
      return {
        tenantId: ours.tenant.id,
        attemptId: work.attemptId,
        reviewedAt: row?.reviewedAt?.toISOString() ?? '',
      }
    }
    await finishWith({ [work.essay]: mark(5) })
    const first = await job()
    await sendResultEmail(first)
    await sendResultEmail(first)
    const emails = await sent()
    expect(emails).toHaveLength(before + 1)
    expect(emails[0]?.link).toContain(`/test/${work.quizId}/result`)
    expect(emails[0]?.text).toContain('5 з 6')
    await finishWith({ [work.essay]: mark(3) })
    // The email about the review that was finished again is sent by the second job.
    await sendResultEmail(first)
    expect(await sent()).toHaveLength(before + 1)
    await changeSettings(ours.as.OWNER, work.quizId, { feedback: 'never' })
    await sendResultEmail(await job())
    const [last] = await sent()
    expect(last?.text).not.toContain('3 з 6')
  })
})

describe('permissions of reviewers', () => {
  test('curators review the attempts of their courses only; students and other tenants none', async () => {
    const save = { attemptId: work.attemptId, revision: 0, draft: draftOf({ [work.essay]: mark(2) }) }
    const stranger = await addTestMember(ours, 'CURATOR', `stranger-${work.quizId}@elsewhere.test`)
    for (const [actor, code] of [
      [stranger, 'forbidden'],
      [ours.as.MODERATOR, 'forbidden'],
      [student, 'forbidden'],
      [other.as.OWNER, 'not_found'],
    ] as const) {
      await expect(review(actor)).rejects.toMatchObject({ code })
      await expect(saveAttemptReview(actor, save)).rejects.toMatchObject({ code })
      await expect(finishAttemptReview(actor, save)).rejects.toMatchObject({ code })
    }
    expect((await review(ours.as.CURATOR)).attempt?.id).toBe(work.attemptId)
    expect(await saveAttemptReview(ours.as.CURATOR, save)).toEqual({ revision: 1 })
  })

  test('a student without access to the course is not found', async () => {
    const unknown = await addTestMember(ours, 'STUDENT', `unknown-${work.quizId}@elsewhere.test`)
    const input = { quizId: work.quizId, studentId: unknown.membershipId }
    await expect(getAttemptReview(expert, input, words)).rejects.toMatchObject({ code: 'not_found' })
    const ofStaff = { quizId: work.quizId, studentId: expert.membershipId }
    await expect(getAttemptReview(expert, ofStaff, words)).rejects.toMatchObject({ code: 'not_found' })
  })
})
