import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** The statuses of the specification (section 4). */
export const STUDENT_STATUS = ['invited', 'registered', 'accepted', 'unknown'] as const
export type StudentStatus = (typeof STUDENT_STATUS)[number]

/** Owners and directors invite to the school; who manages a course also invites to it, as the course room decides. */
export function canInviteStudents(actor: Pick<Actor, 'roles'>, throughCourse: boolean): Verdict {
  if (hasRole(actor, ['OWNER', 'DIRECTOR'])) return allow('manages_students')
  if (throughCourse && hasRole(actor, ['EXPERT', 'CURATOR'])) return allow('manages_course')
  return deny('forbidden')
}

/** What a new invitation makes of a student: nobody falls back from accepted. */
export function statusOnInvitation(status: StudentStatus | null, hasAccount: boolean): StudentStatus {
  if (status === 'accepted') return 'accepted'
  return hasAccount ? 'registered' : 'invited'
}

export type InvitationState = 'open' | 'accepted' | 'expired' | 'revoked'

/** Where an invitation stands. An accepted one stays good, so that a second click is no error. */
export function invitationState(
  invitation: { acceptedAt: Date | null; revokedAt: Date | null; expiresAt: Date },
  now: Date,
): InvitationState {
  if (invitation.acceptedAt) return 'accepted'
  if (invitation.revokedAt) return 'revoked'
  return invitation.expiresAt > now ? 'open' : 'expired'
}
