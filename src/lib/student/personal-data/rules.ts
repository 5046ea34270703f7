import type { AccountType } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/**
 * Whether a person may have their account deleted. A school must not lose its owner, and a team member is removed by the
 * school first, so that their work has an heir. `accountTypes`: of the memberships that have not ended.
 */
export function canRequestDeletion(accountTypes: readonly AccountType[]): Verdict {
  if (accountTypes.includes('ACCOUNT_TYPE_PRODUCT_OWNER')) return deny('deletion_owner')
  return accountTypes.some((type) => type !== 'ACCOUNT_TYPE_STUDENT') ? deny('deletion_team') : allow('own_account')
}
