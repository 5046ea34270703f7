import type { SubmissionState } from '#lib/core/shared/learning.ts'
import type { CompletionRule } from '../schema.ts'
import { isWatched, type Ranges, watchedShare } from './watch-rules.ts'

export interface WatchedMedia {
  fileId: string
  /** Seconds; null while nobody has measured it. */
  duration: number | null
  ranges: Ranges
}

/** What a student has done in a lesson, and what there is to do. */
export interface CompletionFacts {
  rule: CompletionRule
  media: readonly WatchedMedia[]
  taskCount: number
  homeworkState: SubmissionState | null
  homeworkAcceptedAt: Date | null
  hasTest: boolean
  testPassedAt: Date | null
}

/** What is still to do before a lesson is completed; shares are whole percents. */
export type MissingStep =
  | { kind: 'watched'; percent: number; watched: number }
  | { kind: 'task'; state: SubmissionState | null }
  | { kind: 'test' }

/**
 * The rule that can be kept: an author may ask for a film, a task or a test and then take it out of the lesson, and
 * nobody should be stuck before a door that no longer opens.
 */
export function effectiveRule({ rule, media, taskCount, hasTest }: CompletionFacts): CompletionRule['mode'] {
  if (rule.mode === 'watched') return media.length > 0 ? 'watched' : 'manual'
  if (rule.mode === 'taskAccepted') return taskCount > 0 ? 'taskAccepted' : 'manual'
  if (rule.mode === 'testPassed') return hasTest ? 'testPassed' : 'manual'
  return 'manual'
}

/** What the rule still asks for; null when the lesson may be completed. Every film counts by itself. */
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
