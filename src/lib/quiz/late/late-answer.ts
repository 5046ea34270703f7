import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireLearningPlan } from '#lib/course/permission.ts'
import { shownIdsOf } from '../attempt/describe/part-ids.ts'
import { answerFileIdsOf } from '../attempt/files/answer-files.ts'
import { gradeAttempt, publishAttempt, recordAttemptEvent } from '../attempt/finish.ts'
import { findObstacle, loadForSave } from '../attempt/load-for-save.ts'
import { saveAnswer, storedAnswerFor } from '../attempt/save-answer.ts'
import type { SaveAnswer } from '../attempt/schema.ts'
import { quizAnswer, quizAttempt } from '../attempt/table.ts'
import { requireQuizReader, requireQuizStudent, requireReviewer } from '../permission.ts'
import { openReview } from '../review/open-review.ts'
import { canAcceptLate } from '../review/rules.ts'
import { quiz } from '../table.ts'
import type { AcceptLateAnswer } from './schema.ts'
import { quizLateAnswer } from './table.ts'

/** Answers of this many revisions are kept for one question; a further one stays on its device. */
const MAX_LATE = 20

/**
 * Keeps an answer that cannot be saved any more, so that it is not lost: it is shown to the student and to reviewers and
 * is not scored. An answer that can still be saved is saved; one that is saved already is acknowledged. `late` tells
 * which of them. A repeated call changes nothing. Refuses with forbidden, not_found, unprocessable (answer_type,
 * late_many).
 */
export async function saveLateAnswer(
  actor: Actor,
  input: SaveAnswer,
  now = new Date(),
): Promise<{ questionId: string; revision: number; late: boolean }> {
  requireQuizStudent(actor)
  const { attemptId, questionId, revision, value } = input
  const kept = await inTenant(actor, async (tx) => {
    const { attempt, content } = await loadForSave(tx, actor, attemptId, questionId)
    const [saved] = await tx
      .select()
      .from(quizAnswer)
      .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
    if (!saved?.closedAt && !findObstacle(attempt, questionId, now)) return null
    const stored = storedAnswerFor(content, value, shownIdsOf(attempt.partKey, questionId))
    // Their uploads write the late answer.
    if (stored?.type === 'fileUpload') throw formRefusal('answer_type')
    const acknowledged = { questionId, revision }
    if (stored === null || isDeepStrictEqual(saved?.value, stored)) return { ...acknowledged, late: false }
    await requireFewLate(tx, attemptId, questionId)
    await tx
      .insert(quizLateAnswer)
      .values({ tenantId: actor.tenantId, attemptId, questionId, revision, value: stored, receivedAt: now })
      .onConflictDoNothing()
    return { ...acknowledged, late: true }
  })
  return kept ?? { ...(await saveAnswer(actor, input, now)), late: false }
}

/**
 * Puts a late answer in the place of the saved one, or adds its files, and scores the attempt again; the history of the attempt and the
 * audit log record it. An abandoned attempt is scored with it: the reviewer has decided that it was written in time. A
 * second call changes nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable
 * (attempt_not_submitted).
 */
export async function acceptLateAnswer(actor: Actor, input: AcceptLateAnswer, now = new Date()): Promise<void> {
  requireQuizReader(actor)
  requireLearningPlan(actor)
  const { attemptId, questionId, revision } = input
  await inTenant(actor, async (tx) => {
    const [attempt] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)).for('update')
    if (!attempt) throw new Refusal('not_found')
    await requireReviewer(tx, actor, attempt.quizId)
    const isLate = and(
      eq(quizLateAnswer.attemptId, attemptId),
      eq(quizLateAnswer.questionId, questionId),
      eq(quizLateAnswer.revision, revision),
    )
    const [late] = await tx.select().from(quizLateAnswer).where(isLate)
    if (!late) throw new Refusal('not_found')
    if (!canAcceptLate(attempt.state)) throw formRefusal('attempt_not_submitted')
    if (late.acceptedAt) return
    const { tenantId, membershipId } = actor
    await tx.update(quizLateAnswer).set({ acceptedAt: now, acceptedBy: membershipId }).where(isLate)
    const accepted = { value: await acceptedValue(tx, late), manualScore: null }
    await tx
      .insert(quizAnswer)
      .values({ tenantId, attemptId, questionId, revision, savedAt: late.receivedAt, ...accepted })
      .onConflictDoUpdate({ target: [quizAnswer.tenantId, quizAnswer.attemptId, quizAnswer.questionId], set: accepted })
    const graded = await gradeAttempt(tx, attempt)
    if (graded.state === 'needsReview') await openReview(tx, attempt, attempt.submittedAt ?? now)
    await recordAttemptEvent(tx, attempt, 'lateAccepted', { by: membershipId, at: now })
    const [row] = await tx.select({ title: quiz.title }).from(quiz).where(eq(quiz.id, attempt.quizId))
    await recordAuditEntry(tx, actor, {
      action: 'attempt.late_accepted',
      objectId: attemptId,
      objectName: row?.title ?? '',
      before: { score: attempt.score },
      after: { score: graded.score },
    })
    await publishAttempt(attemptId, { event: 'finished', questionId: null, revision: null })
  })
}

/** Late files are added to the saved ones, any other late answer replaces the saved one. */
async function acceptedValue(tx: Tx, { attemptId, questionId, value }: typeof quizLateAnswer.$inferSelect) {
  if (value.type !== 'fileUpload') return value
  const [saved] = await tx
    .select({ value: quizAnswer.value })
    .from(quizAnswer)
    .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
  return { ...value, fileIds: [...new Set([...answerFileIdsOf(saved?.value ?? null), ...value.fileIds])] }
}

async function requireFewLate(tx: Tx, attemptId: string, questionId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(quizLateAnswer)
    .where(and(eq(quizLateAnswer.attemptId, attemptId), eq(quizLateAnswer.questionId, questionId)))
  if ((row?.count ?? 0) >= MAX_LATE) throw formRefusal('late_many')
}
