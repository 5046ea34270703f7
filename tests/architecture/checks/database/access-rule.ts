import type { SourceFile, Violation } from '../source.ts'

const GRANTS = /\baccess_grant\b|\baccessGrant\b/
const REVOCATION = /\brevoked_at\b|\brevokedAt\b/
const NOT_REVOKED = /\brevoked_at\s+is\s+null\b|isNull\(\s*accessGrant\.revokedAt\s*\)/i

/** The condition itself, the indexes that contain it, and the statement that renews a revoked grant. */
const SOURCES = new Set([
  'src/lib/course/learning/enrolled.ts',
  'src/lib/course/learning/table.ts',
  'src/lib/course/access/order/order-grants.ts',
])

/**
 * The rule of access to a course is written once, in the course module: other files call `course_access`,
 * `unended_grants`, `enrolled_grants` or `isEnrolled` instead of a condition on grants.
 */
export function repeatedAccessRules({ path, source }: SourceFile): Violation[] {
  if (!GRANTS.test(source) || SOURCES.has(path)) return []
  const pattern = path.startsWith('src/lib/course/') ? NOT_REVOKED : REVOCATION
  return pattern.test(source) ? [{ path, message: 'repeats the rule of access to a course' }] : []
}
