import type { HomeworkState } from '#lib/core/shared/learning.ts'
import type { CompletionRule } from '../schema.ts'
import { isWatched, type Ranges, shareOf } from './watch-rules.ts'

export interface WatchedFilm {
  fileId: string
  /** Seconds; null while nobody has measured it. */
  duration: number | null
  ranges: Ranges
}

/** What a student has done in a lesson, and what there is to do. */
export interface CompletionFacts {
  rule: CompletionRule
  films: readonly WatchedFilm[]
  taskCount: number
  homeworkState: HomeworkState | null
  homeworkAcceptedAt: Date | null
  hasTest: boolean
  testPassedAt: Date | null
}

/** What is still to do before a lesson is completed; shares are whole percents. */
export type Missing =
  | { what: 'watched'; percent: number; watched: number }
  | { what: 'task'; state: HomeworkState | null }
  | { what: 'test' }

/**
 * The rule that can be kept: an author may ask for a film, a task or a test and then take it out of the lesson, and
 * nobody should be stuck before a door that no longer opens.
 */
export function ruleInForce({ rule, films, taskCount, hasTest }: CompletionFacts): CompletionRule['mode'] {
  if (rule.mode === 'watched') return films.length > 0 ? 'watched' : 'manual'
  if (rule.mode === 'taskAccepted') return taskCount > 0 ? 'taskAccepted' : 'manual'
  if (rule.mode === 'testPassed') return hasTest ? 'testPassed' : 'manual'
  return 'manual'
}

/** What the rule still asks for; null when the lesson may be completed. Every film counts by itself. */
export function missingFor(facts: CompletionFacts): Missing | null {
  switch (ruleInForce(facts)) {
    case 'manual':
      return null
    case 'watched': {
      const percent = facts.rule.mode === 'watched' ? facts.rule.percent : 100
      const left = facts.films.filter(({ ranges, duration }) => !isWatched(ranges, duration, percent))
      if (left.length === 0) return null
      const least = Math.min(...left.map(({ ranges, duration }) => shareOf(ranges, duration)))
      return { what: 'watched', percent, watched: Math.floor(least * 100) }
    }
    case 'taskAccepted':
      return facts.homeworkAcceptedAt ? null : { what: 'task', state: facts.homeworkState }
    case 'testPassed':
      return facts.testPassedAt ? null : { what: 'test' }
  }
}
