import type { CertificateState } from '#lib/certificate/state-schema.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { canEditCourse } from '#lib/course/rules.ts'

interface CertificateActor {
  roles: readonly Role[]
}

/** May change rules and templates, and issue, reissue and revoke certificates. */
export function canManageCertificates(actor: CertificateActor): Verdict {
  return canEditCourse(actor)
}

/**
 * May see the rule of a course, its certificates and who qualifies. `isAssigned`: the actor is a curator of this
 * course.
 */
export function canSeeCertificates(actor: CertificateActor, isAssigned: boolean): Verdict {
  if (canEditCourse(actor).allow) return allow('manages_content')
  if (!hasRole(actor, ['CURATOR'])) return deny('no_course_role')
  return isAssigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

/** May confirm the printed name and request a certificate: only its student. */
export function canClaimCertificate(actor: CertificateActor): Verdict {
  return hasRole(actor, ['STUDENT']) ? allow('own_certificate') : deny('not_a_student')
}

export const CERTIFICATE_ACTIONS = [
  'issue',
  'expire',
  'revoke',
  'replace',
  'approve',
  'produce',
  'send',
  'receive',
  'decline',
] as const
export type CertificateAction = (typeof CERTIFICATE_ACTIONS)[number]

const TRANSITIONS: Record<CertificateState, Partial<Record<CertificateAction, CertificateState>>> = {
  pending: { issue: 'issued' },
  issued: { expire: 'expired', revoke: 'revoked', replace: 'replaced' },
  expired: { revoke: 'revoked', replace: 'replaced' },
  revoked: {},
  replaced: {},
  requested: { approve: 'approved', decline: 'declined' },
  approved: { produce: 'produced', decline: 'declined' },
  produced: { send: 'sent', receive: 'received', revoke: 'revoked', replace: 'replaced' },
  sent: { receive: 'received', revoke: 'revoked', replace: 'replaced' },
  received: { revoke: 'revoked', replace: 'replaced' },
  declined: {},
}

/** The state after an action, or null where it is not allowed. */
export function nextCertificateState(state: CertificateState, action: CertificateAction): CertificateState | null {
  return TRANSITIONS[state][action] ?? null
}

/** The states that lead to another one by an action. */
export function statesBefore(action: CertificateAction): CertificateState[] {
  return Object.entries(TRANSITIONS).flatMap(([state, actions]) => (actions[action] ? [state as CertificateState] : []))
}

/**
 * The displayed state: an issued certificate whose validity has ended is shown as expired before the daily job updates
 * it.
 */
export function shownState(
  { state, expiresAt }: { state: CertificateState; expiresAt: Date | null },
  now = new Date(),
): CertificateState {
  return state === 'issued' && expiresAt !== null && expiresAt <= now ? 'expired' : state
}

/** Whether a certificate has a number and a public page. */
export const hasPublicPage = (state: CertificateState): boolean =>
  !['pending', 'requested', 'approved', 'declined'].includes(state)

/** The mark that the PDF and the image of a certificate in this state carry; null for a valid or expired one. */
export const markOf = (state: CertificateState): 'revoked' | 'replaced' | null =>
  state === 'revoked' || state === 'replaced' ? state : null
