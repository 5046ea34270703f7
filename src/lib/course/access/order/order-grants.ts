import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { type AuditActor, recordAuditEntriesWithCommit } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { waitForAll } from '#lib/core/db/wait-for-all.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasAutomations, requestAutomations } from '#lib/core/jobs/automation-request.ts'
import { readStudentNames, recordStudentEntries, toAuditEntries } from '#lib/student/audit.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { requireSeats } from '../../group/seats.ts'
import { isEnrolled } from '../../learning/enrolled.ts'
import { accessGrant } from '../../learning/table.ts'
import { course } from '../../table.ts'

/** Access that an order gives to a student. */
export interface OrderAccess {
  orderId: string
  studentId: string
  courses: readonly { courseId: string; moduleIds: string[] | null }[]
  /** When it begins; null, or in the past: now. */
  startsAt: Date | null
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
  const { studentId, endsAt } = access
  const byId = new Map(access.courses.map((given) => [given.courseId, given]))
  const courses = [...byId.values()].toSorted((a, b) => (a.courseId < b.courseId ? -1 : 1))
  if (courses.length === 0) return
  // Sent in this order: the grants are inserted after the courses are locked.
  const [titles, names, isAutomated] = await waitForAll([
    lockCourses(tx, courses),
    readStudentNames(tx, [access]),
    insertOrderGrants(tx, { ...access, tenantId: actor.tenantId, courses }),
  ])
  for (const { courseId } of isAutomated ? courses : []) {
    await requestAutomations(actor.tenantId, 'courseJoined', { studentId, subjectId: courseId })
  }
  const changes = titles.map((title) => ({
    studentId,
    after: { course: title, change: 'give', until: endsAt?.toISOString() ?? null },
  }))
  recordAuditEntriesWithCommit(tx, actor, toAuditEntries('student.access_changed', changes, names))
}

/**
 * Inserts the grants of an order or changes them, and counts the student in courses without another grant. The courses are
 * locked, so that the count is correct for simultaneous grants; counting all students would take longer in large courses.
 * The statement is sent at once. Returns whether the school has automations for students who join a course.
 */
async function insertOrderGrants(tx: Tx, access: OrderAccess & { tenantId: string }): Promise<boolean> {
  const { tenantId, orderId, studentId, courses, startsAt, endsAt, withReview, withCertificate } = access
  const values = courses.map(
    ({ courseId, moduleIds }) => sql`(${tenantId}::uuid, ${newId()}::uuid, ${studentId}::uuid, ${courseId}::uuid,
      'order', ${orderId}::uuid, ${moduleIds && sql.param(`{${moduleIds.join(',')}}`)}::uuid[], greatest(now(), ${startsAt?.toISOString() ?? null}::timestamptz),
      ${endsAt?.toISOString() ?? null}::timestamptz, ${withReview}::boolean, ${withCertificate}::boolean)`,
  )
  const statement = sql`
    with granted as (
      insert into access_grant (tenant_id, id, student_id, course_id, source_type, source_id, module_ids, starts_at,
        ends_at, with_review, with_certificate)
      values ${sql.join(values, sql`, `)}
      on conflict (tenant_id, student_id, course_id, source_type, source_id) do update
        set module_ids = excluded.module_ids, ends_at = excluded.ends_at, with_review = excluded.with_review,
          with_certificate = excluded.with_certificate, revoked_at = null, revoked_reason = null
      returning tenant_id, course_id),
    counted as (
      update course set student_count = student_count + 1
      from granted
      where course.tenant_id = granted.tenant_id and course.id = granted.course_id and not exists (
        select from enrolled_grants() earlier
        where earlier.course_id = course.id and earlier.student_id = ${studentId}::uuid))
    select ${hasAutomations('courseJoined')} as "isAutomated"`
  const { rows } = await tx.execute<{ isAutomated: boolean }>(statement).execute()
  return rows[0]?.isAutomated === true
}

/**
 * Ends the access that an order has given, now or at a time, with the memberships of groups that it has given; grants of
 * other orders and sources stay as they are. A second call does nothing.
 */
