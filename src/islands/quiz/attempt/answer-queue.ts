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
  onFailed(answer: QueuedAnswer, failure: CallError): 'keep' | 'discard'
  onChange(items: readonly QueueItem[]): void
}

/** The storage of queued answers, and how they are sent. */
export interface QueueTransport {
  storage: OutboxStorage<QueuedAnswer>
  save(answer: QueuedAnswer): Promise<{ revision: number }>
  delayMs: number
}

const deviceTransport = (owner: string): QueueTransport => ({
  storage: createDeviceOutboxStorage<QueuedAnswer>('kafedra-attempt', 'answers', owner),
  save: (answer) => api.quiz.saveAnswer(answer, { context: { isQuiet: true } }),
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
  const { storage, save, delayMs } = transport
  const isStored = async (id: string) => (await storage.loadItems()).some((item) => item.id === id)
  const queue: AnswerQueue = createOutbox<QueuedAnswer, number | null>({
    storage,
    async send(answer, id) {
      try {
        return (await save(answer)).revision
      } catch (error) {
        // Another tab of this device has replaced or sent the answer.
        if (CallError.from(error).code === 'conflict' && !(await isStored(id))) return null
        throw error
      }
    },
    onSent: ({ payload }, revision) => events.onSaved(payload, revision),
    onFailed({ id, payload }, failure) {
      if (!failure.broken) return events.onFailed(payload, failure)
      setTimeout(() => queue.retry(id), SERVER_RETRY_MS)
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
