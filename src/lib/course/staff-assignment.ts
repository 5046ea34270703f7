import { and, count, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import type { AssignmentModule } from '#lib/team/assignments.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { studyGroupCurator } from './group/table.ts'
import { STAFF_ROLES, type StaffRole } from './settings-schema.ts'
import { ROLES_FOR } from './staff.ts'
import { course, courseStaff } from './table.ts'

/** Courses of team members, for invitations with assignments and for the removal of a member. */
export const courseAssignments: AssignmentModule = {
  async assign(tx, { tenantId, memberId, roles }, ids) {
    if (ids.length === 0) return []
    const known = await tx
      .select({ title: course.title })
      .from(course)
      .where(and(eq(course.tenantId, tenantId), inArray(course.id, [...ids])))
    if (known.length < ids.length) throw new Refusal('not_found')
    const role = staffRoleOf(roles)
    if (!role) throw new Refusal('unprocessable', { fields: { courseIds: ['staff_unknown'] } })
    await tx
      .insert(courseStaff)
      .values(ids.map((courseId) => ({ tenantId, courseId, memberId, role })))
      .onConflictDoNothing()
    return known.map(({ title }) => title)
  },

  async count(tx, memberId) {
    const [row] = await tx.select({ courses: count() }).from(courseStaff).where(eq(courseStaff.memberId, memberId))
    return row?.courses ?? 0
  },

  async handOver(tx, memberId, heir) {
    const rows = await tx.delete(courseStaff).where(eq(courseStaff.memberId, memberId)).returning()
    await endStreamsOfMembers(tx, [memberId])
    if (rows.length === 0 || !heir) return
    if (rows.some(({ role }) => !hasRole(heir, ROLES_FOR[role]))) {
      throw new Refusal('unprocessable', { fields: { courseHeirId: ['heir_unsuitable'] } })
    }
    await tx
      .insert(courseStaff)
      .values(rows.map((row) => ({ ...row, memberId: heir.memberId })))
      .onConflictDoNothing()
    await handOverGroups(tx, memberId, heir.memberId)
  },
}

/** The heir becomes curator of the member's groups. */
async function handOverGroups(tx: Tx, memberId: string, heirId: string): Promise<void> {
  const groups = await tx.delete(studyGroupCurator).where(eq(studyGroupCurator.memberId, memberId)).returning()
  if (groups.length === 0) return
  await tx
    .insert(studyGroupCurator)
    .values(groups.map((row) => ({ ...row, memberId: heirId })))
    .onConflictDoNothing()
}

/** A curator is assigned as such; others by the first course role that their roles allow. */
function staffRoleOf(roles: readonly Role[]): StaffRole | undefined {
  if (roles.includes('CURATOR')) return 'curator'
  return STAFF_ROLES.find((role) => hasRole({ roles }, ROLES_FOR[role]))
}
