/** Every role that a session can have. Students always have STUDENT; MEMBER is a team member without other roles. */
export const ROLES = [
  'OWNER',
  'DIRECTOR',
  'EXPERT',
  'CURATOR',
  'PRESENTER',
  'MODERATOR',
  'MENTOR',
  'MEMBER',
  'STUDENT',
] as const
export type Role = (typeof ROLES)[number]

export const ACCOUNT_TYPES = ['ACCOUNT_TYPE_STUDENT', 'ACCOUNT_TYPE_PRODUCT_OWNER', 'ACCOUNT_TYPE_TEAM_MEMBER'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

export const PLAN_GROUPS = ['lms', 'workshop'] as const
export type PlanGroup = (typeof PLAN_GROUPS)[number]

/** The effective roles of a membership: students have only STUDENT, staff without roles have MEMBER. */
export function effectiveRoles(accountType: AccountType, roles: readonly Role[]): Role[] {
  if (accountType === 'ACCOUNT_TYPE_STUDENT') return ['STUDENT']
  const staff = roles.filter((role) => role !== 'STUDENT')
  if (accountType === 'ACCOUNT_TYPE_PRODUCT_OWNER' && !staff.includes('OWNER')) return ['OWNER', ...staff]
  return staff.length > 0 ? staff : ['MEMBER']
}

export function hasRole(actor: { roles: readonly Role[] }, allowed: readonly Role[]): boolean {
  return actor.roles.some((role) => allowed.includes(role))
}
