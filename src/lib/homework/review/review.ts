import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { HomeworkState } from '#lib/core/shared/learning.ts'
import { countWords, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { file } from '#lib/storage/table.ts'
import { submission, task } from '../table.ts'
import { noteLesson } from '../task/lesson-state.ts'
import { announceDesk, holdWork, mustBeFree, mustHold, nameOf, noteEvent } from './lock.ts'
import { missingFor } from './rules.ts'
import { FinishReview, RECALL_SECONDS, type ReviewDraft, SaveReview, SubmissionId, type VerdictAct } from './schema.ts'
import { mustJudge } from './scope.ts'

const OUTCOME = { accept: 'accepted', return: 'returned', reject: 'rejected' } as const satisfies Record<
  VerdictAct,
  HomeworkState
>

/**
 * Keeps the draft of a review; the student sees nothing of it. Refuses with forbidden, plan_inactive, not_found, and
 * with conflict: when somebody else holds the work by now (review_taken), or with the newer draft and its version.
 */
export function saveReview(actor: Actor, input: SaveReview): Promise<{ version: number }> {
  mustJudge(actor)
  const { submissionId, version, ...draft } = SaveReview.parse(input)
  return inTenant(actor, async (tx) => {
    if (draft.voiceFileId) await mustBeVoice(tx, actor, submissionId, draft.voiceFileId)
    const { feedbackVersion, own } = await mustBeFree(tx, actor, submissionId)
    const stored = await draftOf(tx, submissionId)
    if (sameDraft(stored, draft)) return { version: feedbackVersion }
    if (feedbackVersion !== version) {
      throw new Refusal('conflict', {
        fields: { form: ['review_version'] },
        data: { version: feedbackVersion, draft: stored },
      })
    }
    const next = feedbackVersion + 1
    await tx
      .update(submission)
      .set({ ...draft, feedbackVersion: next, updatedAt: new Date(), ...(own ? { lockedAt: new Date() } : {}) })
      .where(eq(submission.id, submissionId))
    return { version: next }
  })
}

/**
 * Ends a review: the work is accepted, returned to be done again, or rejected, and the student is told, but not before
 * RECALL_SECONDS have passed. Refuses with conflict when the actor does not hold the work or the draft is a newer one
 * than `version`, and with unprocessable when something has not been chosen yet: nothing is ever chosen by default.
 */
export function finishReview(actor: Actor, input: FinishReview): Promise<{ state: HomeworkState }> {
  mustJudge(actor)
  const { submissionId, verdict, version } = FinishReview.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await mustHold(tx, actor, submissionId)
    const draft = await draftOf(tx, submissionId)
    if (found.feedbackVersion !== version) {
      const data = { version: found.feedbackVersion, draft }
      throw new Refusal('conflict', { fields: { form: ['review_version'] }, data })
    }
    const [asked] = await tx
      .select({ grading: task.grading, maxPoints: task.maxPoints, passPoints: task.passPoints, rubric: task.rubric })
      .from(task)
      .where(eq(task.id, found.taskId))
    if (!asked) throw new Refusal('not_found')
    const missing = missingFor(verdict, asked, { ...draft, says: saysSomething(draft) })
    if (missing) {
      const variables = { max: asked.maxPoints ?? 0, pass: asked.passPoints ?? 0 }
      throw new Refusal('unprocessable', { fields: { form: [missing] }, variables })
    }
    const state = OUTCOME[verdict]
    await judge(tx, actor, { ...found, submissionId, state })
    return { state }
  })
}

/** Writes a verdict down, with all that follows from it. The caller has checked that it may be given. */
export async function judge(
  tx: Tx,
  actor: Actor,
  work: { submissionId: string; state: (typeof OUTCOME)[VerdictAct]; studentId: string; lessonId: string },
): Promise<void> {
  const { submissionId, state, studentId, lessonId } = work
  const reviewedAt = new Date()
  await tx
    .update(submission)
    .set({
      state,
      reviewedBy: actor.membershipId,
      reviewedAt,
      updatedAt: reviewedAt,
      lockedBy: null,
      lockedAt: null,
      readByStudentAt: null,
    })
    .where(eq(submission.id, submissionId))
  await noteEvent(tx, actor, submissionId, state)
  const data = { tenantId: actor.tenantId, submissionId, reviewedAt: reviewedAt.toISOString() }
  await enqueueJob('homework.tellVerdict', data, { startAfter: new Date(Date.now() + RECALL_SECONDS * 1000) })
  await noteLesson(tx, actor, { studentId, lessonId })
  await announceDesk(submissionId, { state, holder: null })
}

