import type { AttemptProps } from '#islands/quiz/attempt/attempt-props.ts'
import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { AttemptPage } from '#lib/quiz/attempt/attempt-page.ts'

const USED_KEYS = /^attempt:(page|save|timer)\./

/** The data of the page for its script. */
export function attemptProps(actor: Actor, locale: Locale, view: AttemptPage): AttemptProps {
  const { attemptId, quizId, isOpen, deadlineAt, now, page, onExpiry, graceSec, feedback, questions } = view
  const strings = Object.fromEntries(
    Object.entries(stringsFor(locale, 'attempt')).filter(([key]) => USED_KEYS.test(key)),
  )
  return {
    attemptId,
    quizId,
    owner: actor.membershipId,
    timeZone: actor.timeZone,
    locale,
    strings,
    isOpen,
    deadlineAt: deadlineAt?.toISOString() ?? null,
    now: now.toISOString(),
    page,
    onExpiry,
    graceSec,
    feedback,
    questions: questions.map(({ questionId, type, partIds, choicePartIds, value, revision, closed }) => ({
      questionId,
      type,
      partIds,
      choicePartIds,
      value,
      revision,
      closed,
    })),
  }
}
