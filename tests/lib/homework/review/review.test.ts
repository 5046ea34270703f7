import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { lessonProgress } from '#lib/course/learning/table.ts'
import { acceptSubmissions, previewAccept, recallVerdicts } from '#lib/homework/review/assign.ts'
import { releaseIdleLocks, releaseSubmission, renewLock } from '#lib/homework/review/lock.ts'
import { finishReview, reopenSubmission, saveReview } from '#lib/homework/review/review.ts'
import { missingForVerdict, rubricSum } from '#lib/homework/review/rules.ts'
import type { ReviewDraft } from '#lib/homework/review/schema.ts'
import { deleteSnippet, listSnippets, restoreSnippet } from '#lib/homework/review/snippet.ts'
import { submission, submissionEvent } from '#lib/homework/table.ts'
import { handedIn, learner, putOnCourse, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { insertFiles } from '../../../setup/files.ts'
import { getReviewPage, openSubmission, saveSnippet } from '../../../setup/parsed/homework-review.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (refused: string, more: object = {}) => expect.objectContaining({ code: refused, ...more })
const reason = (key: string) =>
  expect.objectContaining({ details: expect.objectContaining({ fields: { form: [key] } }) })
const words = (text: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const NOTHING: ReviewDraft = { feedback: null, score: null, rubricMarks: [], annotations: [], voiceFileId: null }

let home: TestTenant
let place: TaskPlace
let second: Actor
let n = 0
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
  second = await addTestMember(home, 'CURATOR', 'second@review.test')
  await putOnCourse(second, place.courseId)
})

/** A waiting submission of a new student. */
async function waiting(at: TaskPlace = place) {
  n += 1
  const student = await learner(home, at.courseId, `student-${n}@review.test`)
  return { student, submissionId: await handedIn(student, at) }
}

const rowOf = (submissionId: string) =>
  inTenant(home.as.OWNER, async (tx) => {
    const [row] = await tx.select().from(submission).where(eq(submission.id, submissionId))
    return row
  })

const eventsOf = (submissionId: string) =>
  inTenant(home.as.OWNER, async (tx) => {
    const rows = await tx
      .select({ event: submissionEvent.event })
      .from(submissionEvent)
      .where(eq(submissionEvent.submissionId, submissionId))
      .orderBy(submissionEvent.at, submissionEvent.id)
    return rows.map(({ event }) => event)
  })

const progressOf = (studentId: string) =>
  inTenant(home.as.OWNER, async (tx) => {
    const [row] = await tx.select().from(lessonProgress).where(eq(lessonProgress.studentId, studentId))
    return row
  })

describe('requirements of a review', () => {
  const level = (points: number) => ({ title: `${points}`, text: '', points })
  const rubric = [
    { id: 'a', title: 'Думка', levels: [level(0), level(5)] },
    { id: 'b', title: 'Мова', levels: [level(0), level(3)] },
  ]
  const plain = { grading: 'acceptReject', maxPoints: null, passPoints: null, rubric: [] } as const
  const points = { grading: 'points', maxPoints: 10, passPoints: 6, rubric: [] } as const
  const marks = { score: null, rubricMarks: [], hasFeedback: false }
  test.each([
    ['accept', plain, marks, null],
    ['return', plain, marks, 'review_needs_words'],
    ['reject', plain, marks, 'review_needs_words'],
    ['return', plain, { ...marks, hasFeedback: true }, null],
    ['accept', points, marks, 'review_needs_score'],
    ['accept', points, { ...marks, score: 5 }, 'review_score_below'],
    ['accept', points, { ...marks, score: 6 }, null],
    ['accept', points, { ...marks, score: 11 }, 'review_score_above'],
    ['return', points, { ...marks, hasFeedback: true, score: 5 }, null],
    ['accept', { ...plain, rubric }, marks, 'review_needs_rubric'],
    [
      'accept',
      { ...plain, rubric },
      { ...marks, rubricMarks: [{ criterionId: 'a', level: 1 }] },
      'review_needs_rubric',
    ],
  ] as const)('%s with %o and %o: %s', (verdict, task, given, missing) => {
    expect(missingForVerdict(verdict, task, given)).toBe(missing)
  })
  test('a rubric adds up only when every criterion has its level', () => {
    expect(rubricSum(rubric, [{ criterionId: 'a', level: 1 }])).toBeNull()
    expect(
      rubricSum(rubric, [
        { criterionId: 'a', level: 1 },
        { criterionId: 'b', level: 0 },
      ]),
    ).toBe(5)
  })
})

