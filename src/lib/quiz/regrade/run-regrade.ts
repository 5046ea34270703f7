import { and, asc, eq, gt, ne } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type AttemptState, RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import { gradeAttempt, recordAttemptEvent, updateAttempt } from '../attempt/finish.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { isFeedbackDue } from '../attempt/rules.ts'
import { quizAttempt } from '../attempt/table.ts'
import { emailResult } from '../review/result-email.ts'
import { quiz } from '../table.ts'
import { withCorrectedKeys } from './corrected-keys.ts'
import { quizRegrade } from './table.ts'

const BATCH = 50

/**
 * Grades the attempts at a test again, one batch per transaction. Manual marks and comments are kept. Students whose
 * score or result has changed are notified, as far as the test shows results. A repeated job continues where the
 * interrupted one stopped.
 */
export async function runRegrade(
  { tenantId, regradeId }: { tenantId: string; regradeId: string },
  run?: Pick<JobRun, 'signal'>,
): Promise<void> {
  for (;;) {
    run?.signal.throwIfAborted()
    const isDone = await inTenant({ tenantId }, (tx) => regradeBatch(tx, regradeId))
    if (isDone) return
  }
}

async function regradeBatch(tx: Tx, regradeId: string): Promise<boolean> {
  const [regrade] = await tx.select().from(quizRegrade).where(eq(quizRegrade.id, regradeId)).for('update')
  if (regrade?.state !== 'running') return true
  const { quizId, lastAttemptId, keys, checked, changed } = regrade
  const [[settings], attempts] = await Promise.all([
    tx
      .select({ feedback: quiz.feedback, closeAt: quiz.closeAt, show: quiz.show })
      .from(quiz)
      .where(eq(quiz.id, quizId)),
    tx
      .select()
      .from(quizAttempt)
      .where(
        and(
          eq(quizAttempt.quizId, quizId),
          ne(quizAttempt.state, 'abandoned'),
          lastAttemptId ? gt(quizAttempt.id, lastAttemptId) : undefined,
        ),
      )
      .orderBy(asc(quizAttempt.id))
      .limit(BATCH)
      .for('update'),
  ])
  const last = attempts.at(-1)
  if (!settings || !last) {
    await tx.update(quizRegrade).set({ state: 'done', finishedAt: new Date() }).where(eq(quizRegrade.id, regradeId))
    return true
  }
  const versions = new Map(keys.map(({ questionId, version }) => [questionId, version]))
  const isShown = (state: AttemptState) => settings.show.score && isFeedbackDue(settings, state, new Date())
  let changes = 0
  for (const attempt of attempts) {
    if (!(await regradeAttempt(tx, attempt, versions))) continue
    changes += 1
    const { id: attemptId, state } = attempt
    if (isShown(state)) await emailResult(tx, { attemptId, about: 'regraded', onceKey: regradeId })
  }
  await tx
    .update(quizRegrade)
    .set({ lastAttemptId: last.id, checked: checked + attempts.length, changed: changed + changes })
    .where(eq(quizRegrade.id, regradeId))
  return false
}

/**
 * Grades an attempt by the corrected keys; a running attempt is scored by them later. Returns whether its result
 * changed.
 */
async function regradeAttempt(
  tx: Tx,
  attempt: QuizAttemptRow,
  versions: ReadonlyMap<string, number>,
): Promise<boolean> {
  const questions = withCorrectedKeys(attempt.questions, versions)
  if (!questions) return false
  await updateAttempt(tx, attempt.id, { questions })
  if (RUNNING_STATES.includes(attempt.state)) return false
  const { score, passed } = await gradeAttempt(tx, { ...attempt, questions })
  if (score === attempt.score && passed === attempt.passed) return false
  await recordAttemptEvent(tx, attempt, 'regraded')
  return true
}
