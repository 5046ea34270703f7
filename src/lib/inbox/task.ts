import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canReview } from '#lib/homework/review/rules.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { inboxTask } from './table.ts'

export interface NewInboxTask {
  studentId: string
  /** The curators of the course have it in their inbox; null: the managers only. */
  courseId: string | null
  /** Displayed as the author. */
  source: string
  text: string
}

/** Adds tasks about students to the inboxes of those who are responsible, in the transaction of the cause. */
export async function addInboxTasks(tx: Tx, tenantId: string, tasks: readonly NewInboxTask[]): Promise<void> {
  if (tasks.length > 0) await tx.insert(inboxTask).values(tasks.map((task) => ({ tenantId, ...task })))
}

/** Marks a task as done; returns the instant in milliseconds, or null when it was done before. */
export async function finishTask(tx: Tx, id: string): Promise<number | null> {
  const doneAt = new Date()
  const done = await tx
    .update(inboxTask)
    .set({ doneAt })
    .where(and(eq(inboxTask.id, id), isNull(inboxTask.doneAt)))
    .returning({ id: inboxTask.id })
  return done.length > 0 ? doneAt.getTime() : null
}

/** Reverts the finishing of an instant. Refuses with not_found for a task of others. */
export async function reopenTask(tx: Tx, actor: Actor, id: string, doneAt: Date): Promise<void> {
  await requireTask(tx, actor, id)
  await tx
    .update(inboxTask)
    .set({ doneAt: null })
    .where(and(eq(inboxTask.id, id), eq(inboxTask.doneAt, doneAt)))
}

/** A task that the actor is responsible for. Refuses with not_found. */
export async function requireTask(tx: Tx, actor: Actor, id: string) {
  const isOwn = canReview(actor, false).allow
    ? undefined
    : sql`${inboxTask.courseId} in (select s.course_id from course_staff s where s.tenant_id = current_tenant()
        and ${isActingAs(sql`s.member_id`, actor.membershipId)})`
  const [task] = await tx
    .select({ source: inboxTask.source, text: inboxTask.text, createdAt: inboxTask.createdAt })
    .from(inboxTask)
    .where(and(eq(inboxTask.id, id), isOwn))
  if (!task) throw new Refusal('not_found')
  return task
}
