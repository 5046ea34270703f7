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

/** Whether something is open to a student and why; `at` when it opens by itself, `after` the lesson to finish first. */
export interface Access {
  allow: boolean
  because: AccessReason
  at?: Date
  endedAt?: Date
  after?: { lessonId: string; title: string; require: 'opened' | 'completed' | 'homeworkAccepted' | 'testPassed' }
  /** The grant that gives it, or that gives it soonest. */
  grantId?: string
  /** What was said by hand and decided, or moved the day. */
  overrideId?: string
}

export const OPEN_ACCESS: Access = { allow: true, because: 'open' }

export function denyAccess(because: AccessReason, at?: Date): Access {
  return at ? { allow: false, because, at } : { allow: false, because }
}

/** The most generous of several answers; among refusals the one that ends soonest. */
export function mostPermissive(results: readonly Access[]): Access {
  const open = results.find((access) => access.allow)
  if (open) return open
  const dated = results.filter((access) => access.at).sort((a, b) => opensAtMs(a) - opensAtMs(b))
  return dated[0] ?? results.find((access) => access.because !== 'revoked') ?? results[0] ?? denyAccess('no_grant')
}

/** The strictest of several answers; of dates the latest, since all must have come. */
export function mostRestrictive(results: readonly Access[]): Access {
  const refused = results.filter((access) => !access.allow)
  const undated = refused.find((access) => !access.at)
  if (undated) return undated
  return refused.sort((a, b) => opensAtMs(b) - opensAtMs(a))[0] ?? OPEN_ACCESS
}

const opensAtMs = ({ at }: Access): number => at?.getTime() ?? 0
