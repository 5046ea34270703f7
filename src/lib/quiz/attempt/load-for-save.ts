import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { questionVersion } from '../question/table.ts'
import type { QuizAttemptRow } from './offer.ts'
import { attemptPhase, pageOfQuestion } from './rules.ts'
import { quizAttempt } from './table.ts'

/** The fields of an attempt that a save depends on. */
export type SavedAttempt = Pick<
  QuizAttemptRow,
  'studentId' | 'state' | 'deadlineAt' | 'questions' | 'rules' | 'page' | 'partKey'
>

/**
 * The attempt and the frozen content of a question, in one statement. Saves of one attempt do not wait for each other;
 * a submission waits for running saves, and later saves see its state. Refuses with not_found.
 */
export async function loadForSave(tx: Tx, actor: Actor, attemptId: string, questionId: string) {
  const frozenVersion = sql`(select (frozen ->> 'version')::int from jsonb_array_elements(${quizAttempt.questions}) frozen
    where frozen ->> 'questionId' = ${questionId})`
  const [row] = await tx
    .select({
      attempt: {
        studentId: quizAttempt.studentId,
        state: quizAttempt.state,
        deadlineAt: quizAttempt.deadlineAt,
        questions: quizAttempt.questions,
        rules: quizAttempt.rules,
        page: quizAttempt.page,
        partKey: quizAttempt.partKey,
        startedAt: quizAttempt.startedAt,
        lastSavedAt: sql<string | null>`(select max(a.saved_at) from quiz_answer a
          where a.tenant_id = ${quizAttempt.tenantId} and a.attempt_id = ${quizAttempt.id})`,
      },
      content: questionVersion.content,
    })
    .from(quizAttempt)
    .innerJoin(
      questionVersion,
      and(
        eq(questionVersion.tenantId, quizAttempt.tenantId),
        eq(questionVersion.questionId, questionId),
        eq(questionVersion.version, frozenVersion),
      ),
    )
    .where(eq(quizAttempt.id, attemptId))
    .for('share', { of: quizAttempt })
  if (row?.attempt.studentId !== actor.membershipId) throw new Refusal('not_found')
  return row
}

/**
 * Refuses with unprocessable a change of an answer after the end of the attempt (attempt_finished, attempt_over) and on
 * a page that forward navigation has closed (answer_page).
 */
export function requireOpenQuestion(attempt: SavedAttempt, questionId: string, now: Date): void {
  const obstacle = findObstacle(attempt, questionId, now)
  if (obstacle) throw obstacle
}

/** The refusal of a change of an answer, see `requireOpenQuestion`; null when it can be changed. */
export function findObstacle(attempt: SavedAttempt, questionId: string, now: Date): Refusal | null {
  if (attempt.state !== 'inProgress') return formRefusal('attempt_finished')
  if (attemptPhase(attempt, now) !== 'open') return formRefusal('attempt_over')
  const index = attempt.questions.findIndex((frozen) => frozen.questionId === questionId)
  const isPast = pageOfQuestion(index, attempt.rules.perPage) < attempt.page
  return attempt.rules.navigation === 'forward' && isPast ? formRefusal('answer_page') : null
}
