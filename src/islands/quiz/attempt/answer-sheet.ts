import type { CallError } from '#islands/stores/call-error.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { isSameAnswer, readAnswer } from '#lib/quiz/attempt/form-rules.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import { type AnswerQueue, createAnswerQueue, type QueuedAnswer, type QueueItem } from './answer-queue.ts'
import type { AttemptProps, ShownAnswer } from './attempt-props.ts'
import type { AttemptStatus } from './attempt-status.ts'
import { type ConflictChoice, showConflict } from './conflict-box.ts'
import { writeAnswer } from './write-answer.ts'

interface Answer extends ShownAnswer {
  /** The greatest revision that was used for the answer. */
  used: number
  /** The answer of another device, until the student has chosen. */
  theirs: { revision: number; value: AnswerValue | null } | null
  closeConflict: () => void
}

interface SheetContext {
  root: HTMLElement
  /** Null on the page before the end of the attempt. */
  form: HTMLFormElement | null
  t: Translate
  status: AttemptStatus
  /** The fields of a question were filled by the script. */
  onWritten(questionId: string): void
  onChange(): void
}

/** What the server knows about an answer. */
export interface ServerAnswer {
  questionId: string
  revision: number
  value: AnswerValue | null
  closed: boolean
}

export interface AnswerSheet {
  /** Queues the answers whose fields have changed; all of them, or those of one question. */
  readChanges(questionId?: string): void
  /** Takes answers of other devices over, where this one has nothing newer. Returns whether any was shown. */
  merge(answers: readonly ServerAnswer[]): boolean
  /** Sends the visible answers over those of other devices where the student has not chosen. */
  keepMine(): void
  /** Answers of this attempt that the server does not have. */
  pending(): readonly QueueItem[]
  revisionOf(questionId: string): number
  /** Whether this page has saved or seen a revision. */
  knows(questionId: string, revision: number): boolean
  /** The answer is final: its fields were replaced by the server's. */
  close(questionId: string): void
  /** Tries again what was refused to another account. */
  retry(): void
  queue: AnswerQueue
}

