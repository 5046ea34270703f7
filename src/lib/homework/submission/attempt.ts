import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'
import { weighLesson } from '#lib/course/learning/lesson-weight.ts'
import { lesson } from '#lib/course/table.ts'
import { canSubmit, lateness, writable } from '../rules.ts'
import { submission, task } from '../table.ts'

export type TaskRow = typeof task.$inferSelect
export type AttemptRow = typeof submission.$inferSelect

/** Refuses with forbidden whoever is no student. */
export function mustBeStudent(actor: Actor): void {
  const verdict = canSubmit(actor, { own: true })
  if (!verdict.allow) throw new Refusal('forbidden', { data: { because: verdict.because } })
}

/** A task that students are shown. Refuses with not_found. */
export async function mustBeGiven(tx: Tx, taskId: string): Promise<TaskRow> {
  const [found] = await tx
    .select({ task })
    .from(task)
    .innerJoin(lesson, and(eq(lesson.tenantId, task.tenantId), eq(lesson.id, task.lessonId)))
    .where(
      and(
        eq(task.id, taskId),
        isNull(task.deletedAt),
        isNull(lesson.deletedAt),
        sql`${task.title} <> '' and ${lesson.publishedVersion} is not null`,
      ),
    )
  if (!found) throw new Refusal('not_found')
  return found.task
}

/**
 * The student's latest attempt at a task, held until the transaction ends; null before the first one. What the same
 * student does at the same time in another tab waits meanwhile.
 */
export async function holdLatest(tx: Tx, actor: Actor, taskId: string): Promise<AttemptRow | null> {
  const words = `homework ${taskId} ${actor.membershipId}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${words}, 0))`)
  const [found] = await tx
    .select()
    .from(submission)
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, actor.membershipId)))
    .orderBy(desc(submission.attempt))
    .limit(1)
    .for('update')
  return found ?? null
}

/**
 * The draft of an attempt, begun when it is the next one: it takes the words and files of the one before along. Refuses
 * with unprocessable: homework_closed when that attempt is not to be written any more, homework_no_attempts; with
 * forbidden while the lesson is locked, and not_found without a grant.
 */
export async function mustDraft(tx: Tx, actor: Actor, about: TaskRow, attempt: number): Promise<AttemptRow> {
  const latest = await holdLatest(tx, actor, about.id)
  if (latest?.attempt === attempt && latest.state === 'draft') return latest
  const next = writable({ latest, maxAttempts: about.maxAttempts })
  if ('because' in next && next.because === 'exhausted') throw closed('homework_no_attempts')
  if ('because' in next || next.attempt !== attempt) throw closed('homework_closed')
  await mustBeOpen(tx, actor, about)
  const [begun] = await tx
    .insert(submission)
    .values({
      tenantId: actor.tenantId,
      id: newId(),
      taskId: about.id,
      courseId: about.courseId,
      attempt,
      lessonId: about.lessonId,
      studentId: actor.membershipId,
      assignedTo: latest?.assignedTo ?? null,
      text: latest?.text ?? '',
      fileIds: latest?.fileIds ?? [],
    })
    .returning()
  if (!begun) throw new Error('an attempt that was inserted is not there')
  return begun
}

/** Refuses with forbidden, and the reason, while the task's lesson is locked. Gives when the task is due. */
export async function mustBeOpen(
  tx: Tx,
  actor: Actor,
  { lessonId, dueRule }: TaskRow,
): Promise<{ dueAt: Date | null }> {
  const { access, termOf } = await weighLesson(tx, { studentId: actor.membershipId, lessonId })
  if (!access.allow) {
    throw new Refusal('forbidden', { fields: { form: ['homework_locked'] }, data: { because: access.because } })
  }
  return { dueAt: dueRule && termOf(dueRule) }
}

/** As mustBeOpen; refuses with unprocessable (homework_late) after a term that takes nothing late. Gives whether it is late. */
export async function mustBeInTime(tx: Tx, actor: Actor, about: TaskRow, now = new Date()): Promise<{ late: boolean }> {
  const { dueAt } = await mustBeOpen(tx, actor, about)
  const { late, refused } = lateness({ dueAt, latePolicy: about.latePolicy }, now)
  if (refused && dueAt) throw closed('homework_late', { at: formatDateTime(dueAt, actor.timeZone, actor.locale) })
  return { late }
}

export const closed = (key: string, variables: Record<string, string | number> = {}): Refusal =>
  new Refusal('unprocessable', { fields: { form: [key] }, variables })
