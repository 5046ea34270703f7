import type { AttemptState, GRADE_OF } from '#lib/core/shared/quiz.ts'
import { isPassed } from '../scoring/score.ts'

/** The fields of an attempt that the result of its test depends on. */
export interface AttemptResult {
  state: AttemptState
  submittedAt: Date | null
  score: number | null
  maxScore: number
  passed: boolean | null
}

export interface GradingRules {
  gradeOf: (typeof GRADE_OF)[number]
  passPercent: number
}

/** The result of a student in a test. */
export interface TestGrade {
  /** Percentage, rounded, of the attempt that counts, or of all attempts together; null before a mark. */
  percent: number | null
  /** When the attempt that counts was submitted; for an average, the last one. */
  at: Date | null
  /** When the test was passed; null: not passed. */
  passedAt: Date | null
}

type Graded = AttemptResult & { submittedAt: Date; score: number }

/**
 * The result of a student's attempts, given in their order. With the method "first", nothing counts until the first
 * attempt is marked; with "last", the last marked attempt counts. An attempt keeps the passing score that it was
 * started with; an average is compared with that of the test.
 */
export function gradeTest(attempts: readonly AttemptResult[], { gradeOf, passPercent }: GradingRules): TestGrade {
  const finished = attempts.filter(({ state }) => state === 'graded' || state === 'needsReview')
  const graded = finished.filter(isGraded)
  const [first, last] = [graded[0], graded.at(-1)]
  if (!first || !last) return NO_GRADE
  switch (gradeOf) {
    case 'best': {
      const best = graded.reduce((counts, attempt) => (percentOf(attempt) > percentOf(counts) ? attempt : counts))
      return { ...gradeOfAttempt(best), passedAt: graded.find(({ passed }) => passed)?.submittedAt ?? null }
    }
    case 'first':
      return first === finished[0] ? gradeOfAttempt(first) : NO_GRADE
    case 'last':
      return gradeOfAttempt(last)
    case 'average': {
      const score = sumOf(graded.map((attempt) => attempt.score))
      const maxScore = sumOf(graded.map((attempt) => attempt.maxScore))
      const isMet = isPassed(score, maxScore, passPercent)
      return {
        ...gradeOfAttempt(last),
        percent: percentOf({ score, maxScore }),
        passedAt: isMet ? last.submittedAt : null,
      }
    }
  }
}

const NO_GRADE: TestGrade = { percent: null, at: null, passedAt: null }

const isGraded = (attempt: AttemptResult): attempt is Graded =>
  attempt.state === 'graded' && attempt.submittedAt !== null && attempt.score !== null

const gradeOfAttempt = (attempt: Graded): TestGrade => ({
  percent: percentOf(attempt),
  at: attempt.submittedAt,
  passedAt: attempt.passed ? attempt.submittedAt : null,
})

const percentOf = ({ score, maxScore }: { score: number; maxScore: number }): number =>
  maxScore === 0 ? 100 : Math.floor((Math.round(score * 100) * 100) / Math.round(maxScore * 100))

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100
