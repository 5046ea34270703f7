import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import {
  createDeviceOutboxStorage,
  type OutboxItem,
  type OutboxStorage,
} from '#islands/stores/outbox/outbox-storage.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

/** An answer that the server has not acknowledged. */
export interface QueuedAnswer {
  attemptId: string
  questionId: string
  revision: number
  /** The revision that it replaces. */
  baseRevision: number
  value: AnswerValue | null
}

export type QueueItem = OutboxItem<QueuedAnswer>

export interface QueueEvents {
  /** `revision` is null when another tab of this device has sent a newer answer. */
  onSaved(answer: QueuedAnswer, revision: number | null): void
  /** The server keeps the answer, but does not score it: it arrived after the end. */
  onLate(answer: QueuedAnswer): void
  /** `discard` only if the server has the answer. */
  onFailed(answer: QueuedAnswer, failure: CallError): 'keep' | 'discard'
  onChange(items: readonly QueueItem[]): void
}

/** The storage of queued answers, and how they are sent. */
export interface QueueTransport {
  storage: OutboxStorage<QueuedAnswer>
  save(answer: QueuedAnswer): Promise<{ revision: number }>
  /** Keeps an answer that the server does not save any more. */
  saveLate(answer: QueuedAnswer): Promise<{ revision: number; late: boolean }>
  delayMs: number
}

const deviceTransport = (owner: string): QueueTransport => ({
  storage: createDeviceOutboxStorage<QueuedAnswer>('kafedra-attempt', 'answers', owner),
  save: (answer) => api.quiz.saveAnswer(answer, { context: { isQuiet: true } }),
  saveLate: (answer) => api.quiz.saveLateAnswer(answer, { context: { isQuiet: true } }),
  delayMs: DELAY_MS,
})

export type AnswerQueue = Outbox<QueuedAnswer>

const DELAY_MS = 700
const SERVER_RETRY_MS = 5000

/**
 * Stores the answers of a student on this device until the server has them; they survive the tab. A newer answer to a
 * question replaces the queued one. `owner` is the membership's id.
 */
export function createAnswerQueue(
  owner: string,
  events: QueueEvents,
  transport: QueueTransport = deviceTransport(owner),
): AnswerQueue {
  const { storage, save, saveLate, delayMs } = transport
  const isStored = async (id: string) => (await storage.loadItems()).some((item) => item.id === id)
  const queue: AnswerQueue = createOutbox<QueuedAnswer, number | 'late' | null>({
    storage,
    async send(answer, id) {
      try {
        return (await save(answer)).revision
      } catch (error) {
        // Another tab of this device has replaced or sent the answer.
        const { code } = CallError.from(error)
        if (code === 'conflict' && !(await isStored(id))) return null
        // The attempt, its page or the question is closed: the answer is not lost, the reviewer decides about it.
        if (code !== 'unprocessable') throw error
        const kept = await saveLate(answer)
        return kept.late ? 'late' : kept.revision
      }
    },
    onSent({ payload }, result) {
      if (result === 'late') events.onLate(payload)
      else events.onSaved(payload, result)
    },
    onFailed({ payload }, failure) {
      if (!failure.broken) return events.onFailed(payload, failure)
      // The item may have been replaced by one with a newer answer.
      setTimeout(() => {
        for (const { id, cause } of queue.list()) if (cause === 'server') queue.retry(id)
      }, SERVER_RETRY_MS)
      return 'keep'
    },
    onChange: events.onChange,
    merge: (queued, added) =>
      queued.attemptId === added.attemptId && queued.questionId === added.questionId
        ? { ...added, baseRevision: queued.baseRevision }
        : null,
    delayMs,
  })
  return queue
}
