import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { SUBMISSION_STATES, type SubmissionState } from '#lib/core/shared/learning.ts'
import { recordHomework } from '#lib/course/learning/progress.ts'

/** Ordered from the state furthest from acceptance. */
const STATES_FROM_FURTHEST: readonly SubmissionState[] = [
  'draft',
  'rejected',
  'returned',
  'submitted',
  'in_review',
  'accepted',
]

/**
 * Updates the homework state of a lesson in the course module after an attempt has changed, so that the next lesson
 * opens or closes in the same transaction. Of several tasks the required ones count; where none is required, all. The
 * last statement of the caller's transaction.
 */
export async function updateLessonState(
  tx: Tx,
  actor: Actor,
  { studentId, lessonId }: { studentId: string; lessonId: string },
): Promise<void> {
  const { rows } = await tx.execute<{ required: boolean; state: string | null; at: string | null }>(sql`
    select t.required, a.state, (extract(epoch from a.reviewed_at) * 1000)::bigint::text as at
    from task t left join lateral (
      select s.state, s.reviewed_at from submission s
      where s.tenant_id = t.tenant_id and s.task_id = t.id and s.student_id = ${studentId} and s.state <> 'draft'
      order by s.attempt desc limit 1) a on true
    where t.tenant_id = current_tenant() and t.lesson_id = ${lessonId} and t.deleted_at is null`)
  const required = rows.filter((row) => row.required)
  const counted = required.length > 0 ? required : rows
  const states = counted.map(({ state }) => SUBMISSION_STATES.find((known) => known === state) ?? 'draft')
  const state = STATES_FROM_FURTHEST.find((known) => states.includes(known)) ?? 'draft'
  const last = Math.max(...counted.map(({ at }) => Number(at ?? 0)))
  const acceptedAt = counted.length > 0 && state === 'accepted' ? new Date(last || Date.now()) : null
  await recordHomework(tx, actor, { studentId, lessonId, state, acceptedAt })
}
