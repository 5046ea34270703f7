import type { SubmissionState } from '#lib/core/shared/learning.ts'
import type { CompletionRule } from '../schema.ts'
import { isWatched, type Ranges, watchedShare } from './watch-rules.ts'

export interface WatchedMedia {
  fileId: string
  /** Seconds; null until measured. */
  duration: number | null
  ranges: Ranges
}

/** Progress of a student in a lesson, and what the lesson contains. */
export interface CompletionFacts {
  rule: CompletionRule
  media: readonly WatchedMedia[]
  taskCount: number
  homeworkState: SubmissionState | null
  homeworkAcceptedAt: Date | null
  hasTest: boolean
  testPassedAt: Date | null
}

/** The first condition that is not met; shares are whole percents. */
export type MissingStep =
  | { kind: 'watched'; percent: number; watched: number }
  | { kind: 'task'; state: SubmissionState | null }
  | { kind: 'test' }

/**
 * The rule that applies. A rule whose video, task or test was removed from the lesson falls back to manual completion,
 * so that the lesson can still be completed.
 */
export function effectiveRule({ rule, media, taskCount, hasTest }: CompletionFacts): CompletionRule['mode'] {
  if (rule.mode === 'watched') return media.length > 0 ? 'watched' : 'manual'
  if (rule.mode === 'taskAccepted') return taskCount > 0 ? 'taskAccepted' : 'manual'
  if (rule.mode === 'testPassed') return hasTest ? 'testPassed' : 'manual'
  return 'manual'
}

/** The condition that is not met yet; null when the lesson may be completed. Each media file counts separately. */
export function findMissingStep(facts: CompletionFacts): MissingStep | null {
  switch (effectiveRule(facts)) {
    case 'manual':
      return null
    case 'watched': {
      const percent = facts.rule.mode === 'watched' ? facts.rule.percent : 100
      const unwatched = facts.media.filter(({ ranges, duration }) => !isWatched(ranges, duration, percent))
      if (unwatched.length === 0) return null
      const lowestShare = Math.min(...unwatched.map(({ ranges, duration }) => watchedShare(ranges, duration)))
      return { kind: 'watched', percent, watched: Math.floor(lowestShare * 100) }
    }
    case 'taskAccepted':
      return facts.homeworkAcceptedAt ? null : { kind: 'task', state: facts.homeworkState }
    case 'testPassed':
      return facts.testPassedAt ? null : { kind: 'test' }
  }
}
