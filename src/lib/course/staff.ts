import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Role } from '#lib/core/shared/role.ts'
import {
  type AssignableMember,
  assignableRoles,
  assignedRoles,
  listAssignableMembers,
} from '#lib/team/assignable-members.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { lockCourse } from './outline/lesson-counts.ts'
import { requireCourseEditor, requireCourseViewer } from './permission.ts'
import { type SetCourseStaff, STAFF_ROLES, type StaffRole } from './settings-schema.ts'
import { course, courseStaff } from './table.ts'

export interface StaffMember extends AssignableMember {
  /** Roles that the member may have in a course. */
  possibleRoles: StaffRole[]
  /** Roles that the member has in this course. */
  assignedRoles: StaffRole[]
}

/** Tenant roles that allow a course role; only curators need an assignment to see students. */
export const ROLES_FOR: Record<StaffRole, Role[]> = {
  expert: ['OWNER', 'DIRECTOR', 'EXPERT'],
  curator: ['CURATOR', 'OWNER', 'DIRECTOR', 'EXPERT'],
}

/** Team members who are or can be staff of a course, by name. Refuses with forbidden, not_found. */
export async function listStaff(actor: Actor, input: { courseId: string }): Promise<StaffMember[]> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const assignments = await loadStaff(tx, courseId)
    const team = await listAssignableMembers(tx, actor.tenantId, ROLES_FOR.curator)
    return team.map((member) => ({
      ...member,
      possibleRoles: assignableRoles(member, STAFF_ROLES, ROLES_FOR),
      assignedRoles: assignedRoles(member.memberId, STAFF_ROLES, assignments),
    }))
  })
}

/**
 * Replaces the staff of a course; the same list again changes nothing. Refuses with forbidden, plan_inactive, not_found
 * for the course, and with unprocessable (staff_unknown) for a member who is not on the team or lacks the role.
 */
export async function setStaff(actor: Actor, input: SetCourseStaff): Promise<{ people: number }> {
  requireCourseEditor(actor)
  const { courseId, staff } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    const allowed = new Set(
      (await listStaff(actor, { courseId })).flatMap(({ memberId, possibleRoles }) =>
        possibleRoles.map(staffKey(memberId)),
      ),
    )
    const requested = new Map(staff.map((entry) => [staffKey(entry.memberId)(entry.role), entry]))
    if ([...requested.keys()].some((key) => !allowed.has(key))) {
      throw formRefusal('staff_unknown')
    }
    const rows = [...requested.values()].map((entry) => ({ ...entry, tenantId: actor.tenantId, courseId }))
    const before = await tx.delete(courseStaff).where(eq(courseStaff.courseId, courseId)).returning()
    const remaining = new Set(rows.map(({ memberId }) => memberId))
    const removed = before.flatMap(({ memberId }) => (remaining.has(memberId) ? [] : [memberId]))
    await endStreamsOfMembers(tx, removed)
    if (rows.length > 0) await tx.insert(courseStaff).values(rows)
    return { people: new Set(rows.map(({ memberId }) => memberId)).size }
  })
}

const staffKey = (memberId: string) => (role: StaffRole) => `${memberId} ${role}`

/** Assignments of a course. Refuses with not_found for an unknown course. */
async function loadStaff(tx: Tx, courseId: string) {
  const { memberId, role } = courseStaff
  const rows = await tx
    .select({ memberId, role })
    .from(course)
    .leftJoin(courseStaff, and(eq(courseStaff.tenantId, course.tenantId), eq(courseStaff.courseId, course.id)))
    .where(eq(course.id, courseId))
  if (rows.length === 0) throw new Refusal('not_found')
  return rows
}
