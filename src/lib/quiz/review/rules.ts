import { type AttemptState, MANUAL_TYPES, type QuestionType } from '#lib/core/shared/quiz.ts'
import type { AttemptReviewDraft } from './schema.ts'

/** The fields of an answer that decide whether its review can be finished. */
export interface ReviewedAnswer {
  questionId: string
  type: QuestionType
  points: number
  hasAnswer: boolean
}

/** Whether an attempt can be marked: it was submitted, by the student or at the deadline. */
export const canBeMarked = (state: AttemptState): boolean =>
  state === 'submitted' || state === 'needsReview' || state === 'graded'

/** Whether a reviewer can accept a late answer: the attempt has ended, also when it was not submitted in time. */
export const canAcceptLate = (state: AttemptState): boolean => canBeMarked(state) || state === 'abandoned'

/** Whether a reviewer has to mark the answer. Without an answer the score is 0 and no mark is needed. */
export const needsMark = ({ type, hasAnswer }: Pick<ReviewedAnswer, 'type' | 'hasAnswer'>): boolean =>
  hasAnswer && MANUAL_TYPES.includes(type)

/** The questions whose answers still wait for a mark. There is no default: a missing mark is not a mark of 0. */
export function unmarkedQuestions(answers: readonly ReviewedAnswer[], { marks }: AttemptReviewDraft): string[] {
  return answers.flatMap((answer) =>
    needsMark(answer) && (marks[answer.questionId]?.score ?? null) === null ? [answer.questionId] : [],
  )
}

/** The questions with a mark above their points. */
export function overmarkedQuestions(answers: readonly ReviewedAnswer[], { marks }: AttemptReviewDraft): string[] {
  return answers.flatMap(({ questionId, points }) => {
    const score = marks[questionId]?.score ?? null
    return score !== null && score > points ? [questionId] : []
  })
}

/** A draft without empty marks and without marks of unknown questions, in the order of the questions. */
export function compactDraft(draft: AttemptReviewDraft, questionIds: readonly string[]): AttemptReviewDraft {
  const marks = questionIds.flatMap((questionId) => {
    const mark = draft.marks[questionId]
    return mark && (mark.score !== null || mark.comment !== '')
      ? [[questionId, { score: mark.score, comment: mark.comment }] as const]
      : []
  })
  return { marks: Object.fromEntries(marks), comment: draft.comment }
}

/** The review that is visible to the student, as a draft. */
export function releasedReview(
  answers: readonly { questionId: string; manualScore: number | null; comment: string }[],
  comment: string,
  questionIds: readonly string[],
): AttemptReviewDraft {
  const marks = answers.map(({ questionId, manualScore, comment: text }) => [
    questionId,
    { score: manualScore, comment: text },
  ])
  return compactDraft({ marks: Object.fromEntries(marks), comment }, questionIds)
}
