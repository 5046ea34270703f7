import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Role } from '#lib/core/shared/role.ts'
import { lockTeamMember, updateTeamMember } from '#lib/user/team-member.ts'
import { requireActionOnMember, requireTeamChange } from './permission.ts'
import type { ChangeMember, MemberInput } from './schema.ts'
import { lockTeam, requireTeamSeat } from './seats.ts'

/**
 * Sets the roles and the position of a team member, from the next request on; without roles the member is MEMBER, and
 * an owner stays OWNER. The same values again change nothing. Refuses with forbidden (owner_protected), plan_inactive,
 * not_found, and conflict with the newer values when another user has changed the member since `revision`.
 */
export async function changeMember(actor: Actor, input: ChangeMember): Promise<{ revision: number; roles: Role[] }> {
  requireTeamChange(actor)
  const { memberId, revision, roles, position } = input
  return inTenant(actor, async (tx) => {
    const member = await lockTeamMember(tx, actor.tenantId, memberId)
    requireActionOnMember(actor, member, 'change')
    const newRoles = effectiveTeamRoles(member.roles, roles)
    const isSame = member.position === position && haveSameRoles(newRoles, member.roles)
    if (isSame) return { revision: member.revision, roles: member.roles }
    if (member.revision !== revision) {
      throw new Refusal('conflict', {
        message: 'member_conflict',
        data: { revision: member.revision, roles: member.roles, position: member.position },
      })
    }
    await updateTeamMember(tx, member, { roles: newRoles, position })
    await recordAuditEntry(tx, actor, {
      action: 'member.changed',
      objectId: member.id,
      objectName: member.name,
      before: { roles: member.roles, position: member.position },
      after: { roles: newRoles, position },
    })
    return { revision: revision + 1, roles: newRoles }
  })
}

/**
 * Blocks a team member: the next request is refused, the seat is released, assignments are kept. A repeated call
 * changes nothing. Refuses with forbidden (owner_protected, own_membership), plan_inactive, not_found.
 */
export async function blockMember(actor: Actor, input: MemberInput): Promise<void> {
  requireTeamChange(actor)
  const { memberId } = input
  await inTenant(actor, async (tx) => {
    const member = await lockTeamMember(tx, actor.tenantId, memberId)
    requireActionOnMember(actor, member, 'block')
    if (member.blockedAt) return
    await updateTeamMember(tx, member, { blockedAt: new Date() })
    await recordAuditEntry(tx, actor, { action: 'member.blocked', objectId: member.id, objectName: member.name })
  })
}

/** Unblocks a team member. Refuses as blockMember, and with unprocessable (limit_manager_count) without a free seat. */
export async function unblockMember(actor: Actor, input: MemberInput): Promise<void> {
  requireTeamChange(actor)
  const { memberId } = input
  await inTenant(actor, async (tx) => {
    await lockTeam(tx, actor.tenantId)
    const member = await lockTeamMember(tx, actor.tenantId, memberId)
    requireActionOnMember(actor, member, 'unblock')
    if (!member.blockedAt) return
    await requireTeamSeat(tx, actor.tenantId, actor)
    await updateTeamMember(tx, member, { blockedAt: null })
    await recordAuditEntry(tx, actor, { action: 'member.unblocked', objectId: member.id, objectName: member.name })
  })
}

function effectiveTeamRoles(current: readonly Role[], chosen: readonly Role[]): Role[] {
  if (current.includes('OWNER')) return ['OWNER', ...chosen]
  return chosen.length > 0 ? [...chosen] : ['MEMBER']
}

const haveSameRoles = (first: readonly Role[], second: readonly Role[]): boolean =>
  first.length === second.length && first.every((role) => second.includes(role))
