import { isEmptyAnswer } from '../question/answer-rules.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import { answerShare, isExactChoice } from './share.ts'

/** The settings of a test that scoring depends on. */
export interface ScoringRules {
  negativeMarking: boolean
  partialCredit: boolean
}

/**
 * The score of an answer, rounded to hundredths: from 0, or from `-points` with negative marks, to `points`. The score
 * of no answer is 0. Null: the answer is marked by a reviewer. `points` are those of the test, which may differ from
 * the question's.
 */
export function scoreAnswer(
  content: QuestionContent,
  answer: AnswerValue | null,
  { points, rules }: { points: number; rules: ScoringRules },
): number | null {
  if (answer === null || isEmptyAnswer(answer)) return 0
  const share = answerShare(content, answer)
  if (share === null) return null
  const isPartial = rules.partialCredit && content.partialCredit
  const credited = isPartial ? share : allOrNothing(content, answer, share)
  if (credited > 0) return roundPoints(credited * points)
  if (!rules.negativeMarking) return 0
  const penalty = content.points > 0 ? content.penalty * (points / content.points) : 0
  return -roundPoints(Math.min(points, Math.max(penalty, -credited * points))) || 0
}

/** The score of an attempt: the sum in exact hundredths, at least 0. Null while an answer waits for a mark. */
export function totalScore(scores: readonly (number | null)[]): number | null {
  let hundredths = 0
  for (const score of scores) {
    if (score === null) return null
    hundredths += Math.round(score * 100)
  }
  return Math.max(0, hundredths) / 100
}

/** Whether a score reaches the passing percentage; a test without points is passed by each submission. */
export function isPassed(score: number, maxScore: number, passPercent: number): boolean {
  return Math.round(score * 100) * 100 >= Math.round(maxScore * 100) * passPercent
}

/** The grade of a student from the scores of submitted attempts in their order, or null without any. */
export function gradeOfAttempts(
  scores: readonly number[],
  gradeOf: 'best' | 'last' | 'first' | 'average',
): number | null {
  if (scores.length === 0) return null
  switch (gradeOf) {
    case 'best':
      return Math.max(...scores)
    case 'first':
      return scores[0] ?? null
    case 'last':
      return scores.at(-1) ?? null
    case 'average':
      return roundPoints(scores.reduce((sum, score) => sum + score, 0) / scores.length)
  }
}

function allOrNothing(content: QuestionContent, answer: AnswerValue, share: number): number {
  if (content.type === 'multiple' && answer.type === 'multiple')
    return isExactChoice(content, answer) ? 1 : Math.min(0, share)
  return share >= 1 ? 1 : Math.min(0, share)
}

/** Rounds to hundredths, halves away from zero; binary floating-point errors below a ten-millionth are ignored. */
const roundPoints = (value: number): number => (Math.sign(value) * Math.round(Math.abs(value) * 100 + 1e-7)) / 100
