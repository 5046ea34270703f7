import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { Criterion, RubricMark } from '../schema.ts'

/** Counts stop here, so that their cost does not depend on the length of the queue. */
export const COUNT_LIMIT = 100

/** Whether a person may review submissions. `isAssigned`: belongs to the staff of the course. */
export function canReview(person: { roles: readonly Role[] }, isAssigned: boolean): Verdict {
  if (hasRole(person, ['OWNER', 'DIRECTOR', 'EXPERT'])) return allow('manages_content')
  if (!hasRole(person, ['CURATOR'])) return deny('no_review_role')
  return isAssigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

/** The used share of the promised response time: `calm` below a half, `soon` below the whole, then `late`. */
export interface DeadlineClock {
  tone: 'calm' | 'soon' | 'late' | 'none'
  /** Whole hours left or, when late, past the deadline, from 0; null without a deadline. */
  hours: number | null
}

/** The state of the response deadline at `now`. Without a promised response time the tone is `none`. */
export function deadlineClock(
  { submittedAt, answerBy }: { submittedAt: Date | string | null; answerBy: Date | string | null },
  now = new Date(),
): DeadlineClock {
  if (!submittedAt || !answerBy) return { tone: 'none', hours: null }
  const startMs = new Date(submittedAt).getTime()
  const deadlineMs = new Date(answerBy).getTime()
  const nowMs = now.getTime()
  const hours = Math.floor(Math.abs(deadlineMs - nowMs) / HOUR_MS)
  if (nowMs >= deadlineMs) return { tone: 'late', hours }
  return { tone: (nowMs - startMs) / (deadlineMs - startMs) < 0.5 ? 'calm' : 'soon', hours }
}

/** Sum of the points of the chosen levels of a rubric; null while a criterion has none. */
export function rubricSum(rubric: readonly Criterion[], marks: readonly RubricMark[]): number | null {
  let sum = 0
  for (const criterion of rubric) {
    const level = criterion.levels[marks.find(({ criterionId }) => criterionId === criterion.id)?.level ?? -1]
    if (!level) return null
    sum += level.points
  }
  return sum
}

export interface ReviewedTask {
  grading: 'acceptReject' | 'points'
  maxPoints: number | null
  passPoints: number | null
  rubric: readonly Criterion[]
}

/** The parts of a draft that decide whether a review can be finished. */
export interface DraftSummary {
  score: number | null
  rubricMarks: readonly RubricMark[]
  /** Text, a voice comment or an annotation for the student. */
  hasFeedback: boolean
}

/**
 * The missing part of a verdict, as a key of `errors`; null when there is none. There are no defaults: missing points
 * are not zero points, and a criterion without a level does not have its lowest level.
 */
export function missingForVerdict(
  verdict: 'accept' | 'return' | 'reject',
  task: ReviewedTask,
  marks: DraftSummary,
): string | null {
  const { score, rubricMarks, hasFeedback } = marks
  if (score !== null && score > (task.maxPoints ?? score)) return 'review_score_above'
  if (verdict !== 'accept') return hasFeedback ? null : 'review_needs_words'
  if (rubricSum(task.rubric, rubricMarks) === null) return 'review_needs_rubric'
  if (task.grading !== 'points') return null
  if (score === null) return 'review_needs_score'
  return score < (task.passPoints ?? 0) ? 'review_score_below' : null
}

/** Whether a lock is in force. `lockedAt` is updated while its holder is active. */
export function holdsLock(
  { lockedBy, lockedAt }: { lockedBy: string | null; lockedAt: Date | string | null },
  minutes: number,
  now = new Date(),
): boolean {
  return lockedBy !== null && lockedAt !== null && now.getTime() - new Date(lockedAt).getTime() < minutes * MINUTE_MS
}
