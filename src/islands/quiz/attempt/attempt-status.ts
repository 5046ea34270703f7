import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { QueueItem } from './answer-queue.ts'

export type AnswerState = 'saved' | 'saving' | 'local' | 'conflict' | 'late' | 'refused'

/** Shows the save state: per question, for the whole attempt, and to screen readers. */
export function createStatus(root: HTMLElement, t: Translate) {
  const announcement = root.querySelector<HTMLElement>('[data-announcement]')
  const notice = root.querySelector<HTMLElement>('[data-notice]')
  const noticeText = root.querySelector<HTMLElement>('[data-notice-text]')
  const signIn = root.querySelector<HTMLElement>('[data-notice-sign-in]')
  const summary = root.querySelector<HTMLElement>('[data-save-summary]')

  const announce = (text: string) => {
    if (announcement) announcement.textContent = text
  }
  return {
    announce,

    /** Shows the state of one answer; `reason` of a refusal. */
    showAnswer(questionId: string, state: AnswerState, reason = ''): void {
      const place = root.querySelector<HTMLElement>(`[data-question="${questionId}"] [data-saved]`)
      if (!place || place.dataset.state === state) return
      place.dataset.state = state
      place.textContent = answerStateText(state, reason, t)
    },

    /** Shows whether answers are queued, and why. */
    showQueue(items: readonly QueueItem[]): void {
      const cause = items.find((item) => item.cause !== null && item.reason !== 'conflict')?.cause ?? null
      const kind = cause === 'signedOut' || cause === 'server' ? cause : cause === 'refused' ? 'otherPerson' : 'offline'
      if (notice) notice.hidden = cause === null
      const text = cause === null ? '' : t(`attempt:save.${kind}`)
      if (noticeText && noticeText.textContent !== text) noticeText.textContent = text
      if (signIn) signIn.hidden = cause !== 'signedOut' && cause !== 'refused'
      if (summary) {
        const isWaiting = items.length > 0
        summary.textContent = isWaiting ? t(cause === null ? 'attempt:save.saving' : 'attempt:save.local') : ''
      }
    },

    /** The number of answers, and the marks of the overview. */
    showMark(questionId: string, changes: { answered?: boolean; flagged?: boolean }): void {
      const mark = root.querySelector<HTMLElement>(`[data-mark="${questionId}"]`)
      if (!mark) return
      if (changes.answered !== undefined) mark.toggleAttribute('data-answered-mark', changes.answered)
      if (changes.flagged !== undefined) mark.toggleAttribute('data-flagged-mark', changes.flagged)
      const has = (name: string) => mark.hasAttribute(name)
      const label = [
        t('attempt:page.question', { number: mark.textContent ?? '' }),
        t(has('data-answered-mark') ? 'attempt:page.answered' : 'attempt:page.unanswered'),
        ...(has('data-flagged-mark') ? [t('attempt:page.flagged')] : []),
        ...(has('data-current') ? [t('attempt:page.current')] : []),
      ]
      mark.setAttribute('aria-label', label.join(', '))
      const marks = [...root.querySelectorAll('[data-mark]')]
      const answered = marks.filter((other) => other.hasAttribute('data-answered-mark')).length
      const count = root.querySelector<HTMLElement>('[data-answered]')
      if (count) count.textContent = t('attempt:page.answeredOf', { answered, all: marks.length })
      const missing = root.querySelector<HTMLElement>('[data-missing]')
      if (missing) {
        const left = marks.length - answered
        missing.textContent =
          left === 0 ? t('attempt:page.finishAll') : t('attempt:page.finishMissing', { count: left })
      }
    },
  }
}

export type AttemptStatus = ReturnType<typeof createStatus>

function answerStateText(state: AnswerState, reason: string, t: Translate): string {
  if (state === 'saved') return `✓ ${t('attempt:save.saved')}`
  return state === 'refused' ? t('attempt:save.refused', { reason }) : t(`attempt:save.${state}`)
}
