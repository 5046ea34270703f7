import type { Locale } from '#lib/core/shared/locale.ts'
import type { FeedbackTime } from '#lib/core/shared/quiz.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { AnsweredQuestion } from '#lib/quiz/attempt/form-rules.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

/** A question of the page with its saved answer. */
export interface ShownAnswer extends AnsweredQuestion {
  value: AnswerValue | null
  revision: number
  closed: boolean
}

/** Props of the script of an attempt. */
export interface AttemptProps {
  attemptId: string
  quizId: string
  /** Membership id of the student to whom queued answers belong. */
  owner: string
  timeZone: string
  locale: Locale
  strings: Strings
  /** Answers can be changed. */
  isOpen: boolean
  deadlineAt: string | null
  /** The server's clock when the page was rendered. */
  now: string
  /** From 0. */
  page: number
  onExpiry: 'autoSubmit' | 'graceSubmit' | 'discard'
  graceSec: number
  feedback: FeedbackTime
  questions: ShownAnswer[]
}
