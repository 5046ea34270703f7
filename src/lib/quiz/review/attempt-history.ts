import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import type { AttemptEvent } from '#lib/core/shared/quiz.ts'
import { membership, user } from '#lib/user/table.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { quizAttemptEvent } from '../attempt/table.ts'
import { quizReview } from './table.ts'

const displayName = sql<string | null>`${personName(user)}`

/** An entry of an attempt's history. */
export interface AttemptHistoryEntry {
  event: AttemptEvent
  at: Date
  /** Null: the system, e.g. at the deadline. */
  by: string | null
  seconds: number | null
  note: string
}

const MAX_EVENTS = 200

/** The history of an attempt, oldest first. */
export function loadHistory(tx: Tx, attemptId: string): Promise<AttemptHistoryEntry[]> {
  return tx
    .select({
      event: quizAttemptEvent.event,
      at: quizAttemptEvent.at,
      by: displayName,
      seconds: quizAttemptEvent.seconds,
      note: quizAttemptEvent.note,
    })
    .from(quizAttemptEvent)
    .leftJoin(
      membership,
      and(eq(membership.tenantId, quizAttemptEvent.tenantId), eq(membership.id, quizAttemptEvent.by)),
    )
    .leftJoin(user, eq(user.id, membership.userId))
    .where(eq(quizAttemptEvent.attemptId, attemptId))
    .orderBy(asc(quizAttemptEvent.at), asc(quizAttemptEvent.id))
    .limit(MAX_EVENTS)
}

/** The review of an attempt with the name of its last editor; null before the first one. */
export async function loadReview(tx: Tx, attemptId: string) {
  const [row] = await tx
    .select({
      draft: quizReview.draft,
      revision: quizReview.revision,
      comment: quizReview.comment,
      editedAt: quizReview.editedAt,
      editedBy: displayName,
    })
    .from(quizReview)
    .leftJoin(membership, and(eq(membership.tenantId, quizReview.tenantId), eq(membership.id, quizReview.editedBy)))
    .leftJoin(user, eq(user.id, membership.userId))
    .where(eq(quizReview.attemptId, attemptId))
  return row ?? null
}

interface Adjacent {
  attemptId: string
  studentId: string
}

/** The attempts at the same test that wait for marks, submitted before and after this one. */
export async function loadAdjacentAttempts(
  tx: Tx,
  { id, quizId, submittedAt, startedAt }: QuizAttemptRow,
): Promise<{ previous: Adjacent | null; next: Adjacent | null }> {
  const at = (submittedAt ?? startedAt).toISOString()
  const adjacent = (isNext: boolean) => {
    const [compare, order] = isNext ? [sql.raw('>'), sql.raw('asc')] : [sql.raw('<'), sql.raw('desc')]
    return sql`(select json_build_object('attemptId', r.attempt_id, 'studentId', r.student_id) from quiz_review r
      where r.tenant_id = current_tenant() and r.quiz_id = ${quizId}::uuid and r.state = 'waiting' and r.attempt_id <> ${id}::uuid
        and (date_trunc('milliseconds', r.submitted_at), r.attempt_id) ${compare} (${at}::timestamptz, ${id}::uuid)
      order by r.submitted_at ${order}, r.attempt_id ${order} limit 1)`
  }
  const { rows } = await tx.execute<{ previous: Adjacent | null; next: Adjacent | null }>(
    sql`select ${adjacent(false)} as previous, ${adjacent(true)} as next`,
  )
  return rows[0] ?? { previous: null, next: null }
}
