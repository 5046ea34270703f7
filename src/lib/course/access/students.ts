import { and, desc, eq, exists, lt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { matchesIndexedText } from '#lib/core/db/search.ts'
import { IdKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canInviteStudents } from '#lib/student/rules.ts'
import { membership, user } from '#lib/user/table.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant, lessonProgress } from '../learning/table.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { isAssigned, requireAllowed, requireCourseViewer } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import type { ListCourseStudents } from '../schema.ts'
import { course } from '../table.ts'

interface CourseStudent {
  studentId: string
  name: string
  email: string
  /** The student's status in the tenant: invited, registered, accepted, unknown. */
  status: string
  completed: number
  total: number
  lastOpenedAt: Date | null
}

/**
 * Permissions of the actor on a course's students, with reasons. Refuses with forbidden unless the actor may see
 * courses.
 */
export async function getStudentRights(actor: Actor, input: { courseId: string }) {
  requireCourseViewer(actor)
  const { courseId } = input
  const assigned = await inTenant(actor, (tx) => isAssigned(tx, actor, courseId))
  return { manage: canManageStudents(actor, assigned), invite: canInviteStudents(actor, assigned) }
}

/** Students with access to a course and their progress, newest first; two statements a page. */
export async function listCourseStudents(actor: Actor, input: ListCourseStudents) {
  const { courseId, q, cursor, limit } = input
  const after = readCursor(IdKey, cursor)
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const [courseRow] = await tx
      .select({ total: course.publishedLessonCount, studentCount: course.studentCount })
      .from(course)
      .where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    const matching = selectMatchingStudents(tx, q)
    const page = tx
      .selectDistinct({ studentId: accessGrant.studentId })
      .from(accessGrant)
      .where(
        and(
          eq(accessGrant.courseId, courseId),
          isEnrolled,
          after ? lt(accessGrant.studentId, after.id) : undefined,
          q === '' ? undefined : exists(matching),
        ),
      )
      .orderBy(desc(accessGrant.studentId))
      .limit(limit + 1)
      .as('page')
    const rows = await tx
      .select({
        studentId: page.studentId,
        firstName: user.firstName,
        lastName: user.lastName,
        email: user.email,
        status: membership.status,
        completed: sql<number>`(select count(*) from lesson_progress p
          join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
          join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
          where p.course_id = ${courseId} and p.student_id = ${page.studentId}
            and p.completed_at is not null and ${isVisible})`.mapWith(Number),
        lastOpenedAt: sql<Date | null>`(select max(p.last_opened_at) from lesson_progress p
          where p.course_id = ${courseId} and p.student_id = ${page.studentId})`.mapWith(lessonProgress.lastOpenedAt),
      })
      .from(page)
      .innerJoin(membership, eq(membership.id, page.studentId))
      .innerJoin(user, eq(user.id, membership.userId))
      .orderBy(desc(page.studentId))
    const items: CourseStudent[] = rows.slice(0, limit).map(({ firstName, lastName, ...row }) => ({
      ...row,
      name: `${firstName} ${lastName}`.trim(),
      total: courseRow.total,
    }))
    const last = rows.length > limit ? items.at(-1) : undefined
    return {
      items,
      next: last ? writeCursor(IdKey, { id: last.studentId }) : null,
      count: courseRow.studentCount,
    }
  })
}

/** Subquery for `exists`: the grant's student matches the search text by name or address. */
export function selectMatchingStudents(tx: Tx, q: string) {
  return tx
    .select({ one: sql`1` })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(membership.id, accessGrant.studentId), matchesIndexedText(q, user.search, user.searchAscii)))
}
