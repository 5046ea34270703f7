import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isPlanWritable } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import type { TeamMemberRow } from '#lib/user/team-member.ts'
import { canActOnMember, canManageTeam, type TeamAction } from './rules.ts'

/** Refuses with forbidden an actor who does not manage the team. */
export function requireTeamManager(actor: Actor): void {
  const verdict = canManageTeam(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** As requireTeamManager, for changes. The team belongs to both plan groups: one of them must be active. */
export function requireTeamChange(actor: Actor, now = new Date()): void {
  requireTeamManager(actor)
  if (!PLAN_GROUPS.some((group) => isPlanWritable(actor.plans, group, now))) throw new Refusal('plan_inactive')
}

/** Refuses with forbidden (owner_protected, own_membership) an action on a member; a removed member is not_found. */
export function requireActionOnMember(actor: Actor, member: TeamMemberRow, action: TeamAction): void {
  const { allow, reason } = canActOnMember(actor, member, action)
  if (!allow) throw new Refusal('forbidden', { fields: { form: [reason] } })
  if (member.removedAt) throw new Refusal('not_found')
}
