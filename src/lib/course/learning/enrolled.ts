import { isNull } from 'drizzle-orm'
import { accessGrant } from './table.ts'

/**
 * Condition: a grant has not been revoked, so its student is enrolled, even if access has not begun, is frozen, or has
 * ended. The same as `enrolled_grants()` in SQL.
 */
export const isEnrolled = isNull(accessGrant.revokedAt)