describe('the lock', () => {
  test('keeps a second reviewer out until they take over, and notifies the first', async () => {
    const { submissionId } = await waiting()
    expect(await openSubmission(home.as.CURATOR, { submissionId })).toMatchObject({ isMine: true, state: 'in_review' })
    expect(await openSubmission(second, { submissionId })).toMatchObject({
      isMine: false,
      holder: { id: home.as.CURATOR.membershipId },
    })
    const draft = { submissionId, version: 1, ...NOTHING, feedback: words('Моє') }
    await expect(saveReview(second, draft)).rejects.toThrow(reason('review_taken'))
    await saveReview(home.as.CURATOR, draft)
    expect(await openSubmission(second, { submissionId, takeOver: true })).toMatchObject({ isMine: true })
    await expect(renewLock(home.as.CURATOR, { submissionId })).rejects.toThrow(reason('review_taken'))
    await expect(finishReview(home.as.CURATOR, { submissionId, verdict: 'accept', version: 2 })).rejects.toThrow(
      code('conflict'),
    )
    // The second reviewer sees the text of the first.
    expect((await getReviewPage(second, { submissionId })).draft).toMatchObject({ feedback: words('Моє'), version: 2 })
    expect(await eventsOf(submissionId)).toEqual(['locked', 'taken_over'])
  })

  test('is held by one of two who open a submission at once', async () => {
    const { submissionId } = await waiting()
    const both = await Promise.all([home.as.CURATOR, second].map((actor) => openSubmission(actor, { submissionId })))
    expect(both.map(({ isMine: mine }) => mine).sort()).toEqual([false, true])
  })

  test('ends on leaving, after half an hour, and not when another reviewer leaves', async () => {
    const { submissionId } = await waiting()
    await openSubmission(home.as.CURATOR, { submissionId })
    await releaseSubmission(second, { submissionId })
    expect(await rowOf(submissionId)).toMatchObject({ state: 'in_review' })
    await releaseSubmission(home.as.CURATOR, { submissionId })
    expect(await rowOf(submissionId)).toMatchObject({ state: 'submitted', lockedBy: null })
    await openSubmission(home.as.CURATOR, { submissionId })
    await releaseIdleLocks()
    expect(await rowOf(submissionId)).toMatchObject({ state: 'in_review' })
    expect(await releaseIdleLocks(new Date(Date.now() + 31 * 60_000))).toBeGreaterThan(0)
    expect(await rowOf(submissionId)).toMatchObject({ state: 'submitted' })
    expect(await eventsOf(submissionId)).toEqual(['locked', 'released', 'locked', 'released'])
  })

  test('is refused to those not responsible for the course', async () => {
    const { submissionId } = await waiting()
    const stranger = await addTestMember(home, 'CURATOR', 'stranger@review.test')
    const theirs = await createOtherTenant()
    for (const actor of [stranger, theirs.as.OWNER]) {
      await expect(openSubmission(actor, { submissionId })).rejects.toThrow(code('not_found'))
      await expect(getReviewPage(actor, { submissionId })).rejects.toThrow(code('not_found'))
    }
    expect(() => openSubmission(home.as.STUDENT, { submissionId })).toThrow(code('forbidden'))
    expect(() => getReviewPage(home.as.STUDENT, { submissionId })).toThrow(code('forbidden'))
  })

  test('does not open drafts', async () => {
    const student = await learner(home, place.courseId, 'writes@review.test')
    const submissionId = await handedIn(student, place, { state: 'draft', submittedAt: null })
    await expect(openSubmission(home.as.OWNER, { submissionId })).rejects.toThrow(code('not_found'))
    await expect(getReviewPage(home.as.OWNER, { submissionId })).rejects.toThrow(code('not_found'))
  })
})

