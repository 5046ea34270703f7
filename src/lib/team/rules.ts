import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

type TeamActor = Pick<Actor, 'roles' | 'membershipId'>
type Target = { id: string; roles: readonly Role[] }

export const TEAM_ACTIONS = ['change', 'block', 'unblock', 'remove', 'plan_vacation', 'receive_ownership'] as const
export type TeamAction = (typeof TEAM_ACTIONS)[number]

/** Whether an actor may see the team and invite members. */
export function canManageTeam(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_team') : deny('forbidden')
}

/**
 * Whether an actor may perform an action on a team member. Other members cannot change, block or remove an owner, and
 * nobody can block or remove themselves. Owners keep their role until they transfer the tenant.
 */
export function canActOnMember(actor: TeamActor, target: Target, action: TeamAction): Verdict {
  const verdict = canManageTeam(actor)
  if (!verdict.allow) return verdict
  const isOwnMembership = actor.membershipId === target.id
  const isOwner = target.roles.includes('OWNER')
  if (action === 'receive_ownership') {
    if (!hasRole(actor, ['OWNER'])) return deny('owner_protected')
    return isOwner ? deny('is_owner') : allow('owner')
  }
  if (isOwner && !isOwnMembership) return deny('owner_protected')
  if (isOwnMembership && (action === 'block' || action === 'unblock' || action === 'remove'))
    return deny('own_membership')
  return allow(isOwnMembership ? 'own' : 'manages_team')
}

const REVIEWERS = ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'] as const

/** The roles of those who may substitute for a member on vacation: of one who reviews no homework mentors too. */
export const deputyRolesFor = (member: { roles: readonly Role[] }): readonly Role[] =>
  hasRole(member, REVIEWERS) ? REVIEWERS : [...REVIEWERS, 'MENTOR']
