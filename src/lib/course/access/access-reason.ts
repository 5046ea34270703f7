export type AccessReason =
  | 'open'
  | 'opened_by_school'
  | 'course_not_published'
  | 'no_grant'
  | 'revoked'
  | 'not_started'
  | 'ended'
  | 'frozen'
  | 'other_modules'
  | 'opens_at'
  | 'first_opening'
  | 'after_lesson'
  | 'by_school'
  | 'closed_by_school'

/**
 * Whether a course or lesson is open to a student, and why. `at` is the time at which it opens by itself, `after` the
 * lesson to finish first.
 */
export interface Access {
  allow: boolean
  reason: AccessReason
  at?: Date
  endedAt?: Date
  after?: { lessonId: string; title: string; require: 'opened' | 'completed' | 'homeworkAccepted' | 'testPassed' }
  /** The grant that gives the access, or the one that gives it first. */
  grantId?: string
  /** The override that determined the result, or that moved the date. */
  overrideId?: string
}

export const OPEN_ACCESS: Access = { allow: true, reason: 'open' }

export function denyAccess(reason: AccessReason, at?: Date): Access {
  return at ? { allow: false, reason, at } : { allow: false, reason }
}

/** The most permissive of several results; among denials the one that ends soonest. */
export function mostPermissive(results: readonly Access[]): Access {
  const open = results.find((access) => access.allow)
  if (open) return open
  const dated = results.filter((access) => access.at).sort((a, b) => opensAtMs(a) - opensAtMs(b))
  return dated[0] ?? results.find((access) => access.reason !== 'revoked') ?? results[0] ?? denyAccess('no_grant')
}

/** The most restrictive of several results; of dates the latest, because all conditions must hold. */
export function mostRestrictive(results: readonly Access[]): Access {
  const refused = results.filter((access) => !access.allow)
  const undated = refused.find((access) => !access.at)
  if (undated) return undated
  return refused.sort((a, b) => opensAtMs(b) - opensAtMs(a))[0] ?? OPEN_ACCESS
}

const opensAtMs = ({ at }: Access): number => at?.getTime() ?? 0