describe('the draft of a review', () => {
  test('is saved with its version, once for the same text, and never over a newer one', async () => {
    const { submissionId } = await waiting()
    const { CURATOR } = home.as
    await openSubmission(CURATOR, { submissionId })
    const save = (version: number, text: string) =>
      saveReview(CURATOR, { submissionId, version, ...NOTHING, feedback: words(text) })
    expect(await save(1, 'Перше')).toEqual({ version: 2 })
    expect(await save(1, 'Перше')).toEqual({ version: 2 })
    await expect(save(1, 'Друге')).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 2, draft: { feedback: words('Перше') } } },
    })
    await expect(finishReview(CURATOR, { submissionId, verdict: 'return', version: 1 })).rejects.toThrow(
      reason('review_version'),
    )
  })

  test("accepts a recording of the reviewer as voice, and no other file type or another person's file", async () => {
    const { submissionId } = await waiting()
    const { CURATOR, OWNER } = home.as
    await openSubmission(CURATOR, { submissionId })
    const save = (voiceFileId: string) => saveReview(CURATOR, { submissionId, version: 1, ...NOTHING, voiceFileId })
    const own = await insertFiles(CURATOR, [
      { name: 'note.pdf', kind: 'doc', mime: 'application/pdf' },
      { name: 'note.png', kind: 'image', mime: 'image/png' },
      { name: 'note.txt', kind: 'file', mime: 'text/plain' },
      { name: 'folder', kind: 'folder' },
    ])
    for (const fileId of own) await expect(save(fileId)).rejects.toThrow(code('wrong_type'))
    const [foreign = ''] = await insertFiles(OWNER, [{ name: 'note.webm', kind: 'audio', mime: 'audio/webm' }])
    for (const fileId of [foreign, CURATOR.membershipId]) await expect(save(fileId)).rejects.toThrow(code('not_found'))
    const [deleted = '', voice = ''] = await insertFiles(CURATOR, [
      { name: 'old.webm', kind: 'audio', mime: 'audio/webm', deletedAt: new Date() },
      { name: 'note.webm', kind: 'audio', mime: 'audio/webm' },
    ])
    await expect(save(deleted)).rejects.toThrow(code('not_found'))
    expect(await save(voice)).toEqual({ version: 2 })
  })
})

