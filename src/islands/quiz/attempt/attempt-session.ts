import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { navigateTo, runBeforeLeaving } from '#islands/stores/page.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import { RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { AttemptLiveEvent } from '#lib/quiz/attempt/schema.ts'
import { createAnswerSheet } from './answer-sheet.ts'
import { createAnswerView } from './answer-view.ts'
import { startClock } from './attempt-clock.ts'
import type { AttemptProps } from './attempt-props.ts'
import { createStatus } from './attempt-status.ts'
import { bindButtons } from './buttons.ts'
import { bindQuestions } from './question-fields.ts'

/** Maximum time for saving the last answers after the deadline, before the page requests the state of the attempt. */
const LAST_SAVES_MS = 12_000
const SYNC_DELAY_MS = 250
const SUBMIT_RETRY = { firstMs: 500, maxMs: 8000 }

/**
 * Runs an attempt in the browser: saves each answer when it changes, shows the remaining time, synchronizes with other
 * devices, and ends the attempt at the deadline after the visible answers are saved.
 */
export function startSession(root: HTMLElement, props: AttemptProps): () => void {
  const { attemptId, quizId } = props
  const t = createTranslator(props.strings, props.locale)
  const status = createStatus(root, t)
  const form = root.querySelector<HTMLFormElement>('[data-attempt-form]')
  const stops = new AbortController()
  const { signal } = stops
  const waiting = new Set<() => void>()
  let isLeaving = false
  let graceTimer: ReturnType<typeof setTimeout> | undefined

  const sheet = createAnswerSheet(props, {
    view: createAnswerView({ root, form, t, onWritten: (questionId) => fields.redraw(questionId) }),
    status,
    onOutdated: () => syncSoon(),
    isOver: () => clock.secondsLeft() <= 0,
    onChange: () => {
      for (const check of [...waiting]) check()
    },
  })
  const fields = bindQuestions({ root, form, props, t, status, sheet, signal })
  const resultHref = `/test/${quizId}/result?attempt=${attemptId}`

  const leaveTo = (href: string) => {
    if (isLeaving) return
    isLeaving = true
    navigateTo(href)
  }

  /** Resolves when the server has all answers of this attempt, or when the signal is aborted. */
  async function drain(until: AbortSignal): Promise<void> {
    sheet.readChanges()
    await sheet.queue.loaded
    void sheet.queue.flush()
    await new Promise<void>((resolve) => {
      const check = () => {
        if (sheet.pending().length > 0 && !until.aborted) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      until.addEventListener('abort', check)
      check()
    })
  }

  /** Requests the time and the answers of other devices. Offline it is retried later. */
  async function sync(): Promise<void> {
    const requestedAt = performance.now()
    const known = await api.quiz.getAttempt({ attemptId }, { context: { isQuiet: true } }).catch((error: unknown) => {
      if (CallError.from(error).code === 'not_found') return null
      return undefined
    })
    if (!known || signal.aborted) return
    // The response was created in the middle of the round trip, approximately.
    const half = (performance.now() - requestedAt) / 2
    clock.set({ now: new Date(Date.parse(known.now) + half).toISOString(), deadlineAt: known.deadlineAt })
    if (clock.secondsLeft() > 0) clearTimeout(graceTimer)
    if (!RUNNING_STATES.includes(known.state)) return leaveTo(resultHref)
    for (const { questionId } of props.questions) fields.showFlag(questionId, known.flagged.includes(questionId))
    if (sheet.merge(known.answers)) status.announce(t('attempt:save.updated'))
    const closed = known.answers.filter((answer) => answer.closed).map(({ questionId }) => questionId)
    fields.refreshClosed(closed)
    if (known.answers.some(({ questionId }) => fields.isFileQuestion(questionId))) fields.refreshFiles(known.answers)
  }

  /**
   * At the deadline: visible answers are saved first, then the attempt is ended according to the settings of the test.
   */
  async function endAtDeadline(): Promise<void> {
    status.announce(t('attempt:timer.over'))
    sheet.readChanges()
    sheet.endConflicts()
    await drain(AbortSignal.any([signal, AbortSignal.timeout(LAST_SAVES_MS)]))
    if (signal.aborted || clock.secondsLeft() > 0) return
    if (props.onExpiry === 'autoSubmit') await submit(signal)
    else if (props.onExpiry === 'discard') leaveTo(`/test/${quizId}`)
    else if (form) leaveTo(`/test/${quizId}/questions?finish=1`)
    // On the page that asks for the submission: after the grace period the server has submitted the attempt itself.
    else graceTimer = setTimeout(() => leaveTo(resultHref), Math.max(0, props.graceSec + clock.secondsLeft()) * 1000)
  }

  /** Submits until the server has responded; an attempt that the server has ended is shown in its state. */
  async function submit(until: AbortSignal): Promise<void> {
    for (let failures = 0; !until.aborted; failures += 1) {
      try {
        await api.quiz.submitAttempt({ attemptId }, { context: { isQuiet: true } })
        return leaveTo(resultHref)
      } catch (error) {
        const failure = CallError.from(error)
        if (!failure.temporary && failure.status !== 401 && failures > 2) return leaveTo(resultHref)
        await new Promise((resolve) => setTimeout(resolve, backoffMs(failures + 1, SUBMIT_RETRY)))
      }
    }
  }

  const clock = startClock(props, { root, t, announce: status.announce, onDeadline: () => void endAtDeadline() })
  bindButtons({ root, form, props, t, status, sheet, fields, signal, drain, submit, leaveTo })

  let syncTimer: ReturnType<typeof setTimeout> | undefined
  const syncSoon = () => {
    clearTimeout(syncTimer)
    syncTimer = setTimeout(() => void sync(), SYNC_DELAY_MS)
  }
  const unsubscribe = subscribe<AttemptLiveEvent>(
    `attempt:${attemptId}`,
    ({ event, questionId, revision }) => {
      const isOwnSave =
        event === 'saved' && questionId !== null && revision !== null && sheet.hasRevision(questionId, revision)
      if (!isOwnSave) syncSoon()
    },
    syncSoon,
  )
  const resume = () => {
    sheet.retry()
    syncSoon()
  }
  window.addEventListener('online', resume, { signal })
  window.addEventListener('focus', resume, { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && resume(), { signal })
  window.addEventListener('pagehide', () => sheet.readChanges(), { signal })
  document.addEventListener('visibilitychange', () => (document.hidden ? sheet.readChanges() : resume()), { signal })
  const stopLeaveHandler = runBeforeLeaving(async () => {
    sheet.readChanges()
    await sheet.queue.flush()
  })
  void sheet.queue.loaded.then(syncSoon)

  return () => {
    stops.abort()
    clearTimeout(syncTimer)
    clearTimeout(graceTimer)
    clock.stop()
    unsubscribe()
    stopLeaveHandler()
    void sheet.queue.flush().then(sheet.queue.close)
  }
}
