import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import type { ShowSettings } from '../schema.ts'
import { describeKey, explanationsFor } from './describe/describe-answer.ts'

/** The feedback of an answer for the student. Fields that the test does not disclose are null or empty. */
export interface AnswerFeedback {
  score: number | null
  isCorrect: boolean | null
  /** HTML of the right answer. */
  key: string | null
  /** HTML. */
  explanations: string[]
}

/** The feedback that the settings of the test allow. `score` is null while the answer waits for a mark. */
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
