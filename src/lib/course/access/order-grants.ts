import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { AuditActor } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { recordStudentEntries } from '#lib/student/audit.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { accessGrant } from '../learning/table.ts'
import { course } from '../table.ts'

/** Access that an order gives to a student. */
export interface OrderAccess {
  orderId: string
  studentId: string
  courses: readonly { courseId: string; moduleIds: string[] | null }[]
  /** Null: without an end. */
  endsAt: Date | null
  withReview: boolean
  withCertificate: boolean
}

/**
 * Gives a student the access of an order in the caller's transaction, or changes what the order has given before; grants
 * of other orders and sources stay as they are. An archived course is given too, since it was paid for.
 */
export async function grantOrderAccess(tx: Tx, actor: AuditActor, access: OrderAccess): Promise<void> {
  const { orderId, studentId, endsAt, withReview, withCertificate } = access
  const courses = access.courses.toSorted((a, b) => (a.courseId < b.courseId ? -1 : 1))
  if (courses.length === 0) return
  const titles = await lockCourses(tx, courses)
  for (const { courseId, moduleIds } of courses) {
    const values = { moduleIds, endsAt, withReview, withCertificate }
    const key = { tenantId: actor.tenantId, studentId, courseId, sourceType: 'order', sourceId: orderId } as const
    await tx
      .insert(accessGrant)
      .values({ ...key, ...values, startsAt: new Date() })
      .onConflictDoUpdate({
        target: [
          accessGrant.tenantId,
          accessGrant.studentId,
          accessGrant.courseId,
          accessGrant.sourceType,
          accessGrant.sourceId,
        ],
        set: { ...values, revokedAt: null, revokedReason: null },
      })
  }
  await recountStudents(
    tx,
    courses.map(({ courseId }) => courseId),
  )
  await recordStudentEntries(
    tx,
    actor,
    'student.access_changed',
    titles.map((title) => ({
      studentId,
      after: { course: title, change: 'give', until: endsAt?.toISOString() ?? null },
    })),
  )
}

/**
 * Ends the access that an order has given, now or at a time; grants of other orders and sources stay as they are. A second
 * call does nothing.
 */
export async function endOrderAccess(
  tx: Tx,
  actor: AuditActor,
  { orderId, at, reason }: { orderId: string; at: Date | null; reason: 'refunded' | 'canceled' | 'paused' },
): Promise<void> {
  const isOfOrder = and(eq(accessGrant.sourceType, 'order'), eq(accessGrant.sourceId, orderId))
  const grants = await tx
    .select({ courseId: accessGrant.courseId, studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(and(isOfOrder, isNull(accessGrant.revokedAt)))
    .orderBy(accessGrant.courseId)
  const [first] = grants
  if (!first) return
  const titles = await lockCourses(tx, grants)
  await tx
    .update(accessGrant)
    .set(
      at
        ? { endsAt: sql`least(${accessGrant.endsAt}, ${at.toISOString()}::timestamptz)` }
        : { revokedAt: new Date(), revokedReason: reason },
    )
    .where(and(isOfOrder, isNull(accessGrant.revokedAt)))
  await endStreamsOfMembers(tx, [first.studentId])
  await recountStudents(
    tx,
    grants.map(({ courseId }) => courseId),
  )
  await recordStudentEntries(
    tx,
    actor,
    'student.access_changed',
    titles.map((title) => ({
      studentId: first.studentId,
      after: { course: title, change: 'revoke', reason, until: at?.toISOString() ?? null },
    })),
  )
}

/**
 * Locks courses in the order of their ids, so that two orders never wait for each other; returns their titles. The lock
 * allows rows that refer to the course: an order is stored before its access is given.
 */
async function lockCourses(tx: Tx, courses: readonly { courseId: string }[]): Promise<string[]> {
  const ids = courses.map(({ courseId }) => courseId)
  const rows = await tx
    .select({ title: course.title })
    .from(course)
    .where(inArray(course.id, ids))
    .orderBy(course.id)
    .for('no key update')
  return rows.map(({ title }) => title)
}

async function recountStudents(tx: Tx, courseIds: readonly string[]): Promise<void> {
  const studentCount = sql`(select count(distinct g.student_id) from access_grant g
    where g.tenant_id = ${course.tenantId} and g.course_id = ${course.id} and g.revoked_at is null)`
  await tx
    .update(course)
    .set({ studentCount })
    .where(inArray(course.id, [...courseIds]))
}
