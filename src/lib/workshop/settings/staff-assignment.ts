import { and, countDistinct, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import type { AssignmentModule } from '#lib/team/assignments.ts'
import { ASSIGNABLE_ROLES, roomRoleOf } from '../rules.ts'
import { syncStaffRoles } from '../session/participant-restriction.ts'
import { workshop, workshopStaff } from '../table.ts'
import { readTeam } from './staff.ts'

/** Events of team members, for invitations with assignments and for the removal of a member. */
export const eventAssignments: AssignmentModule = {
  async assign(tx, { tenantId, memberId, roles }, ids) {
    if (ids.length === 0) return []
    const known = await tx
      .select({ title: workshop.title })
      .from(workshop)
      .where(and(eq(workshop.tenantId, tenantId), inArray(workshop.id, [...ids])))
    if (known.length < ids.length) throw new Refusal('not_found')
    const role = (['speaker', 'moderator'] as const).find((role) => hasRole({ roles }, ASSIGNABLE_ROLES[role]))
    if (!role) throw new Refusal('unprocessable', { fields: { workshopIds: ['staff_unknown'] } })
    await tx
      .insert(workshopStaff)
      .values(ids.map((workshopId) => ({ tenantId, workshopId, memberId, role })))
      .onConflictDoNothing()
    return known.map(({ title }) => title)
  },

  async count(tx, memberId) {
    const [row] = await tx
      .select({ events: countDistinct(workshopStaff.workshopId) })
      .from(workshopStaff)
      .where(eq(workshopStaff.memberId, memberId))
    return row?.events ?? 0
  },

  async handOver(tx, memberId, heir) {
    const rows = await tx.delete(workshopStaff).where(eq(workshopStaff.memberId, memberId)).returning()
    const [first] = rows
    if (!first || !heir) return
    if (rows.some(({ role }) => !hasRole(heir, ASSIGNABLE_ROLES[role]))) {
      throw new Refusal('unprocessable', { fields: { eventHeirId: ['heir_unsuitable'] } })
    }
    await tx
      .insert(workshopStaff)
      .values(rows.map((row) => ({ ...row, memberId: heir.memberId })))
      .onConflictDoNothing()
    for (const workshopId of new Set(rows.map((row) => row.workshopId))) await syncRoles(tx, first.tenantId, workshopId)
  },
}

async function syncRoles(tx: Tx, tenantId: string, workshopId: string): Promise<void> {
  const team = await readTeam(tx, tenantId, workshopId)
  await syncStaffRoles(tx, workshopId, (memberId) => {
    const member = team.find((row) => row.memberId === memberId)
    return member ? roomRoleOf(member, member.assigned) : 'viewer'
  })
}
