import type { CallError } from '#islands/stores/call-error.ts'
import { isSameAnswer } from '#lib/quiz/attempt/form-rules.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import {
  type AnswerQueue,
  createAnswerQueue,
  type QueuedAnswer,
  type QueueEvents,
  type QueueItem,
  type QueueTransport,
} from './answer-queue.ts'
import type { AttemptProps, ShownAnswer } from './attempt-props.ts'
import type { AnswerState } from './attempt-status.ts'
import type { ChosenAnswer } from './conflict-box.ts'
import { containsText, fullerText, joinTexts } from './essay-texts.ts'

const REVISION_SPREAD = 1000

interface Answer extends ShownAnswer {
  /** The highest revision that was used for the answer. */
  used: number
  /** The answer of another device, until the student has chosen. */
  theirs: { revision: number; value: AnswerValue | null } | null
  closeConflict: () => void
}

/** The fields of the questions of a page. */
export interface AnswerSheetView {
  /** False on the page before the end of the attempt. */
  hasForm: boolean
  /** Whether the question is on this page. */
  has(questionId: string): boolean
  read(question: ShownAnswer): AnswerValue | null
  write(question: ShownAnswer, value: AnswerValue | null): void
  setRevision(questionId: string, revision: number): void
  /** Shows the choice which answer to keep; the returned function removes it. */
  offerChoice(questionId: string, theirs: AnswerValue | null, onChoose: (choice: ChosenAnswer) => void): () => void
}

interface SheetContext {
  view: AnswerSheetView
  status: {
    showAnswer(questionId: string, state: AnswerState, reason?: string): void
    showQueue(items: readonly QueueItem[]): void
    showMark(questionId: string, changes: { answered: boolean }): void
  }
  onChange(): void
  /** Another tab of this device has sent a newer answer: it has to be loaded from the server. */
  onOutdated(): void
  /** Whether the deadline has passed, so that the student cannot choose any more. */
  isOver(): boolean
  /** Storage and sending of queued answers; by default the device and the API. */
  transport?: QueueTransport
}

/** The state of an answer on the server. */
export interface ServerAnswer {
  questionId: string
  revision: number
  value: AnswerValue | null
  closed: boolean
}

export interface AnswerSheet {
  /** Queues the answers whose fields have changed; all of them, or those of one question. */
  readChanges(questionId?: string): void
  /** Applies answers of other devices, unless this device has newer ones. Returns whether any was shown. */
  merge(answers: readonly ServerAnswer[]): boolean
  /**
   * Sends the visible answers instead of those of other devices where the student has not chosen; essays contain both
   * texts.
   */
  endConflicts(): void
  /** Answers of this attempt that are not on the server yet. */
  pending(): readonly QueueItem[]
  revisionOf(questionId: string): number
  /** Whether this page has saved or seen a revision. */
  hasRevision(questionId: string, revision: number): boolean
  /** The answer is final: its fields were replaced by the server's. */
  close(questionId: string): void
  /** Retries answers that were refused because another account was signed in. */
  retry(): void
  queue: AnswerQueue
}

