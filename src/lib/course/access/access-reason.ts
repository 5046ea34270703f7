export type Reason =
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
  because: Reason
  at?: Date
  endedAt?: Date
  after?: { lessonId: string; title: string; require: 'opened' | 'completed' | 'homeworkAccepted' | 'testPassed' }
  /** The grant that gives it, or that gives it soonest. */
  grantId?: string
  /** What was said by hand and decided, or moved the day. */
  overrideId?: string
}

export const OPEN: Access = { allow: true, because: 'open' }

export function closed(because: Reason, at?: Date): Access {
  return at ? { allow: false, because, at } : { allow: false, because }
}

/** The most generous of several answers; among refusals the one that ends soonest. */
export function best(answers: readonly Access[]): Access {
  const open = answers.find((one) => one.allow)
  if (open) return open
  const dated = answers.filter((one) => one.at).sort((a, b) => timeOf(a) - timeOf(b))
  return dated[0] ?? answers.find((one) => one.because !== 'revoked') ?? answers[0] ?? closed('no_grant')
}

/** The strictest of several answers; of dates the latest, since all must have come. */
export function every(answers: readonly Access[]): Access {
  const refused = answers.filter((one) => !one.allow)
  const undated = refused.find((one) => !one.at)
  if (undated) return undated
  return refused.sort((a, b) => timeOf(b) - timeOf(a))[0] ?? OPEN
}

const timeOf = ({ at }: Access): number => at?.getTime() ?? 0
