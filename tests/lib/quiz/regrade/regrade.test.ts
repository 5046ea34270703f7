import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditEntry } from '#lib/audit/table.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { quizAnswer, quizAttempt, quizAttemptEvent } from '#lib/quiz/attempt/table.ts'
import { getQuestion, updateQuestion } from '#lib/quiz/bank/bank.ts'
import type { QuestionContent } from '#lib/quiz/question/schema.ts'
import { previewRegrade } from '#lib/quiz/regrade/preview.ts'
import { runRegrade } from '#lib/quiz/regrade/run-regrade.ts'
import { getLastRegrade, startRegrade } from '#lib/quiz/regrade/start-regrade.ts'
import { getAttemptReview } from '#lib/quiz/review/attempt-review.ts'
import { finishAttemptReview, saveAttemptReview } from '#lib/quiz/review/review.ts'
import { saveAnswer, submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'
import { changeSettings, offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const

let ours: TestTenant
let other: TestTenant
let owner: Actor
let student: Actor
let count = 0
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  owner = ours.as.OWNER
  student = ours.as.STUDENT
})

/** An additional student of the course. */
async function classmate(courseId: string): Promise<Actor> {
  count += 1
  const actor = await addTestMember(ours, 'STUDENT', `classmate-${count}@regrade.test`)
  await grantAccess(owner, { courseId, studentId: actor.membershipId })
  return actor
}

/** Makes option b the right one. */
async function correctKey(questionId: string): Promise<void> {
  const content = sampleQuestion('single')
  const options = content.options.map((option) => ({ ...option, fraction: option.id === 'b' ? 1 : 0 }))
  await edit(questionId, { ...content, options })
}

async function edit(questionId: string, content: QuestionContent): Promise<void> {
  const { revision } = await getQuestion(owner, { questionId })
  await updateQuestion(owner, { questionId, revision, content })
}

async function regrade(quizId: string): Promise<string> {
  const { questions } = await previewRegrade(owner, { quizId })
  const regradeId = newId()
  const keys = questions.map(({ questionId, version }) => ({ questionId, version }))
  await startRegrade(owner, { quizId, regradeId, keys })
  await runRegrade({ tenantId: ours.tenant.id, regradeId })
  return regradeId
}

const attemptOf = async (attemptId: string) => {
  const [row] = await inTenant(owner, (tx) => tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)))
  return row
}
const changedEmails = async ({ email }: Actor) =>
  (await listEmailsTo(email, ours.tenant.id)).filter(({ subject }) => subject.startsWith('Результат тесту змінено'))

