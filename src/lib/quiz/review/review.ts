import { eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import type { AttemptState } from '#lib/core/shared/quiz.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { requireLearningPlan } from '#lib/course/permission.ts'
import { gradeAttempt, publishAttempt, recordAttemptEvent } from '../attempt/finish.ts'
import { loadFrozenContents } from '../attempt/frozen/contents.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { quizAnswer, quizAttempt } from '../attempt/table.ts'
import { requireQuizReader, requireReviewer } from '../permission.ts'
import { quiz } from '../table.ts'
import {
  canBeMarked,
  compactDraft,
  overmarkedQuestions,
  type ReviewedAnswer,
  releasedReview,
  unmarkedQuestions,
} from './rules.ts'
import type { AttemptReviewDraft, FinishAttemptReview, SaveAttemptReview } from './schema.ts'
import { quizReview } from './table.ts'

/** The student is notified after this time, so that a mark that is corrected immediately causes one email. */
const NOTIFY_AFTER_MS = MINUTE_MS

/**
 * Saves the draft of a review; it is not visible to the student. The same draft again changes nothing. Refuses with
 * forbidden, plan_inactive, not_found, unprocessable (attempt_not_submitted), and with conflict and the newer draft
 * when another user has saved it since `revision`.
 */
export async function saveAttemptReview(actor: Actor, input: SaveAttemptReview): Promise<{ revision: number }> {
  requireQuizReader(actor)
  requireLearningPlan(actor)
  return inTenant(actor, async (tx) => {
    const locked = await lockReview(tx, actor, input.attemptId)
    const { attempt, stored, revision } = locked
    const draft = compactDraft(input.draft, questionIdsOf(attempt))
    if (stableJson(draft) === stableJson(stored)) return { revision }
    if (revision !== input.revision) throw await draftConflict(tx, locked)
    const edited = { draft, revision: revision + 1, editedBy: actor.membershipId, editedAt: new Date() }
    await tx
      .insert(quizReview)
      .values({ ...(await reviewPlace(tx, attempt)), state: 'reviewed', ...edited })
      .onConflictDoUpdate({ target: [quizReview.tenantId, quizReview.attemptId], set: edited })
    return { revision: revision + 1 }
  })
}

/** An attempt after its review. */
export interface ReviewedAttempt {
  state: AttemptState
  score: number | null
  passed: boolean | null
}

/**
 * Releases the marks and comments of the draft to the student: score and result are recomputed, and the student is
 * notified. A second call without changes does nothing. Refuses as saveAttemptReview, and with unprocessable while an
 * answer has no mark (review_marks_missing) or more than its points (review_mark_above).
 */
export async function finishAttemptReview(actor: Actor, input: FinishAttemptReview): Promise<ReviewedAttempt> {
  requireQuizReader(actor)
  requireLearningPlan(actor)
  const { attemptId } = input
  return inTenant(actor, async (tx) => {
    const locked = await lockReview(tx, actor, attemptId)
    const { attempt, stored, revision } = locked
    if (revision !== input.revision) throw await draftConflict(tx, locked)
    const hasChanges = (locked.review?.draft ?? null) !== null
    if (attempt.state === 'graded' && !hasChanges) return toReviewed(attempt)
    requireComplete(await loadReviewedAnswers(tx, attempt, locked.answers), stored)
    await writeMarks(tx, actor, locked)
    const reviewedAt = new Date()
    const reviewed = {
      state: 'reviewed' as const,
      draft: null,
      comment: stored.comment,
      reviewedBy: actor.membershipId,
      reviewedAt,
    }
    await tx
      .insert(quizReview)
      .values({ ...(await reviewPlace(tx, attempt)), ...reviewed })
      .onConflictDoUpdate({ target: [quizReview.tenantId, quizReview.attemptId], set: reviewed })
    const graded = await gradeAttempt(tx, attempt)
    await recordAttemptEvent(tx, attempt, 'graded', { by: actor.membershipId, at: reviewedAt })
    await enqueueJob(
      'quiz.sendResultEmail',
      { tenantId: actor.tenantId, attemptId, reviewedAt: reviewedAt.toISOString() },
      { startAfter: new Date(reviewedAt.getTime() + NOTIFY_AFTER_MS) },
    )
    await publishAttempt(attemptId, { event: 'finished', questionId: null, revision: null })
    return toReviewed(graded)
  })
}

type LockedReview = Awaited<ReturnType<typeof lockReview>>

/** An ended attempt that the actor reviews, locked until the transaction ends, with its answers and the draft. */
async function lockReview(tx: Tx, actor: Actor, attemptId: string) {
  const [attempt] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)).for('update')
  if (!attempt) throw new Refusal('not_found')
  const [, answers, [review]] = await Promise.all([
    requireReviewer(tx, actor, attempt.quizId),
    tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, attemptId)),
    tx.select().from(quizReview).where(eq(quizReview.attemptId, attemptId)),
  ])
  if (!canBeMarked(attempt.state)) throw formRefusal('attempt_not_submitted')
  const stored = review?.draft ?? releasedReview(answers, review?.comment ?? '', questionIdsOf(attempt))
  return { attempt, answers, review, stored, revision: review?.revision ?? 0 }
}

