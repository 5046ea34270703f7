import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Whether an actor may read and export the audit log. */
export function canReadAuditLog(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_team') : deny('forbidden')
}