describe('a verdict', () => {
  test('accepts, completes the lesson in the same transaction, and can be withdrawn', async () => {
    const { student, submissionId } = await waiting()
    const { CURATOR } = home.as
    await openSubmission(CURATOR, { submissionId })
    expect(await finishReview(CURATOR, { submissionId, verdict: 'accept', version: 1 })).toEqual({ state: 'accepted' })
    expect(await progressOf(student.membershipId)).toMatchObject({ homeworkState: 'accepted' })
    expect((await progressOf(student.membershipId))?.homeworkAcceptedAt).toBeInstanceOf(Date)
    await expect(finishReview(CURATOR, { submissionId, verdict: 'accept', version: 1 })).rejects.toThrow(
      reason('review_not_held'),
    )
    expect(await reopenSubmission(second, { submissionId })).toEqual({ state: 'in_review' })
    expect(await rowOf(submissionId)).toMatchObject({ lockedBy: second.membershipId, reviewedAt: null })
    expect(await progressOf(student.membershipId)).toMatchObject({
      homeworkState: 'in_review',
      homeworkAcceptedAt: null,
    })
    expect(await eventsOf(submissionId)).toEqual(['locked', 'accepted', 'reopened'])
  })

  test('returns a submission only with a comment', async () => {
    const { student, submissionId } = await waiting()
    const { CURATOR } = home.as
    await openSubmission(CURATOR, { submissionId })
    for (const verdict of ['return', 'reject'] as const) {
      await expect(finishReview(CURATOR, { submissionId, verdict, version: 1 })).rejects.toThrow(
        reason('review_needs_words'),
      )
    }
    await saveReview(CURATOR, { submissionId, version: 1, ...NOTHING, feedback: words('Додайте приклад') })
    await finishReview(CURATOR, { submissionId, verdict: 'return', version: 2 })
    expect(await progressOf(student.membershipId)).toMatchObject({
      homeworkState: 'returned',
      homeworkAcceptedAt: null,
    })
    await handedIn(student, place, { attempt: 2, state: 'draft', submittedAt: null })
    await expect(reopenSubmission(CURATOR, { submissionId })).rejects.toThrow(reason('review_newer_attempt'))
  })

  test('requires points to be given explicitly', async () => {
    const graded = await withTask(home.as.OWNER, { grading: 'points', maxPoints: 10, passPoints: 6 })
    const { submissionId } = await waiting(graded)
    const { OWNER } = home.as
    await openSubmission(OWNER, { submissionId })
    const finish = (version: number) => finishReview(OWNER, { submissionId, verdict: 'accept', version })
    await expect(finish(1)).rejects.toThrow(reason('review_needs_score'))
    await saveReview(OWNER, { submissionId, version: 1, ...NOTHING, score: 5 })
    await expect(finish(2)).rejects.toThrow(reason('review_score_below'))
    await saveReview(OWNER, { submissionId, version: 2, ...NOTHING, score: 8 })
    await finish(3)
    expect(await rowOf(submissionId)).toMatchObject({ state: 'accepted', score: 8 })
  })

  test('of one task does not open the next lesson while another required one waits', async () => {
    const both = await withTask(home.as.OWNER)
    await inTenant(home.as.OWNER, (tx) =>
      tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions)
        select tenant_id, gen_random_uuid(), course_id, lesson_id, 'Друге', instructions from task where id = ${both.taskId}`),
    )
    const { student, submissionId } = await waiting(both)
    await openSubmission(home.as.OWNER, { submissionId })
    await finishReview(home.as.OWNER, { submissionId, verdict: 'accept', version: 1 })
    expect(await progressOf(student.membershipId)).toMatchObject({ homeworkState: 'draft', homeworkAcceptedAt: null })
  })
})

describe('many submissions at once', () => {
  test('are accepted after a preview of those affected, and the acceptance can be undone', async () => {
    const { CURATOR } = home.as
    const free = await waiting()
    const locked = await waiting()
    const judged = await waiting()
    const graded = await waiting(await withTask(home.as.OWNER, { grading: 'points', maxPoints: 5 }))
    await putOnCourse(CURATOR, (await rowOf(graded.submissionId))?.courseId ?? '')
    await openSubmission(second, { submissionId: locked.submissionId })
    await openSubmission(CURATOR, { submissionId: judged.submissionId })
    await finishReview(CURATOR, { submissionId: judged.submissionId, verdict: 'accept', version: 1 })
    const submissionIds = [free, locked, judged, graded].map((submission) => submission.submissionId)
    const preview = await previewAccept(CURATOR, { submissionIds })
    const skips = new Map(preview.map(({ submissionId, skip }) => [submissionId, skip]))
    expect(submissionIds.map((id) => skips.get(id))).toEqual([null, 'locked', 'notWaiting', 'needsScore'])
    expect(await acceptSubmissions(CURATOR, { submissionIds })).toEqual({ accepted: [free.submissionId] })
    expect(await progressOf(free.student.membershipId)).toMatchObject({ homeworkState: 'accepted' })
    expect(await recallVerdicts(second, { submissionIds: [free.submissionId] })).toEqual({ recalled: [] })
    expect(await recallVerdicts(CURATOR, { submissionIds: [free.submissionId] })).toEqual({
      recalled: [free.submissionId],
    })
    expect(await rowOf(free.submissionId)).toMatchObject({ state: 'submitted', reviewedAt: null })
    expect(await progressOf(free.student.membershipId)).toMatchObject({ homeworkState: 'submitted' })
  })
})

describe('snippets', () => {
  test('are personal or shared by the school, and can be restored from the trash', async () => {
    const { CURATOR, OWNER } = home.as
    const { snippetId } = await saveSnippet(CURATOR, { title: 'Приклад', body: '{name}, додайте приклад' })
    const shared = await saveSnippet(OWNER, { title: 'Вітання', body: 'Чудово, {name}!', shared: true })
    expect((await listSnippets(CURATOR)).map(({ id, isEditable: mine }) => [id, mine])).toEqual([
      [shared.snippetId, false],
      [snippetId, true],
    ])
    expect((await listSnippets(second)).map(({ id }) => id)).toEqual([shared.snippetId])
    const change = saveSnippet(second, { snippetId, title: 'Чуже', body: 'x' })
    await expect(change).rejects.toThrow(code('not_found'))
    await expect(deleteSnippet(OWNER, { snippetId })).rejects.toThrow(code('not_found'))
    await deleteSnippet(CURATOR, { snippetId })
    expect(await listSnippets(CURATOR)).toHaveLength(1)
    await restoreSnippet(CURATOR, { snippetId })
    expect(await listSnippets(CURATOR)).toHaveLength(2)
  })
})

test('an expired plan leaves the queue readable and reviews unavailable', async () => {
  const { submissionId } = await waiting()
  const lapsed = { ...home.as.OWNER, plans: [] }
  expect((await getReviewPage(lapsed, { submissionId })).id).toBe(submissionId)
  expect(() => openSubmission(lapsed, { submissionId })).toThrow(code('plan_inactive'))
})