export async function endOrderAccess(
  tx: Tx,
  actor: AuditActor,
  { orderId, at, reason }: { orderId: string; at: Date | null; reason: 'refunded' | 'canceled' | 'paused' },
): Promise<void> {
  const isOfOrder = or(
    and(eq(accessGrant.sourceType, 'order'), eq(accessGrant.sourceId, orderId)),
    eq(accessGrant.orderId, orderId),
  )
  const grants = await tx
    .select({ courseId: accessGrant.courseId, studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(and(isOfOrder, isEnrolled))
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
    .where(and(isOfOrder, isEnrolled))
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

/** Reasons of the end of a membership that a new payment of its order undoes. */
const ENDED_BY_ORDER: readonly (string | null)[] = ['refunded', 'canceled', 'paused']

/** Whether a membership has ended for another reason than the end of its order, e.g. by staff. */
const isRemoved = ({ revokedAt, revokedReason }: { revokedAt: Date | null; revokedReason: string | null }) =>
  revokedAt !== null && !ENDED_BY_ORDER.includes(revokedReason)

/** The group whose membership an order has given and that lasts, or null. */
export async function findGroupOfOrder(tx: Tx, orderId: string): Promise<string | null> {
  const [membership] = await tx
    .select({ groupId: accessGrant.sourceId })
    .from(accessGrant)
    .where(and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.orderId, orderId), isEnrolled))
  return membership?.groupId ?? null
}

interface OrderMembership {
  orderId: string
  studentId: string
  groupId: string
}

/**
 * Makes the student of an order a member of a study group for as long as the order gives access, in the caller's
 * transaction and after its access was given: of the group to which staff have moved the student, if they have, also with
 * the membership of another order. A membership from elsewhere, or one that staff have ended since the order gave access,
 * stays as it is.
 * Returns false when the group takes nobody: it is full, finished, archived or not there.
 */
export async function joinGroupOfOrder(tx: Tx, { orderId, studentId, groupId }: OrderMembership): Promise<boolean> {
  const grants = await tx
    .select({
      sourceType: accessGrant.sourceType,
      groupId: accessGrant.sourceId,
      orderId: accessGrant.orderId,
      createdAt: accessGrant.createdAt,
      revokedAt: accessGrant.revokedAt,
      revokedReason: accessGrant.revokedReason,
    })
    .from(accessGrant)
    .where(
      and(
        eq(accessGrant.studentId, studentId),
        or(
          eq(accessGrant.sourceType, 'group'),
          and(eq(accessGrant.sourceType, 'order'), eq(accessGrant.sourceId, orderId)),
        ),
      ),
    )
  const memberships = grants.filter(({ sourceType }) => sourceType === 'group')
  const findMoved = (movedOrderId: string | null) =>
    memberships.find(
      (other) =>
        movedOrderId !== null && other.groupId !== groupId && other.orderId === movedOrderId && !isRemoved(other),
    )
  const membership = memberships.find((known) => known.groupId === groupId)
  const isMember = membership !== undefined && membership.revokedAt === null
  const bought = grants.find(({ sourceType }) => sourceType === 'order')
  const removed = membership && bought && isRemovedSince(membership, bought.createdAt) ? membership : null
  const moved = findMoved(orderId) ?? findMoved(removed?.orderId ?? null)
  if (moved?.groupId) {
    await writeMembership(tx, { orderId, studentId, groupId: moved.groupId })
    return true
  }
  if (removed || (isMember && membership.orderId === null)) return true
  if (!isMember && !(await hasSeat(tx, groupId))) return false
  await writeMembership(tx, { orderId, studentId, groupId })
  return true
}

/** Whether staff have ended a membership after an order gave access: the order is renewed, not bought again. */
const isRemovedSince = (membership: Parameters<typeof isRemoved>[0], boughtAt: Date): boolean =>
  isRemoved(membership) && membership.revokedAt !== null && boughtAt <= membership.revokedAt

/**
 * Locks courses in the order of their ids, so that two orders never wait for each other; returns their titles. The lock
 * allows rows that refer to the course: an order is stored before its access is given. The statement is sent at once.
 */
async function lockCourses(tx: Tx, courses: readonly { courseId: string }[]): Promise<string[]> {
  const ids = courses.map(({ courseId }) => courseId)
  const rows = await tx
    .select({ title: course.title })
    .from(course)
    .where(inArray(course.id, ids))
    .orderBy(course.id)
    .for('no key update')
    .execute()
  return rows.map(({ title }) => title)
}

async function recountStudents(tx: Tx, courseIds: readonly string[]): Promise<void> {
  const studentCount = sql`(select count(distinct g.student_id) from enrolled_grants() g
    where g.course_id = ${course.id})`
  await tx
    .update(course)
    .set({ studentCount })
    .where(inArray(course.id, [...courseIds]))
}

async function hasSeat(tx: Tx, groupId: string): Promise<boolean> {
  try {
    await requireSeats(tx, groupId, 1)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Copies the grant of the order in the course of the group. The membership of another order stays if it is the longer one. */
async function writeMembership(tx: Tx, { orderId, studentId, groupId }: OrderMembership): Promise<void> {
  await tx.execute(sql`
    insert into access_grant (tenant_id, id, student_id, course_id, source_type, source_id, order_id, module_ids,
      starts_at, ends_at, with_review, with_certificate)
    select o.tenant_id, ${newId()}::uuid, o.student_id, o.course_id, 'group', g.id, o.source_id, o.module_ids,
      o.starts_at, o.ends_at, o.with_review, o.with_certificate
    from enrolled_grants() o
    join study_group g on g.tenant_id = o.tenant_id and g.course_id = o.course_id and g.id = ${groupId}::uuid
    where o.source_type = 'order' and o.source_id = ${orderId}::uuid and o.student_id = ${studentId}::uuid
    on conflict (tenant_id, student_id, course_id, source_type, source_id) do update
      set order_id = excluded.order_id, module_ids = excluded.module_ids, ends_at = excluded.ends_at,
        starts_at = case when access_grant.revoked_at is null then access_grant.starts_at else excluded.starts_at end,
        with_review = excluded.with_review, with_certificate = excluded.with_certificate, revoked_at = null,
        revoked_reason = null
      where access_grant.revoked_at is not null or access_grant.order_id = excluded.order_id
        or (access_grant.ends_at is not null
          and (excluded.ends_at is null or excluded.ends_at > access_grant.ends_at))`)
}
