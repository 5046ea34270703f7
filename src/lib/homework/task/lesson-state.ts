import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOMEWORK_STATES, type HomeworkState } from '#lib/core/shared/learning.ts'
import { noteHomework } from '#lib/course/learning/progress.ts'

/** From the one that is furthest from being accepted. */
const FURTHEST: readonly HomeworkState[] = ['draft', 'rejected', 'returned', 'submitted', 'in_review', 'accepted']

/**
 * Tells the course room where a student's homework of a lesson stands as a whole, after an attempt has changed: so the
 * next lesson opens, or closes again, in the same transaction. Of several tasks the required ones count; where none is
 * required, all. The last statement of the caller's transaction.
 */
export async function noteLesson(
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
  const states = counted.map(({ state }) => HOMEWORK_STATES.find((one) => one === state) ?? 'draft')
  const state = FURTHEST.find((one) => states.includes(one)) ?? 'draft'
  const last = Math.max(...counted.map(({ at }) => Number(at ?? 0)))
  const acceptedAt = counted.length > 0 && state === 'accepted' ? new Date(last || Date.now()) : null
  await noteHomework(tx, actor, { studentId, lessonId, state, acceptedAt })
}
