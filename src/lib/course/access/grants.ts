import { and, eq, sql } from 'drizzle-orm'
import type { AuditActor } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership } from '#lib/user/table.ts'
import { requireSeats } from '../group/seats.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { isAssigned, requireAllowed, requireLearningPlan } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import type { GrantAccess } from '../schema.ts'
import { course } from '../table.ts'
import { auditAccess } from './audit.ts'

export type GrantSource = { type: 'order' | 'invite' | 'manual' | 'group' | 'free'; id: string | null }

/** Sources with at most one grant per student and course; each order and group has its own grant. */
const SINGLE_SOURCE_TYPES: ReadonlySet<GrantSource['type']> = new Set(['invite', 'manual', 'free'])

/**
 * Grants a student the whole course manually. A second call does nothing. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function grantAccess(actor: Actor, input: GrantAccess): Promise<{ grantId: string }> {
  const { courseId, studentId } = input
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, courseId)
    return addGrant(tx, actor, { courseId, studentId, source: { type: 'manual', id: null } })
  })
}

/**
 * Adds a grant inside the caller's transaction unless one from the same source exists. Refuses with not_found for a
 * member who is not a student, and with unprocessable for a new student of an archived course.
 */
export async function addGrant(
  tx: Tx,
  actor: AuditActor,
  { courseId, studentId, source }: { courseId: string; studentId: string; source: GrantSource },
): Promise<{ grantId: string }> {
  const { status, title } = await lockCourse(tx, courseId)
  await requireStudentAccount(tx, studentId)
  const current = await tx
    .select({ grantId: accessGrant.id, type: accessGrant.sourceType, sourceId: accessGrant.sourceId })
    .from(accessGrant)
    .where(currentGrantsOf(courseId, studentId))
  const existing = current.find(
    (grant) => grant.type === source.type && (SINGLE_SOURCE_TYPES.has(source.type) || grant.sourceId === source.id),
  )
  if (existing) return { grantId: existing.grantId }
  if (status === 'archived' && current.length === 0) {
    throw formRefusal('course_archived')
  }
  if (source.type === 'group' && source.id) await requireSeats(tx, source.id, 1)
  const row = { tenantId: actor.tenantId, studentId, courseId, sourceType: source.type, sourceId: source.id }
  // A revoked grant from the same source is renewed with a new start.
  const [created] = await tx
    .insert(accessGrant)
    .values({ ...row, startsAt: new Date() })
    .onConflictDoUpdate({
      target: [
        accessGrant.tenantId,
        accessGrant.studentId,
        accessGrant.courseId,
        accessGrant.sourceType,
        accessGrant.sourceId,
      ],
      set: { startsAt: new Date(), endsAt: null, revokedAt: null, revokedReason: null },
    })
    .returning({ grantId: accessGrant.id })
  if (!created) throw new Refusal('not_found')
  await requestAutomations(actor.tenantId, 'courseJoined', { studentId, subjectId: courseId })
  if (current.length === 0) await changeStudentCount(tx, courseId, 1)
  await auditAccess(tx, actor, [studentId], { course: title, change: 'give' })
  return created
}

/** Refuses unless the actor may change the access of the course's students. */
export async function requireStudentManager(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
  requireLearningPlan(actor)
}

/** Refuses with not_found unless the member is a student of the tenant. */
export async function requireStudentAccount(tx: Tx, studentId: string): Promise<void> {
  const [student] = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  if (!student) throw new Refusal('not_found')
}

function currentGrantsOf(courseId: string, studentId: string) {
  return and(eq(accessGrant.courseId, courseId), eq(accessGrant.studentId, studentId), isEnrolled)
}

async function changeStudentCount(tx: Tx, courseId: string, delta: 1 | -1): Promise<void> {
  await tx
    .update(course)
    .set({ studentCount: sql`${course.studentCount} + ${delta}` })
    .where(eq(course.id, courseId))
}