const questionIdsOf = ({ questions }: QuizAttemptRow): string[] => questions.map(({ questionId }) => questionId)

async function draftConflict(tx: Tx, { review, stored, revision }: LockedReview): Promise<Refusal> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select ${personNameIn('u')} as name
      from membership m join "user" u on u.id = m.user_id
     where m.tenant_id = current_tenant() and m.id = ${review?.editedBy ?? null}::uuid`)
  const by = rows[0]?.name ?? ''
  return new Refusal('conflict', {
    fields: { form: ['review_version'] },
    data: { version: revision, draft: stored, by },
  })
}

async function loadReviewedAnswers(
  tx: Tx,
  { questions }: QuizAttemptRow,
  answers: LockedReview['answers'],
): Promise<ReviewedAnswer[]> {
  const contents = await loadFrozenContents(tx, questions)
  return questions.flatMap(({ questionId, points }) => {
    const content = contents.get(questionId)
    const answer = answers.find((row) => row.questionId === questionId)
    return content ? [{ questionId, type: content.type, points, hasAnswer: (answer?.value ?? null) !== null }] : []
  })
}

function requireComplete(answers: readonly ReviewedAnswer[], draft: AttemptReviewDraft): void {
  const missing = unmarkedQuestions(answers, draft)
  if (missing.length > 0)
    throw new Refusal('unprocessable', {
      fields: { form: ['review_marks_missing'] },
      variables: { count: missing.length },
      data: { questionIds: missing },
    })
  const above = overmarkedQuestions(answers, draft)
  if (above.length > 0)
    throw new Refusal('unprocessable', {
      fields: { form: ['review_mark_above'] },
      data: { questionIds: above },
    })
}

/**
 * Writes the marks of the draft to the answers; marks and comments that were removed in the draft are removed there
 * too.
 */
async function writeMarks(tx: Tx, actor: Actor, { attempt, answers, stored }: LockedReview): Promise<void> {
  const known = new Set([...Object.keys(stored.marks), ...answers.map(({ questionId }) => questionId)])
  const rows = questionIdsOf(attempt)
    .filter((questionId) => known.has(questionId))
    .map((questionId) => ({
      questionId,
      score: stored.marks[questionId]?.score ?? null,
      comment: stored.marks[questionId]?.comment ?? '',
    }))
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into quiz_answer as a (tenant_id, attempt_id, question_id, score, manual_score, comment, graded_by, graded_at)
    select current_tenant(), ${attempt.id}, r."questionId", 0, r.score, r.comment, ${actor.membershipId}, now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("questionId" uuid, score numeric, comment text)
    on conflict (tenant_id, attempt_id, question_id) do update
      set manual_score = excluded.manual_score, comment = excluded.comment,
          graded_by = excluded.graded_by, graded_at = excluded.graded_at
      where (a.manual_score, a.comment) is distinct from (excluded.manual_score, excluded.comment)`)
}

/** The columns that add a review to the queue, for an attempt that was never in it. */
async function reviewPlace(tx: Tx, { tenantId, id, quizId, studentId, submittedAt, startedAt }: QuizAttemptRow) {
  const [row] = await tx.select({ courseId: quiz.courseId }).from(quiz).where(eq(quiz.id, quizId))
  if (!row?.courseId) throw new Refusal('not_found')
  return { tenantId, attemptId: id, quizId, courseId: row.courseId, studentId, submittedAt: submittedAt ?? startedAt }
}

const toReviewed = ({ state, score, passed }: QuizAttemptRow): ReviewedAttempt => ({ state, score, passed })
