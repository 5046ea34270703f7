import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { Criterion, RubricMark } from '../schema.ts'

/** Counts go no further, so that they cost the same however long the queue is. */
export const COUNT_MOST = 100

/** Judges what students hand in. `assigned`: stands in the course's staff. */
export function canReview(person: { roles: readonly Role[] }, assigned: boolean): Verdict {
  if (hasRole(person, ['OWNER', 'DIRECTOR', 'EXPERT'])) return allow('manages_content')
  if (!hasRole(person, ['CURATOR'])) return deny('no_review_role')
  return assigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

const HOUR = 3_600_000

/** How much of the promised time is used up: `calm` under a half, `soon` under the whole, then `late`. */
export interface Clock {
  tone: 'calm' | 'soon' | 'late' | 'none'
  /** Whole hours left, or past the promise, from 0; null without a promise. */
  hours: number | null
}

/** The promise's clock at a moment. Where the school has promised nothing there is no clock. */
export function clockOf(
  { submittedAt, answerBy }: { submittedAt: Date | string | null; answerBy: Date | string | null },
  now = new Date(),
): Clock {
  if (!submittedAt || !answerBy) return { tone: 'none', hours: null }
  const from = new Date(submittedAt).getTime()
  const until = new Date(answerBy).getTime()
  const at = now.getTime()
  const hours = Math.floor(Math.abs(until - at) / HOUR)
  if (at >= until) return { tone: 'late', hours }
  return { tone: (at - from) / (until - from) < 0.5 ? 'calm' : 'soon', hours }
}

/** Points that the chosen levels of a rubric add up to; null while a criterion has none. */
export function rubricSum(rubric: readonly Criterion[], marks: readonly RubricMark[]): number | null {
  let sum = 0
  for (const criterion of rubric) {
    const level = criterion.levels[marks.find(({ criterionId }) => criterionId === criterion.id)?.level ?? -1]
    if (!level) return null
    sum += level.points
  }
  return sum
}

export interface Judged {
  grading: 'acceptReject' | 'points'
  maxPoints: number | null
  passPoints: number | null
  rubric: readonly Criterion[]
}

/** What a reviewer has put down that decides whether a review can be finished. */
export interface Marks {
  score: number | null
  rubricMarks: readonly RubricMark[]
  /** Whether anything tells the student what to do: words, a voice, a mark on the work. */
  says: boolean
}

/**
 * Why a review cannot end this way yet, as a key of `errors`; null when it can. Nothing is ever chosen for the
 * reviewer: no points are not zero points, and a criterion without a level is not its lowest.
 */
export function missingFor(verdict: 'accept' | 'return' | 'reject', task: Judged, marks: Marks): string | null {
  const { score, rubricMarks, says } = marks
  if (score !== null && score > (task.maxPoints ?? score)) return 'review_score_above'
  if (verdict !== 'accept') return says ? null : 'review_needs_words'
  if (rubricSum(task.rubric, rubricMarks) === null) return 'review_needs_rubric'
  if (task.grading !== 'points') return null
  if (score === null) return 'review_needs_score'
  return score < (task.passPoints ?? 0) ? 'review_score_below' : null
}

/** Whether a lock is somebody's now. `lockedAt` moves on while its holder works. */
export function holdsLock(
  { lockedBy, lockedAt }: { lockedBy: string | null; lockedAt: Date | string | null },
  minutes: number,
  now = new Date(),
): boolean {
  return lockedBy !== null && lockedAt !== null && now.getTime() - new Date(lockedAt).getTime() < minutes * 60_000
}
