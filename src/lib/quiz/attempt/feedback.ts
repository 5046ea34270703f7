import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import type { ShowSettings } from '../schema.ts'
import { describeKey, explanationsFor } from './describe-answer.ts'

/** What a student learns about an answer. What the test does not show is null or empty. */
export interface AnswerFeedback {
  score: number | null
  isCorrect: boolean | null
  /** HTML of the right answer. */
  key: string | null
  /** HTML. */
  explanations: string[]
}

/** The feedback that the settings of the test allow. `score` is null while a person has to mark the answer. */
export function feedbackFor(
  content: QuestionContent,
  { value, score, points }: { value: AnswerValue | null; score: number | null; points: number },
  show: ShowSettings,
  { render, t }: { render: RenderContext; t: Translate },
): AnswerFeedback {
  return {
    score: show.score ? score : null,
    isCorrect: show.correctness && score !== null ? score >= points : null,
    key: show.correctAnswers ? describeKey(content, { render, t }) : null,
    explanations: show.explanations ? explanationsFor(content, value, render) : [],
  }
}
