import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Puts files into the school's storage. */
export function canStore(person: { roles: readonly Role[] }): Verdict {
  return hasRole(person, ['OWNER', 'DIRECTOR', 'EXPERT']) ? allow('manages_content') : deny('no_storage_role')
}
