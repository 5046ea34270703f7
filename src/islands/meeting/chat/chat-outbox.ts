import { MAX_SERVER_ERROR_ATTEMPTS } from '#islands/stores/call-error.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'

/** A message of one's own on its way. */
export interface OutgoingMessage {
  messageId: string
  kind: MessageKind
  text: string
  replyTo: string | null
  /** Milliseconds since 1970, by this device. */
  writtenAt: number
  /** `waiting`: nothing was reached, slow mode, or a fault of the server; goes by itself. `failed`: refused, for the person to decide. */
  state: 'sending' | 'waiting' | 'failed'
  /** Why it was refused; and when it is tried again. */
  refusal: string | null
  retryAt: number | null
}

/** What became of a try. */
export type Outcome =
  | { is: 'said' }
  | { is: 'unreached' }
  /** A fault of the server. */
  | { is: 'broken' }
  | { is: 'later'; seconds: number }
  | { is: 'refused'; because: string }

export interface OutboxOptions {
  send(message: OutgoingMessage): Promise<Outcome>
  /** What is on its way, over a reload of the page. */
  storage: { read(): OutgoingMessage[]; write(letters: readonly OutgoingMessage[]): void }
  clock: { now(): number; after(milliseconds: number, run: () => void): () => void }
  onChange(letters: readonly OutgoingMessage[]): void
}

export interface Outbox {
  list(): readonly OutgoingMessage[]
  add(message: Pick<OutgoingMessage, 'messageId' | 'kind' | 'text' | 'replyTo'>): void
  /** Tries a refused one once more. */
  retry(messageId: string): void
  discard(messageId: string): OutgoingMessage | undefined
  /** The network is back. */
  wake(): void
  close(): void
}

const RETRY = { firstMs: 500, maxMs: 8000 }

/**
 * Sends messages one after another, in their order, until each is said, refused, or failed by the server again and again; such a one lets the others pass.
 * The id makes saying it twice one message, so that an answer that was lost does no harm.
 */
export function createOutbox({ send, storage, clock, onChange }: OutboxOptions): Outbox {
  let messages: readonly OutgoingMessage[] = storage
    .read()
    .map((message) => (message.state === 'sending' ? { ...message, state: 'waiting' } : message))
  let isSending = false
  let failures = 0
  const serverErrors = new Map<string, number>()
  let isClosed = false
  let cancelTimer = () => {}

  const setMessages = (next: readonly OutgoingMessage[]) => {
    messages = next
    storage.write(messages)
    onChange(messages)
  }
  const changeMessage = (messageId: string, more: Partial<OutgoingMessage>) =>
    setMessages(messages.map((message) => (message.messageId === messageId ? { ...message, ...more } : message)))
  const removeMessage = (messageId: string) =>
    setMessages(messages.filter((message) => message.messageId !== messageId))

  const sendNext = () => {
    const next = messages.find(({ state }) => state !== 'failed')
    if (isSending || isClosed || !next) return
    cancelTimer()
    const waitMs = (next.retryAt ?? 0) - clock.now()
    if (waitMs > 0) cancelTimer = clock.after(waitMs, sendNext)
    else void deliver(next)
  }
  const deliver = async (message: OutgoingMessage) => {
    isSending = true
    changeMessage(message.messageId, { state: 'sending', refusal: null, retryAt: null })
    const outcome = await send(message)
    isSending = false
    if (isClosed) return
    if (outcome.is === 'unreached') return retryLater(message, backoffMs(++failures, RETRY))
    failures = 0
    if (outcome.is === 'broken') return handleServerError(message)
    if (outcome.is === 'later') return retryLater(message, outcome.seconds * 1000, 'slow')
    if (outcome.is === 'said') removeMessage(message.messageId)
    else changeMessage(message.messageId, { state: 'failed', refusal: outcome.because })
    sendNext()
  }
  // The same message may fail for ever, and must not keep those behind it back.
  const handleServerError = (message: OutgoingMessage) => {
    const tries = (serverErrors.get(message.messageId) ?? 0) + 1
    serverErrors.set(message.messageId, tries)
    if (tries < MAX_SERVER_ERROR_ATTEMPTS) return retryLater(message, backoffMs(tries + 1, RETRY), 'server')
    serverErrors.delete(message.messageId)
    changeMessage(message.messageId, { state: 'failed', refusal: 'server' })
    sendNext()
  }
  const retryLater = ({ messageId }: OutgoingMessage, waitMs: number, because: string | null = null) => {
    changeMessage(messageId, { state: 'waiting', refusal: because, retryAt: clock.now() + waitMs })
    sendNext()
  }

  queueMicrotask(sendNext)
  return {
    list: () => messages,
    add: (message) => {
      if (messages.some(({ messageId }) => messageId === message.messageId)) return
      setMessages([...messages, { ...message, writtenAt: clock.now(), state: 'sending', refusal: null, retryAt: null }])
      sendNext()
    },
    retry: (messageId) => {
      changeMessage(messageId, { state: 'waiting', refusal: null, retryAt: null })
      sendNext()
    },
    discard: (messageId) => {
      const discarded = messages.find((message) => message.messageId === messageId)
      removeMessage(messageId)
      sendNext()
      return discarded
    },
    wake: () => {
      failures = 0
      setMessages(
        messages.map((message) =>
          message.state === 'waiting' && message.refusal === null ? { ...message, retryAt: null } : message,
        ),
      )
      sendNext()
    },
    close: () => {
      isClosed = true
      cancelTimer()
    },
  }
}