describe('a corrected key', () => {
  test('is previewed with each changed score and result, and nothing is written', async () => {
    const place = await offerQuiz(ours, ['single', 'trueFalse'], { passPercent: 100 })
    const right = await submittedAttempt(student, place, [WRONG.single, KEYS.trueFalse])
    const wrong = await submittedAttempt(await classmate(place.courseId), place, [KEYS.single, KEYS.trueFalse])
    await submittedAttempt(await classmate(place.courseId), place, [null, KEYS.trueFalse])
    expect(await previewRegrade(owner, { quizId: place.quizId })).toMatchObject({ questions: [], changed: 0 })
    await correctKey(place.questionIds[0] ?? '')
    const preview = await previewRegrade(owner, { quizId: place.quizId })
    expect(preview).toMatchObject({ checked: 3, changed: 2, nowPassed: 1, nowFailed: 1 })
    expect(preview.questions).toMatchObject([{ questionId: place.questionIds[0], version: 2, attempts: 3 }])
    const change = (attemptId: string) => preview.changes.find((entry) => entry.attemptId === attemptId)
    expect(change(right)).toMatchObject({ before: { score: 1, passed: false }, after: { score: 2, passed: true } })
    expect(change(wrong)).toMatchObject({ before: { score: 2, passed: true }, after: { score: 1, passed: false } })
    expect(await attemptOf(right)).toMatchObject({ score: 1, passed: false })
    expect(await previewRegrade(owner, { quizId: place.quizId, questionIds: [] })).toMatchObject({ changed: 0 })
  })

  test('changes scores and results, and notifies only those whose result changed, once', async () => {
    const place = await offerQuiz(ours, ['single', 'trueFalse'])
    const affected = await classmate(place.courseId)
    const unaffected = await classmate(place.courseId)
    const changed = await submittedAttempt(affected, place, [WRONG.single, KEYS.trueFalse])
    const unchanged = await submittedAttempt(unaffected, place, [null, KEYS.trueFalse])
    await correctKey(place.questionIds[0] ?? '')
    const regradeId = await regrade(place.quizId)
    expect(await attemptOf(changed)).toMatchObject({ score: 2, passed: true, state: 'graded' })
    expect(await attemptOf(unchanged)).toMatchObject({ score: 1 })
    expect(await changedEmails(affected)).toHaveLength(1)
    expect(await changedEmails(unaffected)).toHaveLength(0)
    expect(await getLastRegrade(owner, place)).toMatchObject({ id: regradeId, state: 'done', checked: 2, changed: 1 })
    // The job runs again, and a second regrading changes nothing.
    await runRegrade({ tenantId: ours.tenant.id, regradeId })
    expect(await previewRegrade(owner, place)).toMatchObject({ questions: [], changed: 0 })
    expect(await changedEmails(affected)).toHaveLength(1)
    const events = await inTenant(owner, (tx) =>
      tx.select().from(quizAttemptEvent).where(eq(quizAttemptEvent.attemptId, changed)),
    )
    expect(events.filter(({ event }) => event === 'regraded')).toHaveLength(1)
    const audited = await inTenant(owner, (tx) =>
      tx.select().from(auditEntry).where(eq(auditEntry.objectId, place.quizId)),
    )
    expect(audited.filter(({ action }) => action === 'quiz.regraded')).toHaveLength(1)
  })

  test('sends nothing to students of a test that shows no results', async () => {
    const place = await offerQuiz(ours, ['single'], { feedback: 'never' })
    const quiet = await classmate(place.courseId)
    const attemptId = await submittedAttempt(quiet, place, [WRONG.single])
    await correctKey(place.questionIds[0] ?? '')
    await regrade(place.quizId)
    expect(await attemptOf(attemptId)).toMatchObject({ score: 1 })
    expect(await changedEmails(quiet)).toHaveLength(0)
  })

  test('scores a running attempt, and does not change its question', async () => {
    const place = await offerQuiz(ours, ['single'])
    const [questionId = ''] = place.questionIds
    const runner = await classmate(place.courseId)
    const { attemptId } = await startAttempt(runner, { quizId: place.quizId, password: '' })
    await saveAnswer(runner, { attemptId, questionId, revision: 1, value: WRONG.single })
    await correctKey(questionId)
    await regrade(place.quizId)
    await submitAttempt(runner, { attemptId })
    expect(await attemptOf(attemptId)).toMatchObject({ score: 1, passed: true })
    const { attempt } = await getAttemptReview(owner, { quizId: place.quizId, studentId: runner.membershipId }, words)
    expect(attempt?.answers[0]).toMatchObject({ isRegraded: true, key: expect.stringContaining('Львів') })
    expect((await attemptOf(attemptId))?.questions[0]).toMatchObject({ version: 1, keyVersion: 2 })
  })

  test('of another type scores nothing', async () => {
    const place = await offerQuiz(ours, ['single'])
    const attemptId = await submittedAttempt(await classmate(place.courseId), place, [KEYS.single])
    await edit(place.questionIds[0] ?? '', sampleQuestion('trueFalse'))
    expect(await previewRegrade(owner, place)).toMatchObject({ questions: [], changed: 0 })
    expect(await attemptOf(attemptId)).toMatchObject({ score: 1 })
  })
})

