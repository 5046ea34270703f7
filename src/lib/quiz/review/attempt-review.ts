import { and, asc, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { AttemptState } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { requireAllowed } from '#lib/course/permission.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { quizAttempt } from '../attempt/table.ts'
import { requireQuizReader } from '../permission.ts'
import { canReviewAttempts } from '../rules.ts'
import { loadAttemptAnswers, type ReviewAnswerView } from './attempt-answers.ts'
import { type AttemptHistoryEntry, loadAdjacentAttempts, loadHistory, loadReview } from './attempt-history.ts'
import {
  loadAllowance,
  loadPlace,
  loadReviewedStudent,
  type ReviewedStudent,
  type StudentAllowance,
} from './attempt-place.ts'
import { canBeMarked } from './rules.ts'
import type { AttemptReviewDraft, GetAttemptReview } from './schema.ts'

/** An attempt in the list of a student's attempts. */
export interface AttemptSummary {
  id: string
  number: number
  state: AttemptState
  startedAt: Date
  submittedAt: Date | null
  deadlineAt: Date | null
  extraTimeSec: number
  score: number | null
  maxScore: number
  passed: boolean | null
}

/** The attempt whose answers are shown. */
export interface ReviewedAttemptView extends AttemptSummary {
  /** Whether marks can be given: the attempt was submitted. */
  canMark: boolean
  answers: ReviewAnswerView[]
  draft: AttemptReviewDraft
  revision: number
  /** The author and time of the last change of the draft, while it is not released. */
  edited: { by: string; at: Date } | null
  history: AttemptHistoryEntry[]
  /** Attempts at the test that wait for marks, before and after this one. */
  previous: AdjacentAttempt | null
  next: AdjacentAttempt | null
}

export interface AdjacentAttempt {
  attemptId: string
  studentId: string
}

export interface AttemptReviewPage {
  quiz: { id: string; title: string; passPercent: number }
  course: { id: string; title: string }
  student: ReviewedStudent
  allowance: StudentAllowance
  attempts: AttemptSummary[]
  /** Null before the first attempt. */
  attempt: ReviewedAttemptView | null
}

/**
 * The data of the review page of a student's attempts, in three round trips. Refuses with forbidden, not_found (test,
 * student, attempt; also a student without access to the test's course and without attempts).
 */
export async function getAttemptReview(
  actor: Actor,
  input: GetAttemptReview,
  context: { locale: Locale; t: Translate },
): Promise<AttemptReviewPage> {
  requireQuizReader(actor)
  const { quizId, studentId, attemptId } = input
  return inTenant(actor, async (tx) => {
    const [place, student, attempts, allowance] = await Promise.all([
      loadPlace(tx, actor, quizId),
      loadReviewedStudent(tx, quizId, studentId),
      loadAttempts(tx, quizId, studentId),
      loadAllowance(tx, quizId, studentId),
    ])
    if (!place) throw new Refusal('not_found')
    requireAllowed(canReviewAttempts(actor, place.isAssigned))
    if (!student || (attempts.length === 0 && !student.hasAccess)) throw new Refusal('not_found')
    const chosen = attemptId ? attempts.find(({ id }) => id === attemptId) : defaultAttempt(attempts)
    if (attemptId && !chosen) throw new Refusal('not_found')
    const { quiz, course } = place
    return {
      quiz,
      course,
      student: student.view,
      allowance,
      attempts: attempts.map(toSummary),
      attempt: chosen ? await loadChosen(tx, actor, chosen, context) : null,
    }
  })
}

function loadAttempts(tx: Tx, quizId: string, studentId: string): Promise<QuizAttemptRow[]> {
  return tx
    .select()
    .from(quizAttempt)
    .where(and(eq(quizAttempt.quizId, quizId), eq(quizAttempt.studentId, studentId)))
    .orderBy(asc(quizAttempt.number))
}

/** The first attempt that waits for marks, otherwise the last one. */
const defaultAttempt = (attempts: readonly QuizAttemptRow[]): QuizAttemptRow | undefined =>
  attempts.find(({ state }) => state === 'needsReview') ?? attempts.at(-1)

async function loadChosen(
  tx: Tx,
  actor: Actor,
  attempt: QuizAttemptRow,
  context: { locale: Locale; t: Translate },
): Promise<ReviewedAttemptView> {
  const [{ answers, released }, review, history, adjacent] = await Promise.all([
    loadAttemptAnswers(tx, actor, attempt, context),
    loadReview(tx, attempt.id),
    loadHistory(tx, attempt.id),
    loadAdjacentAttempts(tx, attempt),
  ])
  const draft = review?.draft ?? { ...released, comment: review?.comment ?? '' }
  return {
    ...toSummary(attempt),
    canMark: canBeMarked(attempt.state),
    answers,
    draft,
    revision: review?.revision ?? 0,
    edited: review?.draft && review.editedAt ? { by: review.editedBy ?? '', at: review.editedAt } : null,
    history,
    ...adjacent,
  }
}

function toSummary(attempt: QuizAttemptRow): AttemptSummary {
  const { id, number, state, startedAt, submittedAt, deadlineAt, extraTimeSec, score, maxScore, passed } = attempt
  return { id, number, state, startedAt, submittedAt, deadlineAt, extraTimeSec, score, maxScore, passed }
}
