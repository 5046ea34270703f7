import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireLearningPlan } from '#lib/course/permission.ts'
import { requireQuizReader, requireReviewer } from '../permission.ts'
import { loadQuizPolicy } from '../policy.ts'
import { quiz } from '../table.ts'
import { publishAttempt, recordAttemptEvent, updateAttempt } from './finish.ts'
import type { GrantTime } from './schema.ts'
import { quizAttempt, quizAttemptEvent } from './table.ts'

/**
 * Adds time to a running attempt for an outage that the reviewer has checked, within the tenant's limit for one
 * attempt; the audit log records the author and the reason. Refuses with forbidden, plan_inactive, not_found,
 * unprocessable (attempt_finished, attempt_unlimited, outage_cap).
 */
export async function grantTime(actor: Actor, { attemptId, seconds, note }: GrantTime): Promise<{ deadlineAt: Date }> {
  requireQuizReader(actor)
  requireLearningPlan(actor)
  return inTenant(actor, async (tx) => {
    const [attempt] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)).for('update')
    if (!attempt) throw new Refusal('not_found')
    await requireReviewer(tx, actor, attempt.quizId)
    if (attempt.state !== 'inProgress' && attempt.state !== 'overdue') throw formRefusal('attempt_finished')
    if (attempt.deadlineAt === null) throw formRefusal('attempt_unlimited')
    await requireWithinCap(tx, attemptId, seconds)
    const deadlineAt = new Date(attempt.deadlineAt.getTime() + seconds * 1000)
    await updateAttempt(tx, attemptId, {
      deadlineAt,
      state: 'inProgress',
      extraTimeSec: attempt.extraTimeSec + seconds,
    })
    await recordAttemptEvent(tx, attempt, 'timeGranted', { by: actor.membershipId, seconds, note })
    const [row] = await tx.select({ title: quiz.title }).from(quiz).where(eq(quiz.id, attempt.quizId))
    await recordAuditEntry(tx, actor, {
      action: 'attempt.time_granted',
      objectId: attemptId,
      objectName: row?.title ?? '',
      before: { deadlineAt: attempt.deadlineAt.toISOString() },
      after: { deadlineAt: deadlineAt.toISOString(), seconds, note },
    })
    await publishAttempt(attemptId, { event: 'timeGranted', questionId: null, revision: null })
    return { deadlineAt }
  })
}

async function requireWithinCap(tx: Tx, attemptId: string, seconds: number): Promise<void> {
  const [{ outageCapMinutes: minutes }, [given]] = await Promise.all([
    loadQuizPolicy(tx),
    tx
      .select({ seconds: sql<number>`coalesce(sum(${quizAttemptEvent.seconds}), 0)::int` })
      .from(quizAttemptEvent)
      .where(and(eq(quizAttemptEvent.attemptId, attemptId), eq(quizAttemptEvent.event, 'timeGranted'))),
  ])
  if ((given?.seconds ?? 0) + seconds > minutes * 60)
    throw new Refusal('unprocessable', { fields: { seconds: ['outage_cap'] }, variables: { minutes } })
}
