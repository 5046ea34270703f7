import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { courseStaff } from '#lib/course/table.ts'
import { assignReviews, listReviewsOf } from '#lib/quiz/review/assign-reviews.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent, task } from '../table.ts'
import { updateLessonState } from '../task/lesson-state.ts'
import { lockRow, publishLock, recordEvent } from './lock.ts'
import { idArray, type QueueScope } from './queue-sql.ts'
import { recordVerdict, requireReopenable } from './review.ts'
import { canReview, holdsLock } from './rules.ts'
import {
  type AssignSubmissions,
  type BulkSkipReason,
  LOCK_MINUTES,
  type SubmissionIds,
  VERDICT_RECALL_SECONDS,
} from './schema.ts'
import { loadScope, requireReviewing } from './scope.ts'

export interface AcceptancePreview {
  submissionId: string
  student: string
  task: string
  /** Why the submission would be skipped; null when it would be accepted. */
  skip: BulkSkipReason | null
}

/**
 * Previews the acceptance of several submissions: which ones would be accepted, and which skipped for which reason;
 * attempts at tests are always skipped. Refuses as acceptSubmissions.
 */
export function previewAccept(actor: Actor, input: SubmissionIds): Promise<AcceptancePreview[]> {
  requireReviewing(actor)
  const { submissionIds } = input
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const [rows, attempts] = await Promise.all([
      loadSubmissions(tx, scope, submissionIds),
      listReviewsOf(tx, submissionIds, scope),
    ])
    if (rows.length === 0 && attempts.length === 0) throw new Refusal('not_found')
    return [
      ...rows.map(({ id, student, task: title, ...row }) => {
        return { submissionId: id, student, task: title, skip: skipReasonOf(actor, row) }
      }),
      // The answers of a test need marks.
      ...attempts.map(({ attemptId, state, title, student }) => {
        const skip: BulkSkipReason = state === 'waiting' ? 'needsScore' : 'notWaiting'
        return { submissionId: attemptId, student, task: title, skip }
      }),
    ]
  })
}

/**
 * Accepts several waiting submissions that need no points, in one transaction. Submissions that are already reviewed,
 * locked by another reviewer or need points are skipped. Returns the ids of the accepted ones. Refuses with forbidden,
 * plan_inactive.
 */
export function acceptSubmissions(actor: Actor, input: SubmissionIds): Promise<{ accepted: string[] }> {
  requireReviewing(actor)
  const { submissionIds } = input
  return inTenant(actor, async (tx) => {
    const rows = await loadSubmissions(tx, await loadScope(tx, actor), submissionIds, true)
    if (rows.length === 0) throw new Refusal('not_found')
    const acceptable = rows.filter((row) => skipReasonOf(actor, row) === null)
    for (const { id, studentId, lessonId } of acceptable) {
      await recordVerdict(tx, actor, { submissionId: id, state: 'accepted', studentId, lessonId })
    }
    return { accepted: acceptable.map(({ id }) => id) }
  })
}

/**
 * Recalls verdicts that the actor gave within VERDICT_RECALL_SECONDS, before the students were notified: the submissions are
 * waiting again. Other submissions are skipped. Returns the ids of the recalled ones. Refuses with forbidden,
 * plan_inactive.
 */
export function recallVerdicts(actor: Actor, input: SubmissionIds): Promise<{ recalled: string[] }> {
  requireReviewing(actor)
  const { submissionIds } = input
  return inTenant(actor, async (tx) => {
    const recalled: string[] = []
    for (const submissionId of submissionIds) {
      const locked = await lockRow(tx, actor, submissionId)
      const isRecent = locked.reviewedAt && Date.now() - locked.reviewedAt.getTime() < VERDICT_RECALL_SECONDS * 1000
      if (locked.reviewedBy !== actor.membershipId || !isRecent) continue
      await requireReopenable(tx, locked, submissionId)
      await tx
        .update(submission)
        .set({ state: 'submitted', reviewedBy: null, reviewedAt: null, updatedAt: new Date() })
        .where(eq(submission.id, submissionId))
      await recordEvent(tx, actor, submissionId, 'reopened')
      await updateLessonState(tx, actor, locked)
      await publishLock(submissionId, { state: 'submitted', holder: null })
      recalled.push(submissionId)
    }
    return { recalled }
  })
}