/** The answers of a page: reads them from the form, queues them for the server, and shows those of other devices. */
export function createAnswerSheet(props: AttemptProps, context: SheetContext): AnswerSheet {
  const { attemptId } = props
  const { root, form, t, status } = context
  const answers = new Map<string, Answer>(
    props.questions.map((question) => [
      question.questionId,
      { ...question, used: question.revision, theirs: null, closeConflict: () => undefined },
    ]),
  )
  const placeOf = (questionId: string) => root.querySelector<HTMLElement>(`[data-question="${questionId}"]`)
  const isOwn = (item: QueueItem) => item.payload.attemptId === attemptId
  const queuedOf = (questionId: string) =>
    queue.list().findLast((item) => isOwn(item) && item.payload.questionId === questionId)
  const markAnswered = (questionId: string, value: AnswerValue | null) =>
    status.showMark(questionId, { answered: value !== null })

  const queue = createAnswerQueue(props.owner, {
    onSaved({ attemptId: savedAttempt, questionId }, revision) {
      const answer = savedAttempt === attemptId ? answers.get(questionId) : undefined
      if (answer && revision !== null) {
        answer.revision = Math.max(answer.revision, revision)
        answer.used = Math.max(answer.used, revision)
        const field = placeOf(questionId)?.querySelector<HTMLInputElement>('[data-revision]')
        if (field) field.value = String(answer.revision)
      }
      if (answer && !queuedOf(questionId)) status.showAnswer(placeOf(questionId), 'saved')
      context.onChange()
    },
    onFailed(payload, failure) {
      if (payload.attemptId !== attemptId) return 'discard'
      if (failure.code === 'conflict') return handleConflict(payload, failure)
      // Someone else is signed in: the answer waits for its student.
      if (failure.code === 'not_found' || failure.code === 'forbidden') return 'keep'
      const reason = failure.fields.form?.[0] ?? failure.message
      status.showAnswer(placeOf(payload.questionId), 'refused', reason)
      context.onChange()
      return 'discard'
    },
    onChange(items) {
      const own = items.filter(isOwn)
      status.showQueue(own.filter(({ payload }) => !answers.get(payload.questionId)?.theirs))
      const isWaiting = own.some(({ cause }) => cause !== null && cause !== 'refused')
      for (const { payload } of own) {
        const answer = answers.get(payload.questionId)
        const state = answer?.theirs ? 'conflict' : isWaiting ? 'local' : 'saving'
        status.showAnswer(placeOf(payload.questionId), state)
      }
      context.onChange()
    },
  })

  function handleConflict({ questionId, value }: QueuedAnswer, failure: CallError): 'keep' | 'discard' {
    const answer = answers.get(questionId)
    const revision = Number(failure.data.revision ?? 0)
    const theirs = (failure.data.value ?? null) as AnswerValue | null
    if (answer) answer.used = Math.max(answer.used, revision)
    if (isSameAnswer(theirs, value)) {
      if (answer) {
        answer.revision = revision
        status.showAnswer(placeOf(questionId), 'saved')
      }
      return 'discard'
    }
    const place = placeOf(questionId)
    if (!answer || !place) return 'keep'
    answer.theirs = { revision, value: theirs }
    answer.closeConflict = showConflict(place, theirs, t, (choice) => choose(questionId, choice))
    return 'keep'
  }

  function choose(questionId: string, choice: ConflictChoice): void {
    const answer = answers.get(questionId)
    if (!answer?.theirs || !form) return
    const { value: theirs, revision } = answer.theirs
    const mine = readAnswer(answer, new FormData(form))
    answer.closeConflict()
    answer.theirs = null
    answer.used = Math.max(answer.used, revision)
    discardQueued(questionId)
    answer.revision = revision
    answer.value = theirs
    if (choice === 'theirs') {
      show(answer, theirs)
      status.showAnswer(placeOf(questionId), 'saved')
    } else {
      const both = mine?.type === 'essay' && theirs?.type === 'essay' && choice === 'both'
      const value = both ? { type: 'essay' as const, text: `${mine.text}\n\n${theirs.text}` } : mine
      if (both) show(answer, value)
      add(answer, value)
      void queue.flush()
    }
    context.onChange()
  }

  function discardQueued(questionId: string): void {
    for (const { id, payload } of [...queue.list()])
      if (payload.attemptId === attemptId && payload.questionId === questionId) queue.discard(id)
  }

  function add(answer: Answer, value: AnswerValue | null): void {
    answer.used += 1
    answer.value = value
    const { questionId, used: revision } = answer
    queue.add({ attemptId, questionId, revision, value })
    markAnswered(questionId, value)
  }

  function show(answer: Answer, value: AnswerValue | null): void {
    const place = placeOf(answer.questionId)
    if (place) writeAnswer(place, answer, value)
    answer.value = value
    markAnswered(answer.questionId, value)
    context.onWritten(answer.questionId)
  }

  const isWritable = (answer: Answer) => props.isOpen && !answer.closed && answer.type !== 'fileUpload'

  // Answers of an earlier page or tab that the server does not have.
  void queue.loaded.then(() => {
    for (const { payload } of queue.list().filter(isOwn)) {
      const answer = answers.get(payload.questionId)
      if (!answer) continue
      answer.used = Math.max(answer.used, payload.revision)
      if (payload.revision > answer.revision && isWritable(answer)) show(answer, payload.value)
    }
  })

  return {
    queue,
    readChanges(only) {
      if (!form) return
      const data = new FormData(form)
      for (const answer of answers.values()) {
        if (!isWritable(answer) || (only !== undefined && answer.questionId !== only)) continue
        const value = readAnswer(answer, data)
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
        answer.used = Math.max(answer.used, revision)
        markAnswered(questionId, value)
        if (isSameAnswer(value, answer.value) || answer.type === 'fileUpload') continue
        show(answer, value)
        status.showAnswer(placeOf(questionId), 'saved')
        isShown = true
      }
      return isShown
    },
    keepMine() {
      for (const { questionId, theirs } of answers.values()) if (theirs) choose(questionId, 'mine')
    },
    pending: () => queue.list().filter(isOwn),
    revisionOf: (questionId) => answers.get(questionId)?.revision ?? 0,
    knows: (questionId, revision) => (answers.get(questionId)?.used ?? 0) >= revision,
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
