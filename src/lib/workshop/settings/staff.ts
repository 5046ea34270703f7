import { and, asc, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { WORKSHOP_ROLES, type WorkshopRole } from '#lib/core/shared/event/live-event.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import {
  type AssignableMember,
  assignableRoles,
  assignedRoles,
  listAssignableMembers,
} from '#lib/team/assignable-members.ts'
import { membership, user } from '#lib/user/table.ts'
import { requireManagedWorkshop, requireReadableWorkshop } from '../permission.ts'
import { ASSIGNABLE_ROLES, roomRoleOf } from '../rules.ts'
import type { SetEventStaff } from '../schema.ts'
import { syncStaffRoles } from '../session/participant-restriction.ts'
import { workshopStaff } from '../table.ts'
import { lockWorkshopRow } from './save.ts'

export interface TeamMember extends AssignableMember {
  /** Event roles that can be assigned to the member. */
  assignable: WorkshopRole[]
  /** Event roles of the member at this event. */
  assigned: WorkshopRole[]
}

/** Team members with or eligible for an event role, by name. Refuses with forbidden, not_found. */
export function listEventStaff(actor: Actor, input: { workshopId: string }): Promise<TeamMember[]> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    return readTeam(tx, actor.tenantId, workshopId)
  })
}

/**
 * Replaces the staff of an event. Idempotent. Refuses with forbidden, plan_inactive, not_found; with unprocessable for
 * a member who is not eligible (staff_unknown), and for a published event without a host.
 */
export function setEventStaff(actor: Actor, input: SetEventStaff): Promise<{ people: number }> {
  const { workshopId, staff } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { publication } = await lockWorkshopRow(tx, workshopId)
    const team = await readTeam(tx, actor.tenantId, workshopId)
    const assignableKeys = new Set(
      team.flatMap(({ memberId, assignable: may }) => may.map((role) => `${memberId} ${role}`)),
    )
    const staffByKey = new Map(staff.map((row) => [`${row.memberId} ${row.role}`, row]))
    if ([...staffByKey.keys()].some((key) => !assignableKeys.has(key))) {
      throw formRefusal('staff_unknown')
    }
    if (publication === 'published' && ![...staffByKey.values()].some(({ role }) => role === 'host')) {
      throw formRefusal('workshop_needs_host')
    }
    const rows = [...staffByKey.values()].map((row, position) => ({
      ...row,
      tenantId: actor.tenantId,
      workshopId,
      position,
    }))
    await tx.delete(workshopStaff).where(eq(workshopStaff.workshopId, workshopId))
    if (rows.length > 0) await tx.insert(workshopStaff).values(rows)
    await syncStaffRoles(tx, workshopId, (memberId) => {
      const member = team.find((row) => row.memberId === memberId)
      const at = rows.filter((row) => row.memberId === memberId).map(({ role }) => role)
      return member ? roomRoleOf(member, at) : 'viewer'
    })
    return { people: new Set(rows.map(({ memberId }) => memberId)).size }
  })
}

export interface EventStaff {
  memberId: string
  name: string
  role: WorkshopRole
}

/** Staff of an event, in assigned order. */
export async function readEventStaff(tx: Tx, workshopId: string): Promise<EventStaff[]> {
  const rows = await tx
    .select({
      memberId: workshopStaff.memberId,
      role: workshopStaff.role,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
    })
    .from(workshopStaff)
    .innerJoin(
      membership,
      and(eq(membership.tenantId, workshopStaff.tenantId), eq(membership.id, workshopStaff.memberId)),
    )
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(workshopStaff.workshopId, workshopId))
    .orderBy(asc(workshopStaff.position), asc(workshopStaff.memberId))
  return rows.map(({ memberId, role, ...person }) => ({ memberId, role, name: displayName(person) }))
}

const displayName = (person: { firstName: string; lastName: string; email: string }): string =>
  fullName(person) || (person.email.split('@')[0] ?? '')

/** Team members who have or may have a role at an event, by name. */
export async function readTeam(tx: Tx, tenantId: string, workshopId: string): Promise<TeamMember[]> {
  const named = await readEventStaff(tx, workshopId)
  const team = await listAssignableMembers(tx, tenantId, ASSIGNABLE_ROLES.moderator)
  return team.map((member) => ({
    ...member,
    assignable: assignableRoles(member, WORKSHOP_ROLES, ASSIGNABLE_ROLES),
    assigned: assignedRoles(member.memberId, WORKSHOP_ROLES, named),
  }))
}
