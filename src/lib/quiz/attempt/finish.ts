import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import { publish } from '#lib/core/live/live.ts'
import type { AttemptEvent, AttemptState } from '#lib/core/shared/quiz.ts'
import { enqueueAnalysis } from '../analysis/enqueue-analysis.ts'
import { updateTestProgress } from '../progress/update-progress.ts'
import { openReview } from '../review/open-review.ts'
import { isPassed, scoreAnswer, totalScore } from '../scoring/score.ts'
import { keyQuestions, loadFrozenContents } from './frozen/contents.ts'
import type { QuizAttemptRow } from './offer.ts'
import { attemptPhase } from './rules.ts'
import type { AttemptLiveEvent } from './schema.ts'
import { quizAnswer, quizAttempt, quizAttemptEvent } from './table.ts'

export const publishAttempt = (attemptId: string, event: AttemptLiveEvent): Promise<void> =>
  publish(`attempt:${attemptId}`, event)

/** Adds an entry to the history of an attempt; without `by` the system is the author. */
export async function recordAttemptEvent(
  tx: Tx,
  { tenantId, id: attemptId }: Pick<QuizAttemptRow, 'tenantId' | 'id'>,
  event: AttemptEvent,
  details: { by?: string; at?: Date; seconds?: number; note?: string } = {},
): Promise<void> {
  await tx.insert(quizAttemptEvent).values({ tenantId, attemptId, event, ...details })
}

/**
 * Ends a running attempt whose time is over: submits its saved answers, or abandons the attempt when the test is
 * configured so. The row must be locked for update. Returns the updated row.
 */
export async function settleAttempt(tx: Tx, attempt: QuizAttemptRow, now: Date): Promise<QuizAttemptRow> {
  const { state, deadlineAt, rules } = attempt
  if ((state !== 'inProgress' && state !== 'overdue') || deadlineAt === null) return attempt
  const phase = attemptPhase({ deadlineAt, rules }, now)
  if (phase === 'open') return attempt
  if (state === 'inProgress') await recordAttemptEvent(tx, attempt, 'expired', { at: deadlineAt })
  if (phase === 'grace') return updateAttempt(tx, attempt.id, { state: 'overdue' })
  if (rules.onExpiry === 'discard') {
    await recordAttemptEvent(tx, attempt, 'abandoned')
    const abandoned = await updateAttempt(tx, attempt.id, { state: 'abandoned', submittedAt: deadlineAt })
    await publishAttempt(attempt.id, { event: 'finished', questionId: null, revision: null })
    return abandoned
  }
  return finishAttempt(tx, attempt, deadlineAt)
}

/**
 * Submits a locked running attempt: scores the saved answers. With answers that have to be marked it waits for the
 * review.
 */
export async function finishAttempt(
  tx: Tx,
  attempt: QuizAttemptRow,
  submittedAt: Date,
  by?: string,
): Promise<QuizAttemptRow> {
  await recordAttemptEvent(tx, attempt, 'submitted', { at: submittedAt, ...(by ? { by } : {}) })
  const finished = await gradeAttempt(tx, attempt, submittedAt)
  if (finished.state === 'needsReview') await openReview(tx, attempt, submittedAt)
  await publishAttempt(attempt.id, { event: 'finished', questionId: null, revision: null })
  return finished
}

/**
 * Computes scores, result and state of a locked attempt from its answers by the current keys, and from the marks of
 * reviewers, which take precedence and are not changed.
 */
export async function gradeAttempt(
  tx: Tx,
  attempt: QuizAttemptRow,
  submittedAt: Date | null = attempt.submittedAt,
): Promise<QuizAttemptRow> {
  const scored = await scoreAttempt(tx, attempt)
  await writeScores(tx, attempt, scored)
  const graded = await updateAttempt(tx, attempt.id, { submittedAt, ...gradeColumns(attempt, scored) })
  if (graded.state === 'graded') await enqueueAnalysis(attempt)
  return graded
}

export interface ScoredAnswer {
  questionId: string
  hasRow: boolean
  /** By the rules; null while the answer waits for a mark. */
  score: number | null
  manualScore: number | null
}

/** Scores all questions of an attempt by the current keys; manual marks are not changed. */
async function scoreAttempt(tx: Tx, attempt: QuizAttemptRow): Promise<ScoredAnswer[]> {
  const [contents, answers] = await Promise.all([
    loadFrozenContents(tx, keyQuestions(attempt.questions)),
    tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, attempt.id)).orderBy(asc(quizAnswer.questionId)),
  ])
  return attempt.questions.flatMap(({ questionId, points }) => {
    const content = contents.get(questionId)
    if (!content) return []
    const answer = answers.find((row) => row.questionId === questionId)
    const score = scoreAnswer(content, answer?.value ?? null, { points, rules: attempt.rules })
    return [{ questionId, hasRow: answer !== undefined, score, manualScore: answer?.manualScore ?? null }]
  })
}

/** State, score and result of an attempt by its marks. */
function gradeColumns(
  { maxScore, rules }: QuizAttemptRow,
  scored: readonly ScoredAnswer[],
): { state: AttemptState; score: number | null; passed: boolean | null; gradedAt: Date | null } {
  const score = totalScore(scored.map(({ score, manualScore }) => manualScore ?? score))
  if (score === null) return { state: 'needsReview', score: null, passed: null, gradedAt: null }
  return { state: 'graded', score, passed: isPassed(score, maxScore, rules.passPercent), gradedAt: new Date() }
}

async function writeScores(tx: Tx, attempt: QuizAttemptRow, scored: readonly ScoredAnswer[]): Promise<void> {
  const rows = scored.filter(({ hasRow }) => hasRow).map(({ questionId, score }) => ({ questionId, score }))
  if (rows.length === 0) return
  await tx.execute(sql`
    update quiz_answer a set score = s.score
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s("questionId" uuid, score numeric)
    where a.tenant_id = current_tenant() and a.attempt_id = ${attempt.id} and a.question_id = s."questionId"`)
}

/**
 * Updates an attempt; when its result changes, the progress of its student in the lessons of the test is updated too.
 */
export async function updateAttempt(
  tx: Tx,
  attemptId: string,
  columns: Partial<typeof quizAttempt.$inferInsert>,
): Promise<QuizAttemptRow> {
  const [row] = await tx
    .update(quizAttempt)
    .set(columns)
    .where(and(eq(quizAttempt.id, attemptId)))
    .returning()
  if (!row) throw new Error('an attempt that was locked is not there')
  if (columns.passed !== undefined) await updateTestProgress(tx, row)
  if (columns.passed === false) {
    await requestAutomations(row.tenantId, 'testFailed', { studentId: row.studentId, subjectId: row.quizId })
  }
  return row
}