describe('a regrading', () => {
  test('is started once however often it is posted, and not with keys that were corrected again', async () => {
    const place = await offerQuiz(ours, ['single'])
    await submittedAttempt(await classmate(place.courseId), place, [WRONG.single])
    const [questionId = ''] = place.questionIds
    await correctKey(questionId)
    const input = { quizId: place.quizId, regradeId: newId(), keys: [{ questionId, version: 2 }] }
    await Promise.all([startRegrade(owner, input), startRegrade(owner, input)])
    await edit(questionId, sampleQuestion('single'))
    await expect(startRegrade(owner, { ...input, regradeId: newId() })).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { form: ['regrade_outdated'] } },
    })
    const audited = await inTenant(owner, (tx) =>
      tx.select().from(auditEntry).where(eq(auditEntry.objectId, place.quizId)),
    )
    expect(audited.filter(({ action }) => action === 'quiz.regraded')).toHaveLength(1)
  })

  test('is for those who edit tests, in their own school', async () => {
    const place = await offerQuiz(ours, ['single'])
    await submittedAttempt(await classmate(place.courseId), place, [WRONG.single])
    const keys = [{ questionId: place.questionIds[0] ?? '', version: 1 }]
    for (const [actor, code] of [
      [ours.as.CURATOR, 'forbidden'],
      [student, 'forbidden'],
      [other.as.OWNER, 'not_found'],
    ] as const) {
      await expect(startRegrade(actor, { quizId: place.quizId, regradeId: newId(), keys })).rejects.toMatchObject({
        code,
      })
      await expect(previewRegrade(actor, place)).rejects.toMatchObject({ code })
    }
  })

  test('never changes marks and comments of reviewers', async () => {
    const place = await offerQuiz(ours, ['single', 'trueFalse', 'essay'])
    const [single = '', trueFalse = '', essay = ''] = place.questionIds
    const marks = fc.record({
      single: fc.option(fc.integer({ min: 0, max: 100 })),
      trueFalse: fc.option(fc.integer({ min: 0, max: 100 })),
      essay: fc.integer({ min: 0, max: 500 }),
      comment: fc.string({ maxLength: 40, unit: 'grapheme-ascii' }),
      isRight: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(marks, async (given) => {
        const actor = await classmate(place.courseId)
        const answers = [given.isRight ? KEYS.single : WRONG.single, KEYS.trueFalse, KEYS.essay]
        const attemptId = await submittedAttempt(actor, place, answers)
        const score = (hundredths: number | null) => (hundredths === null ? null : hundredths / 100)
        const draft = {
          marks: {
            [single]: { score: score(given.single), comment: given.comment },
            [trueFalse]: { score: score(given.trueFalse), comment: '' },
            [essay]: { score: score(given.essay), comment: given.comment },
          },
          comment: given.comment,
        }
        const { revision } = await saveAttemptReview(owner, { attemptId, revision: 0, draft })
        await finishAttemptReview(owner, { attemptId, revision })
        const marksOf = () =>
          inTenant(owner, async (tx) => {
            const rows = await tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, attemptId))
            return rows.map(({ questionId, manualScore, comment, gradedBy }) => ({
              questionId,
              manualScore,
              comment,
              gradedBy,
            }))
          })
        const before = await marksOf()
        const { content } = await getQuestion(owner, { questionId: single })
        const isKeyA = content.type === 'single' && content.options[0]?.fraction === 1
        if (isKeyA) await correctKey(single)
        else await edit(single, sampleQuestion('single'))
        await regrade(place.quizId)
        expect(new Set(await marksOf())).toEqual(new Set(before))
        const rightNow = isKeyA ? !given.isRight : given.isRight
        const expected = (given.single ?? (rightNow ? 100 : 0)) + (given.trueFalse ?? 100) + given.essay
        expect((await attemptOf(attemptId))?.score).toBe(expected / 100)
      }),
      { numRuns: 12 },
    )
    await changeSettings(owner, place.quizId, { feedback: 'never' })
  })
})