/**
 * Assigns waiting submissions and attempts at tests to a reviewer, or to nobody with null. Those of courses that the
 * reviewer is not responsible for are skipped. Returns the assigned ids. Refuses with forbidden, plan_inactive, and
 * not_found for a member who is not a reviewer.
 */
export function assignSubmissions(actor: Actor, input: AssignSubmissions): Promise<{ assigned: string[] }> {
  requireReviewing(actor)
  const { submissionIds, memberId } = input
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    await requireVisible(tx, scope, submissionIds)
    const reviewerScope = memberId === null ? null : await findReviewerScope(tx, memberId)
    const rows = await tx
      .update(submission)
      .set({ assignedTo: memberId, updatedAt: new Date() })
      .where(
        and(
          inArray(submission.id, submissionIds),
          inArray(submission.state, ['submitted', 'in_review']),
          scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
          reviewerScope ? sql`${submission.courseId} = any(${idArray(reviewerScope)})` : undefined,
        ),
      )
      .returning({ id: submission.id })
    const events = rows.map(({ id }) => {
      return { tenantId: actor.tenantId, submissionId: id, event: 'assigned' as const, by: actor.membershipId }
    })
    if (events.length > 0) await tx.insert(submissionEvent).values(events)
    const attempts = await assignReviews(tx, {
      attemptIds: submissionIds,
      memberId,
      courses: [scope, reviewerScope],
    })
    return { assigned: [...rows.map(({ id }) => id), ...attempts] }
  })
}

/** Refuses with not_found when the actor may see none of the submissions and attempts. */
async function requireVisible(tx: Tx, scope: QueueScope, submissionIds: string[]): Promise<void> {
  const [visible] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(
      and(
        inArray(submission.id, submissionIds),
        sql`${submission.state} <> 'draft'`,
        scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
      ),
    )
    .limit(1)
  if (!visible && (await listReviewsOf(tx, submissionIds, scope)).length === 0) throw new Refusal('not_found')
}

/** The courses whose submissions a member may review; null: all. Refuses with not_found. */
async function findReviewerScope(tx: Tx, memberId: string): Promise<string[] | null> {
  const [reviewer] = await tx
    .select({ roles: membership.roles, accountType: membership.accountType })
    .from(membership)
    .where(eq(membership.id, memberId))
  if (!reviewer || reviewer.accountType === 'ACCOUNT_TYPE_STUDENT') throw new Refusal('not_found')
  const roles = reviewer.accountType === 'ACCOUNT_TYPE_PRODUCT_OWNER' ? (['OWNER'] as const) : reviewer.roles
  if (canReview({ roles: [...roles] }, false).allow) return null
  if (!canReview({ roles: [...roles] }, true).allow) throw new Refusal('not_found')
  const rows = await tx
    .select({ courseId: courseStaff.courseId })
    .from(courseStaff)
    .where(isActingAs(courseStaff.memberId, memberId))
  return rows.map(({ courseId }) => courseId)
}

function loadSubmissions(tx: Tx, scope: QueueScope, submissionIds: readonly string[], isLocking = false) {
  const query = tx
    .select({
      id: submission.id,
      state: submission.state,
      lockedBy: submission.lockedBy,
      lockedAt: submission.lockedAt,
      studentId: submission.studentId,
      lessonId: submission.lessonId,
      score: submission.score,
      task: task.title,
      grading: task.grading,
      rubric: task.rubric,
      student: personName(user),
    })
    .from(submission)
    .innerJoin(task, eq(task.id, submission.taskId))
    .innerJoin(membership, eq(membership.id, submission.studentId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        inArray(submission.id, [...submissionIds]),
        sql`${submission.state} <> 'draft'`,
        scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
      ),
    )
    .orderBy(submission.submittedAt, submission.id)
  return isLocking ? query.for('update', { of: submission }) : query
}

type Candidate = Pick<
  Awaited<ReturnType<typeof loadSubmissions>>[number],
  'state' | 'lockedBy' | 'lockedAt' | 'grading' | 'rubric'
>

function skipReasonOf(actor: Actor, candidate: Candidate): BulkSkipReason | null {
  if (candidate.state !== 'submitted' && candidate.state !== 'in_review') return 'notWaiting'
  if (candidate.lockedBy !== actor.membershipId && holdsLock(candidate, LOCK_MINUTES)) return 'locked'
  // Points require a review of the submission: there is no default.
  return candidate.grading === 'points' || candidate.rubric.length > 0 ? 'needsScore' : null
}
