import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Automations act on all students, so only those who see all of them decide about automations. */
export const AUTOMATION_ROLES = ['OWNER', 'DIRECTOR'] as const satisfies Role[]

/** May see and change the automations of the school. */
export const canManageAutomations = (person: { roles: readonly Role[] }): Verdict =>
  hasRole(person, AUTOMATION_ROLES) ? allow('manages') : deny('managers_only')