/**
 * Opens a judged work again and takes it: what was written stays as the draft. Refuses with forbidden, plan_inactive,
 * not_found, conflict when it waits anyway, unprocessable when the student has begun a newer attempt.
 */
export function reopenWork(actor: Actor, input: { submissionId: string }): Promise<{ state: HomeworkState }> {
  mustJudge(actor)
  const { submissionId } = SubmissionId.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await holdWork(tx, actor, submissionId)
    await mustReopen(tx, found, submissionId)
    await tx
      .update(submission)
      .set({
        state: 'in_review',
        lockedBy: actor.membershipId,
        lockedAt: new Date(),
        updatedAt: new Date(),
        reviewedBy: null,
        reviewedAt: null,
      })
      .where(eq(submission.id, submissionId))
    await noteEvent(tx, actor, submissionId, 'reopened')
    await noteLesson(tx, actor, found)
    const holder = { id: actor.membershipId, name: nameOf(actor) }
    await announceDesk(submissionId, { state: 'in_review', holder })
    return { state: 'in_review' }
  })
}

type Held = Awaited<ReturnType<typeof holdWork>>

/** Refuses what cannot be opened again. */
export async function mustReopen(tx: Tx, found: Held, submissionId: string): Promise<void> {
  if (found.state === 'submitted' || found.state === 'in_review') {
    throw new Refusal('conflict', { fields: { form: ['review_not_judged'] }, data: { state: found.state } })
  }
  const [newer] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(
      and(
        eq(submission.taskId, found.taskId),
        eq(submission.studentId, found.studentId),
        sql`${submission.attempt} > ${found.attempt} and ${submission.id} <> ${submissionId}`,
      ),
    )
    .limit(1)
  if (newer) throw new Refusal('unprocessable', { fields: { form: ['review_newer_attempt'] } })
}

async function draftOf(tx: Tx, submissionId: string): Promise<ReviewDraft> {
  const [draft] = await tx
    .select({
      feedback: submission.feedback,
      score: submission.score,
      rubricMarks: submission.rubricMarks,
      annotations: submission.annotations,
      voiceFileId: submission.voiceFileId,
    })
    .from(submission)
    .where(eq(submission.id, submissionId))
  if (!draft) throw new Refusal('not_found')
  return draft
}

/** Whether a review tells the student anything in words, by voice or on the work itself. */
export function saysSomething({ feedback, voiceFileId, annotations }: ReviewDraft): boolean {
  return voiceFileId !== null || annotations.length > 0 || hasWords(feedback)
}

const hasWords = (doc: LessonDoc | null): boolean => doc !== null && countWords(doc) > 0

/** The voice is there already, or is the reviewer's own sound: nobody's other file is shown to a student this way. */
async function mustBeVoice(tx: Tx, actor: Actor, submissionId: string, fileId: string): Promise<void> {
  const [found] = await tx
    .select({ kind: file.kind })
    .from(file)
    .leftJoin(submission, and(eq(submission.id, submissionId), eq(submission.voiceFileId, file.id)))
    .where(
      and(
        eq(file.id, fileId),
        isNull(file.deletedAt),
        or(eq(file.ownerId, actor.membershipId), isNotNull(submission.id)),
      ),
    )
  if (!found) throw new Refusal('not_found')
  if (found.kind !== 'audio' && found.kind !== 'video') {
    throw new Refusal('wrong_type', { fields: { voiceFileId: ['format'] } })
  }
}

// The database forgets the order of keys: the same draft sent again must not be taken for another's.
function sameDraft(a: ReviewDraft, b: ReviewDraft): boolean {
  return written(a) === written(b)
}

function written(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
