import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { countWords, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import { file } from '#lib/storage/table.ts'
import { submission, task } from '../table.ts'
import { updateLessonState } from '../task/lesson-state.ts'
import { lockRow, nameOf, publishLock, recordEvent, requireNoOtherLock, requireOwnLock } from './lock.ts'
import { missingForVerdict } from './rules.ts'
import {
  type FinishReview,
  type ReviewDraft,
  type SaveReview,
  VERDICT_RECALL_SECONDS,
  type VerdictAction,
} from './schema.ts'
import { requireReviewing } from './scope.ts'

const STATE_BY_VERDICT = { accept: 'accepted', return: 'returned', reject: 'rejected' } as const satisfies Record<
  VerdictAction,
  SubmissionState
>

/**
 * Saves the draft of a review; it is not visible to the student. Refuses with forbidden, plan_inactive, not_found, and
 * with conflict: when another reviewer has locked the submission (review_taken), or with the newer draft and its
 * version.
 */
export function saveReview(actor: Actor, input: SaveReview): Promise<{ version: number }> {
  requireReviewing(actor)
  const { submissionId, version, ...draft } = input
  return inTenant(actor, async (tx) => {
    if (draft.voiceFileId) await requireVoiceFile(tx, actor, submissionId, draft.voiceFileId)
    const { feedbackVersion, own: isOwn } = await requireNoOtherLock(tx, actor, submissionId)
    const storedDraft = await loadDraft(tx, submissionId)
    if (isSameDraft(storedDraft, draft)) return { version: feedbackVersion }
    if (feedbackVersion !== version) {
      throw new Refusal('conflict', {
        fields: { form: ['review_version'] },
        data: { version: feedbackVersion, draft: storedDraft },
      })
    }
    const nextVersion = feedbackVersion + 1
    await tx
      .update(submission)
      .set({
        ...draft,
        feedbackVersion: nextVersion,
        updatedAt: new Date(),
        ...(isOwn ? { lockedAt: new Date() } : {}),
      })
      .where(eq(submission.id, submissionId))
    return { version: nextVersion }
  })
}

/**
 * Finishes a review: the submission is accepted, returned or rejected, and the student is notified after
 * VERDICT_RECALL_SECONDS. Refuses with conflict when the actor has not locked the submission or the draft is newer than
 * `version`, and with unprocessable when a required part is missing: there are no defaults.
 */
export function finishReview(actor: Actor, input: FinishReview): Promise<{ state: SubmissionState }> {
  requireReviewing(actor)
  const { submissionId, verdict, version } = input
  return inTenant(actor, async (tx) => {
    const row = await requireOwnLock(tx, actor, submissionId)
    const draft = await loadDraft(tx, submissionId)
    if (row.feedbackVersion !== version) {
      const data = { version: row.feedbackVersion, draft }
      throw new Refusal('conflict', { fields: { form: ['review_version'] }, data })
    }
    const [taskRow] = await tx
      .select({ grading: task.grading, maxPoints: task.maxPoints, passPoints: task.passPoints, rubric: task.rubric })
      .from(task)
      .where(eq(task.id, row.taskId))
    if (!taskRow) throw new Refusal('not_found')
    const missing = missingForVerdict(verdict, taskRow, { ...draft, hasFeedback: hasFeedback(draft) })
    if (missing) {
      const variables = { max: taskRow.maxPoints ?? 0, pass: taskRow.passPoints ?? 0 }
      throw formRefusal(missing, variables)
    }
    const state = STATE_BY_VERDICT[verdict]
    await recordVerdict(tx, actor, { ...row, submissionId, state })
    return { state }
  })
}

/** Stores a verdict and its consequences. The caller has checked that it is allowed. */
export async function recordVerdict(
  tx: Tx,
  actor: Actor,
  reviewed: {
    submissionId: string
    state: (typeof STATE_BY_VERDICT)[VerdictAction]
    studentId: string
    lessonId: string
  },
): Promise<void> {
  const { submissionId, state, studentId, lessonId } = reviewed
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
  await recordEvent(tx, actor, submissionId, state)
  const data = { tenantId: actor.tenantId, submissionId, reviewedAt: reviewedAt.toISOString() }
  await enqueueJob('homework.sendVerdictEmail', data, {
    startAfter: new Date(Date.now() + VERDICT_RECALL_SECONDS * 1000),
  })
  await updateLessonState(tx, actor, { studentId, lessonId })
  await publishLock(submissionId, { state, holder: null })
}

/**
 * Reopens a reviewed submission and locks it: the review becomes the draft again. Refuses with forbidden,
 * plan_inactive, not_found, conflict when it is waiting anyway, unprocessable when the student has begun a newer
 * attempt.
 */
export function reopenSubmission(actor: Actor, input: { submissionId: string }): Promise<{ state: SubmissionState }> {
  requireReviewing(actor)
  const { submissionId } = input
  return inTenant(actor, async (tx) => {
    const row = await lockRow(tx, actor, submissionId)
    await requireReopenable(tx, row, submissionId)
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
    await recordEvent(tx, actor, submissionId, 'reopened')
    await updateLessonState(tx, actor, row)
    const holder = { id: actor.membershipId, name: nameOf(actor) }
    await publishLock(submissionId, { state: 'in_review', holder })
    return { state: 'in_review' }
  })
}

type LockedRow = Awaited<ReturnType<typeof lockRow>>

/** Refuses a submission that cannot be reopened. */
export async function requireReopenable(tx: Tx, row: LockedRow, submissionId: string): Promise<void> {
  if (row.state === 'submitted' || row.state === 'in_review') {
    throw new Refusal('conflict', { fields: { form: ['review_not_reviewed'] }, data: { state: row.state } })
  }
  const [newerAttempt] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(
      and(
        eq(submission.taskId, row.taskId),
        eq(submission.studentId, row.studentId),
        sql`${submission.attempt} > ${row.attempt} and ${submission.id} <> ${submissionId}`,
      ),
    )
    .limit(1)
  if (newerAttempt) throw formRefusal('review_newer_attempt')
}

async function loadDraft(tx: Tx, submissionId: string): Promise<ReviewDraft> {
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

/** Whether a review contains feedback: text, voice or annotations. */
function hasFeedback({ feedback, voiceFileId, annotations }: ReviewDraft): boolean {
  return voiceFileId !== null || annotations.length > 0 || hasText(feedback)
}

const hasText = (doc: LessonDoc | null): boolean => doc !== null && countWords(doc) > 0

/**
 * The file is the current voice comment or an audio file of the reviewer: no other file becomes visible to a student
 * this way.
 */
async function requireVoiceFile(tx: Tx, actor: Actor, submissionId: string, fileId: string): Promise<void> {
  const [row] = await tx
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
  if (!row) throw new Refusal('not_found')
  if (row.kind !== 'audio' && row.kind !== 'video') {
    throw new Refusal('wrong_type', { fields: { voiceFileId: ['format'] } })
  }
}

// JSON columns do not preserve the order of keys.
function isSameDraft(a: ReviewDraft, b: ReviewDraft): boolean {
  return stableJson(a) === stableJson(b)
}
