import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { announceProgressOf } from '../live.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { course, lesson } from '../table.ts'
import { lessonProgress } from './table.ts'

export interface HomeworkFacts {
  studentId: string
  lessonId: string
  /** State of the lesson's homework: of several tasks the one furthest from acceptance. */
  state: SubmissionState
  /** Acceptance of the last required task; null until then and after a reopening. */
  acceptedAt: Date | null
}

/**
 * Stores the homework state of a student's lesson. If homework completes the lesson, the completion changes too and is
 * published to the course's staff. Called last in the caller's transaction, which checks the permission. Refuses with
 * not_found.
 */
export async function recordHomework(tx: Tx, actor: Actor, facts: HomeworkFacts): Promise<{ completed: boolean }> {
  const { studentId, lessonId, state, acceptedAt } = facts
  const [lessonRow] = await tx
    .select({ courseId: lesson.courseId, rule: lesson.completionRule })
    .from(lesson)
    .where(eq(lesson.id, lessonId))
  if (!lessonRow) throw new Refusal('not_found')
  const { courseId, rule } = lessonRow
  const homework = { homeworkState: state, homeworkAcceptedAt: acceptedAt }
  const change = rule.mode === 'taskAccepted' ? { ...homework, completedAt: acceptedAt } : homework
  const [row] = await tx
    .insert(lessonProgress)
    .values({ tenantId: actor.tenantId, studentId, lessonId, courseId, ...change })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: change,
    })
    .returning({ completedAt: lessonProgress.completedAt })
  if (rule.mode === 'taskAccepted')
    await announceProgressOf(studentId, courseId, await countProgress(tx, studentId, courseId))
  return { completed: Boolean(row?.completedAt) }
}

/**
 * Stores the number of required tasks of a lesson, inside the transaction that changed them. Refuses with not_found.
 */
export async function setTaskCount(tx: Tx, lessonId: string, count: number): Promise<void> {
  const changed = await tx
    .update(lesson)
    .set({ taskCount: count })
    .where(eq(lesson.id, lessonId))
    .returning({ id: lesson.id })
  if (changed.length === 0) throw new Refusal('not_found')
}

/** Number of visible lessons of a course and how many the student has completed. */
export async function countProgress(tx: Tx, studentId: string, courseId: string) {
  const [row] = await tx
    .select({
      total: course.publishedLessonCount,
      completed: sql<number>`(select count(*) from lesson_progress p
        join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
        join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        where p.course_id = ${courseId} and p.student_id = ${studentId}
          and p.completed_at is not null and ${isVisible})`.mapWith(Number),
    })
    .from(course)
    .where(eq(course.id, courseId))
  if (!row) throw new Refusal('not_found')
  return row
}
