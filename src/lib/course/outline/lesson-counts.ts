import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { course } from '../table.ts'

/**
 * Locks a course until the end of the transaction, so that positions and counters are changed by one transaction at a
 * time.
 */
export async function lockCourse(tx: Tx, courseId: string) {
  const [row] = await tx
    .select({ id: course.id, status: course.status, title: course.title, coverFileId: course.coverFileId })
    .from(course)
    .where(eq(course.id, courseId))
    .for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

/** Updates the lesson counters of a course and its modification time. */
export async function recountLessons(tx: Tx, courseId: string): Promise<void> {
  const notDeleted = sql`from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null`
  await tx
    .update(course)
    .set({
      lessonCount: sql`(select count(*) ${notDeleted})`,
      publishedLessonCount: sql`(select count(*) ${notDeleted} and ${isVisible})`,
      updatedAt: new Date(),
    })
    .where(eq(course.id, courseId))
}

/** Condition: visible to students, for `lesson l join course_module m`. */
export const isVisible = sql`l.published_version is not null and not l.hidden and not m.hidden
  and l.deleted_at is null and m.deleted_at is null`
