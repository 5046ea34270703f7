import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { announceProgress } from '../live.ts'
import { requireStudent } from '../permission.ts'
import { effectiveRule, findMissingStep } from './completion-rules.ts'
import { type LessonContext, loadLessonContext } from './open-lesson.ts'
import { countProgress } from './progress.ts'
import { lessonProgress } from './table.ts'

export interface LessonCompletion {
  courseId: string
  completedAt: Date | null
  completed: number
  total: number
  nextLessonId: string | null
}

/**
 * Completes a lesson; a second call keeps the first time. Refuses with forbidden (locked, with the reason), not_found,
 * or unprocessable while the completion rule is not met (`data.missing`).
 */
export async function completeLesson(actor: Actor, input: { lessonId: string }): Promise<LessonCompletion> {
  requireStudent(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const context = await loadLessonContext(tx, actor, lessonId)
    requireOpenLesson(context)
    const missing = context.here.completedAt ? null : findMissingStep(context.facts)
    if (missing) throw new Refusal('unprocessable', { fields: { form: ['lesson_unfinished'] }, data: { missing } })
    return setCompletion(tx, actor, context, true)
  })
}

/** Reopens a lesson that the student completes manually. Refuses as completeLesson, and for other completion rules. */
export async function reopenLesson(actor: Actor, input: { lessonId: string }): Promise<LessonCompletion> {
  requireStudent(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const context = await loadLessonContext(tx, actor, lessonId)
    requireOpenLesson(context)
    if (effectiveRule(context.facts) !== 'manual') throw new Refusal('unprocessable')
    return setCompletion(tx, actor, context, false)
  })
}

/** Refuses with forbidden and the reason while the lesson is locked. */
export function requireOpenLesson({ access }: LessonContext): void {
  if (!access.allow) throw new Refusal('forbidden', { data: { reason: access.reason } })
}

/**
 * Stores the completion of a lesson and publishes the progress to the course's staff. Called last in the transaction.
 */
export async function setCompletion(
  tx: Tx,
  actor: Actor,
  context: LessonContext,
  isCompleted: boolean,
): Promise<LessonCompletion> {
  const { here, outline, index } = context
  const { courseId } = context.found
  const { tenantId, membershipId: studentId } = actor
  const [row] = await tx
    .insert(lessonProgress)
    .values({ tenantId, studentId, lessonId: here.id, courseId, completedAt: isCompleted ? new Date() : null })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: { completedAt: isCompleted ? sql`coalesce(${lessonProgress.completedAt}, now())` : null },
    })
    .returning({ completedAt: lessonProgress.completedAt })
  const { completed, total } = await countProgress(tx, studentId, courseId)
  const next = outline.modules.flatMap((module) => module.lessons)[index + 1] ?? null
  if (isCompleted && completed >= total) {
    await requestAutomations(tenantId, 'courseCompleted', { studentId, subjectId: courseId })
  }
  await announceProgress(actor, courseId, { completed, total })
  return { courseId, completedAt: row?.completedAt ?? null, completed, total, nextLessonId: next?.id ?? null }
}
