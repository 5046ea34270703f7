import type { Actor } from '#lib/core/shared/actor.ts'
import type { StudentStatus } from '#lib/core/shared/learning.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/**
 * Whether an actor may invite students. `isAssigned`: the invitation is for a course to whose staff the actor belongs.
 * Experts manage content, not students.
 */
export function canInviteStudents(actor: Pick<Actor, 'roles'>, isAssigned: boolean): Verdict {
  if (hasRole(actor, ['OWNER', 'DIRECTOR'])) return allow('manages_students')
  if (hasRole(actor, ['CURATOR'])) return isAssigned ? allow('curator_assigned') : deny('curator_not_assigned')
  return hasRole(actor, ['EXPERT']) ? deny('expert_no_students') : deny('no_student_role')
}

/** Whether an actor may see and change all students of the school: the list, bulk actions, import, export. */
export function canManageAllStudents(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_students') : deny('no_student_role')
}

/** The status of a student after a new invitation: `accepted` is kept. */
export function statusOnInvitation(status: StudentStatus | null, hasAccount: boolean): StudentStatus {
  if (status === 'accepted') return 'accepted'
  return hasAccount ? 'registered' : 'invited'
}

export type InvitationState = 'open' | 'accepted' | 'expired' | 'revoked'

/** The state of an invitation. An accepted one does not expire, so that opening the link again is no error. */
export function invitationState(
  invitation: { acceptedAt: Date | null; revokedAt: Date | null; expiresAt: Date },
  now: Date,
): InvitationState {
  if (invitation.acceptedAt) return 'accepted'
  if (invitation.revokedAt) return 'revoked'
  return invitation.expiresAt > now ? 'open' : 'expired'
}
