import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Whether an actor may see and change the settings of the school. */
export function canManageSettings(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_team') : deny('forbidden')
}

export type DomainStatus = 'pending' | 'verified' | 'active' | 'failed'
export type DomainProblem = 'txt_missing' | 'txt_wrong' | 'address_missing' | 'address_wrong' | 'dns_unavailable'

/** Number of consecutive checks that an active domain may fail before it is no longer served. */
const MAX_FAILED_CHECKS = 3

/**
 * The state of a custom domain after a check. An unavailable DNS server changes nothing; an active domain stays active
 * until it has failed three checks in a row.
 */
export function nextDomainState(
  current: { status: DomainStatus; failedChecks: number },
  problem: DomainProblem | null,
): { status: DomainStatus; failedChecks: number } {
  if (problem === null) return { status: 'active', failedChecks: 0 }
  if (problem === 'dns_unavailable') return { status: current.status, failedChecks: current.failedChecks }
  const failedChecks = current.failedChecks + 1
  if (current.status === 'active') {
    return { status: failedChecks >= MAX_FAILED_CHECKS ? 'failed' : 'active', failedChecks }
  }
  const isControlled = problem === 'address_missing' || problem === 'address_wrong'
  return { status: isControlled ? 'verified' : current.status === 'pending' ? 'pending' : 'failed', failedChecks }
}
