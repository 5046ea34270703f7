import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership } from '#lib/user/table.ts'
import { accessGrant, studyGroup } from '../../learning/table.ts'
import { course } from '../../table.ts'
import { courseAccess, grantEndsAt } from '../access.ts'
import type { AccessReason } from '../access-reason.ts'
import { buildGrant, courseFields, type EnrolmentGrant, grantFields, groupFields, groupOfGrant } from '../enrolment.ts'

/** What an order gives in one of its courses at a moment. */
export interface OrderCourseAccess {
  courseId: string
  title: string
  /** Whether the grant of the order opens the course. */
  isOpen: boolean
  /** `open`, or why it does not. */
  reason: AccessReason
  /** When it opens by itself; null: unknown, or it is open. */
  opensAt: Date | null
  /** When it ends, or has ended; null: never. */
  endsAt: Date | null
  /** The student has access to the course from elsewhere. */
  hasOther: boolean
}

/** What an order gives at a moment: nothing while it has given no access. */
export interface OrderAccessView {
  courses: OrderCourseAccess[]
  /** The student is blocked: nothing is open. */
  isBlocked: boolean
}

/**
 * The access that an order has given, course by course, as the rules of access decide about it at `now`; grants from
 * elsewhere are named, and do not count. The caller checks the permission.
 */
export async function readOrderAccess(tx: Tx, orderId: string, now: Date): Promise<OrderAccessView> {
  const isInOrder = sql`(${accessGrant.studentId}, ${accessGrant.courseId}) in (
    select given.student_id, given.course_id from access_grant given
    where given.tenant_id = current_tenant() and given.source_type = 'order' and given.source_id = ${orderId})`
  const rows = await tx
    .select({
      course: courseFields,
      zone: tenant.timeZone,
      grant: grantFields,
      group: groupFields,
      blockedAt: membership.blockedAt,
    })
    .from(accessGrant)
    .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
    .innerJoin(tenant, eq(tenant.id, accessGrant.tenantId))
    .innerJoin(membership, and(eq(membership.tenantId, accessGrant.tenantId), eq(membership.id, accessGrant.studentId)))
    .leftJoin(studyGroup, groupOfGrant)
    .where(isInOrder)
    .orderBy(asc(course.title), asc(course.id))
  const byCourse = Map.groupBy(rows, (row) => row.course.id)
  return {
    isBlocked: rows.some(({ blockedAt }) => blockedAt !== null),
    courses: [...byCourse.values()].flatMap((found) => {
      const [first] = found
      if (!first) return []
      const grants = found.map((row) => ({
        grant: buildGrant({ ...row, firstOpened: null }),
        isOwn: isOfOrder(row.grant, orderId),
      }))
      const own = grants.filter(({ isOwn }) => isOwn).map(({ grant }) => grant)
      const others = grants.filter(({ isOwn }) => !isOwn).map(({ grant }) => grant)
      const access = courseAccess(first.course, own, now)
      return {
        courseId: first.course.id,
        title: first.course.title,
        isOpen: access.allow,
        reason: access.reason,
        opensAt: access.at ?? null,
        endsAt: latestEnd(own, now),
        hasOther: courseAccess(first.course, others, now).allow,
      }
    }),
  }
}

const isOfOrder = (
  {
    sourceType,
    sourceId,
    orderId: groupOrderId,
  }: { sourceType: string; sourceId: string | null; orderId: string | null },
  orderId: string,
): boolean => (sourceType === 'order' && sourceId === orderId) || groupOrderId === orderId

// A grant that was revoked has ended at that time.
function latestEnd(grants: readonly EnrolmentGrant[], now: Date): Date | null {
  const current = grants.filter(({ revokedAt }) => revokedAt === null || revokedAt > now)
  const ends = (current.length > 0 ? current : grants).map((grant) => grant.revokedAt ?? grantEndsAt(grant))
  return ends.includes(null) ? null : ends.reduce<Date | null>((a, b) => (a && b && a > b ? a : b), null)
}
