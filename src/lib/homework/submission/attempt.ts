import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'
import { getLessonTerms } from '#lib/course/learning/lesson-terms.ts'
import { lesson } from '#lib/course/table.ts'
import { canSubmit, checkDeadline, nextAttempt } from '../rules.ts'
import { submission, task } from '../table.ts'

export type TaskRow = typeof task.$inferSelect
export type SubmissionRow = typeof submission.$inferSelect

/** Refuses with forbidden an actor who is not a student. */
export function requireSubmittingStudent(actor: Actor): void {
  const verdict = canSubmit(actor, { isOwn: true })
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** A published task of a published lesson. Refuses with not_found. */
export async function requirePublishedTask(tx: Tx, taskId: string): Promise<TaskRow> {
  const [row] = await tx
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
  if (!row) throw new Refusal('not_found')
  return row.task
}

/**
 * The student's latest attempt at a task, locked until the transaction ends; null before the first one. Requests of the
 * same student from another tab wait.
 */
export async function lockLatestAttempt(tx: Tx, actor: Actor, taskId: string): Promise<SubmissionRow | null> {
  await lockUntilCommit(tx, 'homework', `${taskId} ${actor.membershipId}`)
  const [row] = await tx
    .select()
    .from(submission)
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, actor.membershipId)))
    .orderBy(desc(submission.attempt))
    .limit(1)
    .for('update')
  return row ?? null
}

/**
 * The draft of an attempt, created when it is the next one: it starts with the text and files of the previous attempt.
 * Refuses with unprocessable: homework_closed when that attempt can no longer be written, homework_no_attempts; with
 * forbidden while the lesson is locked, and not_found without an access grant.
 */
export async function getOrCreateDraft(
  tx: Tx,
  actor: Actor,
  taskRow: TaskRow,
  attempt: number,
): Promise<SubmissionRow> {
  const latest = await lockLatestAttempt(tx, actor, taskRow.id)
  if (latest?.attempt === attempt && latest.state === 'draft') return latest
  const next = nextAttempt({ latest, maxAttempts: taskRow.maxAttempts })
  if ('reason' in next && next.reason === 'exhausted') throw answerRefusal('homework_no_attempts')
  if ('reason' in next || next.attempt !== attempt) throw answerRefusal('homework_closed')
  await requireLessonOpen(tx, actor, taskRow)
  const [created] = await tx
    .insert(submission)
    .values({
      tenantId: actor.tenantId,
      id: newId(),
      taskId: taskRow.id,
      courseId: taskRow.courseId,
      attempt,
      lessonId: taskRow.lessonId,
      studentId: actor.membershipId,
      assignedTo: latest?.assignedTo ?? null,
      text: latest?.text ?? '',
      fileIds: latest?.fileIds ?? [],
    })
    .returning()
  if (!created) throw new Error('an attempt that was inserted is not there')
  return created
}

/** Refuses with forbidden, and the reason, while the task's lesson is locked. Returns the due date of the task. */
async function requireLessonOpen(
  tx: Tx,
  actor: Actor,
  { lessonId, dueRule }: TaskRow,
): Promise<{ dueAt: Date | null; hasCuratorSupport: boolean }> {
  const {
    access,
    hasCuratorSupport,
    ruleDateOf: termOf,
  } = await getLessonTerms(tx, { studentId: actor.membershipId, lessonId })
  if (!access.allow) {
    throw new Refusal('forbidden', { fields: { form: ['homework_locked'] }, data: { reason: access.reason } })
  }
  return { dueAt: dueRule && termOf(dueRule), hasCuratorSupport }
}

/**
 * As requireLessonOpen; refuses with unprocessable (homework_late) after the due date of a task that does not accept
 * late submissions. Returns whether the answer is late, and whether a curator reviews it.
 */
export async function requireBeforeDeadline(
  tx: Tx,
  actor: Actor,
  taskRow: TaskRow,
  now = new Date(),
): Promise<{ late: boolean; hasCuratorSupport: boolean }> {
  const { dueAt, hasCuratorSupport } = await requireLessonOpen(tx, actor, taskRow)
  const { late, refused } = checkDeadline({ dueAt, latePolicy: taskRow.latePolicy }, now)
  if (refused && dueAt)
    throw answerRefusal('homework_late', { at: formatDateTime(dueAt, actor.timeZone, actor.locale) })
  return { late, hasCuratorSupport }
}

export const answerRefusal = (key: string, variables: Record<string, string | number> = {}): Refusal =>
  formRefusal(key, variables)