/** The answers of a page: reads them from the form, queues them for the server, and shows those of other devices. */
export function createAnswerSheet(props: AttemptProps, context: SheetContext): AnswerSheet {
  const { attemptId } = props
  const { view, status } = context
  const answers = new Map<string, Answer>(
    props.questions.map((question) => [
      question.questionId,
      { ...question, used: question.revision, theirs: null, closeConflict: () => undefined },
    ]),
  )
  const refused = new Set<string>()
  const isOwn = (item: QueueItem) => item.payload.attemptId === attemptId
  const queuedOf = (questionId: string) =>
    queue.list().findLast((item) => isOwn(item) && item.payload.questionId === questionId)
  const markAnswered = (questionId: string, value: AnswerValue | null) =>
    status.showMark(questionId, { answered: value !== null })

  const events: QueueEvents = {
    onSaved({ attemptId: savedAttempt, questionId }, revision) {
      const answer = savedAttempt === attemptId ? answers.get(questionId) : undefined
      if (answer && revision !== null) {
        answer.revision = Math.max(answer.revision, revision)
        answer.used = Math.max(answer.used, revision)
        view.setRevision(questionId, answer.revision)
      }
      if (answer && revision === null && !queuedOf(questionId)) {
        // The visible answer is older than the one that another tab has sent: any answer of the server replaces it.
        answer.revision = 0
        context.onOutdated()
      }
      if (answer && !queuedOf(questionId)) status.showAnswer(questionId, 'saved')
      context.onChange()
    },
    onLate(payload) {
      if (payload.attemptId === attemptId) status.showAnswer(payload.questionId, 'late')
      context.onChange()
    },
    onFailed(payload, failure) {
      if (payload.attemptId !== attemptId) return 'keep'
      if (failure.code === 'conflict') return handleConflict(payload, failure)
      // Another user is signed in: the answer is kept for its student.
      if (failure.code === 'not_found' || failure.code === 'forbidden') return 'keep'
      const reason = failure.fields.form?.[0] ?? failure.message
      status.showAnswer(payload.questionId, 'refused', reason)
      // Typed text is never discarded. It does not delay the submission either: sending it again does not help.
      refused.add(keyOf(payload))
      queueMicrotask(context.onChange)
      return 'keep'
    },
    onChange(items) {
      const own = items.filter(isOwn)
      status.showQueue(own.filter(({ payload }) => !answers.get(payload.questionId)?.theirs))
      const isWaiting = own.some(({ cause }) => cause !== null && cause !== 'refused')
      for (const { payload } of own) {
        const answer = answers.get(payload.questionId)
        if (refused.has(keyOf(payload))) continue
        const state = answer?.theirs ? 'conflict' : isWaiting ? 'local' : 'saving'
        status.showAnswer(payload.questionId, state)
      }
      context.onChange()
    },
  }
  const queue: AnswerQueue = createAnswerQueue(props.owner, events, context.transport)

  function handleConflict({ questionId, value }: QueuedAnswer, failure: CallError): 'keep' | 'discard' {
    const answer = answers.get(questionId)
    const revision = Number(failure.data.revision ?? 0)
    const theirs = (failure.data.value ?? null) as AnswerValue | null
    if (isSameAnswer(theirs, value)) {
      if (answer) {
        answer.revision = revision
        if (queuedOf(questionId)?.payload.value === value) answer.used = revision
        status.showAnswer(questionId, 'saved')
      }
      return 'discard'
    }
    if (!answer || !view.has(questionId)) return 'keep'
    answer.closeConflict()
    answer.theirs = { revision, value: theirs }
    const choice = fullerText(view.read(answer), theirs) ?? (context.isOver() ? 'both' : null)
    if (choice) {
      // After the queue has stored the failure.
      queueMicrotask(() => choose(questionId, choice))
      return 'keep'
    }
    answer.closeConflict = view.offerChoice(questionId, theirs, (chosen) => choose(questionId, chosen))
    return 'keep'
  }

  function choose(questionId: string, choice: ChosenAnswer): void {
    const answer = answers.get(questionId)
    if (!answer?.theirs || !view.hasForm) return
    const { value: theirs, revision } = answer.theirs
    const mine = view.read(answer)
    answer.closeConflict()
    answer.theirs = null
    const left = discardQueued(questionId).filter((queued) => !containsText(mine, queued))
    answer.revision = revision
    answer.used = revision
    answer.value = theirs
    const chosenValue = choice === 'theirs' ? theirs : choice === 'both' ? joinTexts(mine, theirs) : mine
    const value = left.reduce(joinTexts, chosenValue)
    if (!isSameAnswer(value, mine)) show(answer, value)
    if (isSameAnswer(value, theirs)) {
      answer.value = value
      status.showAnswer(questionId, 'saved')
    } else {
      add(answer, value)
      void queue.flush()
    }
    context.onChange()
  }

  /** Returns the discarded answers, including those of other tabs. */
  function discardQueued(questionId: string): (AnswerValue | null)[] {
    const queued = queue
      .list()
      .filter(({ payload }) => payload.attemptId === attemptId && payload.questionId === questionId)
    for (const { id } of queued) queue.discard(id)
    return queued.map(({ payload }) => payload.value)
  }

  function add(answer: Answer, value: AnswerValue | null): void {
    const { questionId } = answer
    // A refused answer is replaced by what the student types next, which is based on the same saved answer.
    const replaced = queue
      .list()
      .filter((item) => isOwn(item) && item.payload.questionId === questionId && refused.has(keyOf(item.payload)))
    const baseRevision = replaced[0]?.payload.baseRevision ?? answer.used
    // Devices that save at the same time never use the same revision, so that the base identifies the device.
    const revision = answer.used + 1 + Math.floor(Math.random() * REVISION_SPREAD)
    answer.used = revision
    answer.value = value
    // First, since a queued answer that is merged with a refused one would not be sent.
    for (const { id } of replaced) queue.discard(id)
    queue.add({ attemptId, questionId, revision, baseRevision, value })
    markAnswered(questionId, value)
  }

  function show(answer: Answer, value: AnswerValue | null): void {
    view.write(answer, value)
    answer.value = value
    markAnswered(answer.questionId, value)
  }

  const isWritable = (answer: Answer) => props.isOpen && !answer.closed && answer.type !== 'fileUpload'

  // Answers of an earlier page or tab that are not on the server yet.
  void queue.loaded.then(() => {
    for (const { payload } of queue.list().filter(isOwn)) {
      const answer = answers.get(payload.questionId)
      if (!answer) continue
      answer.used = Math.max(answer.used, payload.revision)
      // When another device has saved a newer answer, the student chooses after the server has refused this one.
      if (isWritable(answer) && !isSameAnswer(payload.value, answer.value)) show(answer, payload.value)
    }
  })

  return {
    queue,
    readChanges(only) {
      if (!view.hasForm) return
      for (const answer of answers.values()) {
        if (!isWritable(answer) || (only !== undefined && answer.questionId !== only)) continue
        const value = view.read(answer)
        if (!isSameAnswer(value, answer.value)) add(answer, value)
      }
    },
    merge(known) {
      let isShown = false
      for (const { questionId, revision, value, closed } of known) {
        const answer = answers.get(questionId)
        if (!answer) {
          markAnswered(questionId, value)
          continue
        }
        if (closed) answer.closed = true
        if (revision <= answer.revision || queuedOf(questionId)) continue
        answer.revision = revision
        answer.used = revision
        markAnswered(questionId, value)
        if (isSameAnswer(value, answer.value) || answer.type === 'fileUpload') continue
        show(answer, value)
        status.showAnswer(questionId, 'saved')
        isShown = true
      }
      return isShown
    },
    endConflicts() {
      for (const { questionId, theirs } of answers.values()) if (theirs) choose(questionId, 'both')
    },
    pending: () => queue.list().filter((item) => isOwn(item) && !refused.has(keyOf(item.payload))),
    revisionOf: (questionId) => answers.get(questionId)?.revision ?? 0,
    hasRevision: (questionId, revision) => (answers.get(questionId)?.used ?? 0) >= revision,
    close(questionId) {
      const answer = answers.get(questionId)
      if (answer) answer.closed = true
    },
    retry() {
      for (const { id, payload, state } of queue.list())
        if (state === 'failed' && !answers.get(payload.questionId)?.theirs) queue.retry(id)
    },
  }
}

const keyOf = ({ questionId, revision }: QueuedAnswer): string => `${questionId} ${revision}`
