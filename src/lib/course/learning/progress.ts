import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
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
  if (rule.mode === 'taskAccepted') {
    if (acceptedAt) {
      await requestAutomations(actor.tenantId, 'courseCompleted', { studentId, subjectId: courseId })
    }
    await publishProgress(tx, { studentId, courseId })
  }
  return { completed: Boolean(row?.completedAt) }
}

export interface TestFacts {
  studentId: string
  lessonId: string
  /** When the last of the tests of the lesson was passed; null: the student has not passed all of them. */
  passedAt: Date | null
}

/**
 * Stores which students have passed the tests of lessons. Where a test completes the lesson, the completion changes
 * too: an existing completion is kept, and without `passedAt` it is removed. Called in the caller's transaction, which
 * checks the permission. Returns the students whose progress has changed.
 */
export async function recordTests(tx: Tx, facts: readonly TestFacts[]): Promise<ChangedProgress[]> {
  if (facts.length === 0) return []
  const fact = sql`(select f.*, l.course_id, l.completion_rule ->> 'mode' = 'testPassed' as completes
    from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb)
      as f("studentId" uuid, "lessonId" uuid, "passedAt" timestamptz)
    join lesson l on l.tenant_id = current_tenant() and l.id = f."lessonId") f`
  const [passed, withdrawn] = await Promise.all([
    tx.execute<ChangedProgress>(sql`
      insert into lesson_progress as p (tenant_id, student_id, lesson_id, course_id, test_passed_at, completed_at)
      select current_tenant(), f."studentId", f."lessonId", f.course_id, f."passedAt",
          case when f.completes then f."passedAt" end
        from ${fact} where f."passedAt" is not null
      on conflict (tenant_id, student_id, lesson_id) do update
        set test_passed_at = excluded.test_passed_at, completed_at = coalesce(p.completed_at, excluded.completed_at)
        where p.test_passed_at is distinct from excluded.test_passed_at
          or (p.completed_at is null and excluded.completed_at is not null)
      returning p.student_id as "studentId", p.course_id as "courseId"`),
    tx.execute<ChangedProgress>(sql`
      update lesson_progress p set test_passed_at = null, completed_at = case when not f.completes then p.completed_at end
        from ${fact} where f."passedAt" is null and p.tenant_id = current_tenant() and p.student_id = f."studentId"
          and p.lesson_id = f."lessonId" and p.test_passed_at is not null
      returning p.student_id as "studentId", p.course_id as "courseId"`),
  ])
  return [...passed.rows, ...withdrawn.rows]
}

// A type, because the driver requires an index signature.
export type ChangedProgress = { studentId: string; courseId: string }

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

/** Publishes the progress of a student to the course's staff. Called last in the transaction. */
export async function publishProgress(tx: Tx, { studentId, courseId }: ChangedProgress): Promise<void> {
  await announceProgressOf(studentId, courseId, await countProgress(tx, studentId, courseId))
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
