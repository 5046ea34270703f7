import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { $uploads, isSending } from '#islands/stores/upload/upload-list.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AnswerSheet } from './answer-sheet.ts'
import type { AttemptProps } from './attempt-props.ts'
import type { AttemptStatus } from './attempt-status.ts'
import type { QuestionFields } from './question-fields.ts'

interface ButtonContext {
  root: HTMLElement
  form: HTMLFormElement | null
  props: AttemptProps
  t: Translate
  status: AttemptStatus
  sheet: AnswerSheet
  fields: QuestionFields
  signal: AbortSignal
  drain(until: AbortSignal): Promise<void>
  submit(until: AbortSignal): Promise<void>
  leaveTo(href: string): void
}

const quiet = { context: { isQuiet: true } }

/** Resolves when no upload of this tab is running. */
function uploadsEnd(): Promise<void> {
  return new Promise((resolve) => {
    const stop = $uploads.listen(check)
    function check(): void {
      if (isSending($uploads.get())) return
      stop()
      resolve()
    }
    check()
  })
}

/** Handles the buttons of the form, which would submit the whole page although answers are already saved. */
export function bindButtons(context: ButtonContext): void {
  const { root, props, t, status, sheet, fields, signal, drain, submit, leaveTo } = context
  const { attemptId, quizId, page } = props
  const href = (number: number) => `/test/${quizId}/questions?page=${number}`
  let isBusy = false

  const actions: Record<string, (target: string) => Promise<void>> = {
    async save() {
      await drain(signal)
    },
    async go(target) {
      leaveTo(href(Number(target) || 1))
    },
    async next() {
      if (root.querySelector('[data-forward]')) {
        // The server accepts no answers of a page that was left.
        await waitForAnswers()
        await api.quiz.reachPage({ attemptId, page: page + 1 }, quiet)
      }
      leaveTo(href(page + 2))
    },
    async finish() {
      leaveTo(`/test/${quizId}/questions?finish=1`)
    },
    async submit() {
      const [conflict] = sheet.pending().filter(({ state, cause }) => state === 'failed' && cause === 'refused')
      const mark = conflict && root.querySelector<HTMLElement>(`[data-mark="${conflict.payload.questionId}"]`)
      // Another device has changed the answer: the page of the question shows the choice.
      if (mark instanceof HTMLButtonElement) return leaveTo(href(Number(mark.value.split(':')[1]) || 1))
      await waitForAnswers()
      await submit(signal)
    },
    async flag(target) {
      await setFlag(target, true)
    },
    async unflag(target) {
      await setFlag(target, false)
    },
    async check(target) {
      await waitForAnswers()
      await api.quiz.checkAnswer({ attemptId, questionId: target, revision: sheet.revisionOf(target) }, quiet)
      sheet.close(target)
      await fields.refresh(target)
    },
  }

  async function waitForAnswers(): Promise<void> {
    const state = root.querySelector<HTMLElement>('[data-submit-state]')
    const showState = (text: string) => {
      if (state) state.textContent = text
      else status.announce(text)
    }
    sheet.readChanges()
    if (sheet.pending().length > 0 || isSending($uploads.get()))
      showState(t(navigator.onLine ? 'attempt:save.waiting' : 'attempt:save.waitingOffline'))
    await drain(signal)
    await uploadsEnd()
    if (state) state.textContent = ''
  }

  async function setFlag(questionId: string, flagged: boolean): Promise<void> {
    fields.showFlag(questionId, flagged)
    try {
      await api.quiz.flagQuestion({ attemptId, questionId, flagged }, quiet)
    } catch (error) {
      fields.showFlag(questionId, !flagged)
      throw error
    }
  }

  root.addEventListener(
    'submit',
    (event) => {
      const { submitter } = event
      const [action = '', target = ''] = submitter instanceof HTMLButtonElement ? submitter.value.split(':') : ['save']
      const run = actions[action]
      if (!run) return
      event.preventDefault()
      if (isBusy) return
      isBusy = true
      submitter?.setAttribute('aria-busy', 'true')
      run(target)
        .catch((error: unknown) => {
          const failure = CallError.from(error)
          showFailure(failure.fields.form?.[0] ?? (failure.message || t('attempt:save.offline')))
        })
        .finally(() => {
          isBusy = false
          submitter?.removeAttribute('aria-busy')
        })
    },
    { signal },
  )
}
