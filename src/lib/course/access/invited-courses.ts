import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant } from '../learning/table.ts'
import { course } from '../table.ts'

const MAX_COURSES = 5

/**
 * Titles of the courses that staff have given a student access to, newest first. Used by the page of the
 * invitation link.
 */
export async function listInvitedCourses(student: { tenantId: string; studentId: string }): Promise<string[]> {
  const rows = await inTenant({ tenantId: student.tenantId }, (tx) =>
    tx
      .select({ title: course.title })
      .from(accessGrant)
      .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
      .where(
        and(
          eq(accessGrant.studentId, student.studentId),
          inArray(accessGrant.sourceType, ['invite', 'manual', 'group']),
          isEnrolled,
          ne(course.status, 'archived'),
        ),
      )
      .orderBy(desc(accessGrant.startsAt), desc(accessGrant.id))
      .limit(MAX_COURSES),
  )
  return rows.map(({ title }) => title)
}
