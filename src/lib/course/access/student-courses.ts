import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canManageAllStudents } from '#lib/student/rules.ts'
import { tenant } from '#lib/tenant/table.ts'
import { accessGrant, lessonProgress, studyGroup } from '../learning/table.ts'
import { requireAllowed } from '../permission.ts'
import { course } from '../table.ts'
import { courseAccess } from './access.ts'
import type { Access } from './access-reason.ts'
import { buildGrant, courseFields, firstOpened, grantFields, groupFields, groupOfGrant } from './enrolment.ts'
import { type GrantView, grantViewOf } from './explain-access.ts'

/** A course that a student has or had access to. */
export interface StudentCourse {
  id: string
  title: string
  /** Access to the course now. */
  access: Access
  grants: GrantView[]
  completed: number
  total: number
  lastOpenedAt: Date | null
  zone: string
}

const MAX_GRANTS = 300

/**
 * The courses of a student with grants, current access and progress, the newest grant first: one statement, and the
 * functions that enforce access. Refuses with forbidden, not_found.
 */
export async function listStudentCourses(actor: Actor, input: { studentId: string }): Promise<StudentCourse[]> {
  requireAllowed(canManageAllStudents(actor))
  const { studentId } = input
  const rows = await inTenant(actor, async (tx) => {
    const own = sql`p.tenant_id = ${course.tenantId} and p.course_id = ${course.id} and p.student_id = ${studentId}`
    const grants = tx
      .select({
        course: courseFields,
        zone: tenant.timeZone,
        grant: grantFields,
        group: groupFields,
        firstOpened,
        completed: sql<number>`(select count(*) from lesson_progress p
          join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
          join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
          where ${own} and p.completed_at is not null and l.published_version is not null and not l.hidden
            and not m.hidden and l.deleted_at is null and m.deleted_at is null)`.mapWith(Number),
        lastOpenedAt: sql<Date | null>`(select max(p.last_opened_at) from lesson_progress p where ${own})`.mapWith(
          lessonProgress.lastOpenedAt,
        ),
      })
      .from(accessGrant)
      .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
      .innerJoin(tenant, eq(tenant.id, course.tenantId))
      .leftJoin(studyGroup, groupOfGrant)
      .where(eq(accessGrant.studentId, studentId))
      .orderBy(desc(accessGrant.createdAt), asc(accessGrant.id))
      .limit(MAX_GRANTS)
    const known = tx.execute(sql`select 1 from student where tenant_id = current_tenant() and id = ${studentId}`)
    const [found, { rows: students }] = await Promise.all([grants, known])
    if (students.length === 0) throw new Refusal('not_found')
    return found
  })
  const now = new Date()
  const byCourse = Map.groupBy(rows, ({ course: { id } }) => id)
  return [...byCourse.values()].flatMap((courseRows) => {
    const [first] = courseRows
    if (!first) return []
    const grants = courseRows.map((row) => buildGrant(row))
    const { id, title, total } = first.course
    return {
      id,
      title,
      total,
      completed: Math.min(first.completed, total),
      lastOpenedAt: first.lastOpenedAt,
      zone: first.zone,
      access: courseAccess(first.course, grants, now),
      grants: grants.map((grant) => grantViewOf(grant, null, now)),
    }
  })
}
