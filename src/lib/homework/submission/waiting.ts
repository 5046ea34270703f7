import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/** The messages of a student and the reviewers about a task. */
interface TaskThread {
  taskId: string
  studentId: string
}

const isUnanswered = ({ taskId, studentId }: TaskThread) => sql`tenant_id = current_tenant() and task_id = ${taskId}
  and student_id = ${studentId} and author_id = student_id and answered_at is null`

/**
 * Locks the messages that wait for an answer. Returns whether the thread still waits since that instant (microseconds
 * since 1970): nobody has answered or closed it.
 */
export async function lockWaitingThread(
  tx: Tx,
  { since, ...thread }: TaskThread & { since: string },
): Promise<boolean> {
  const { rows } = await tx.execute<{ at: string }>(sql`
    select (extract(epoch from at) * 1000000)::bigint::text as at from homework_message
    where ${isUnanswered(thread)} order by at, id for update`)
  return rows[0]?.at === since
}

/** Marks the messages of a student as answered, also when it is closed without an answer. Returns the instant. */
export async function markAnswered(tx: Tx, thread: TaskThread): Promise<Date> {
  const at = new Date()
  await tx.execute(sql`update homework_message set answered_at = ${at.toISOString()} where ${isUnanswered(thread)}`)
  return at
}

/** Reverts the marking of an instant. */
export async function reopenThread(tx: Tx, { taskId, studentId }: TaskThread, at: Date): Promise<void> {
  await tx.execute(sql`update homework_message set answered_at = null where tenant_id = current_tenant()
    and task_id = ${taskId} and student_id = ${studentId} and author_id = student_id
    and answered_at = ${at.toISOString()}`)
}
