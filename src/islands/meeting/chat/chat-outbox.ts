import { MAX_SERVER_ERROR_ATTEMPTS } from '#islands/stores/call-error.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'

/** An own message that is not yet confirmed by the server. */
export interface OutgoingMessage {
  messageId: string
  kind: MessageKind
  text: string
  replyTo: string | null
  /** Milliseconds since 1970, by the device's clock. */
  writtenAt: number
  /** `waiting`: no network, slow mode or a server error; retried automatically. `failed`: refused; the author decides. */
  state: 'sending' | 'waiting' | 'failed'
  /** Reason of a refusal or delay; `retryAt` is the time of the next attempt. */
  refusal: string | null
  retryAt: number | null
}

/** Result of an attempt to send. */
export type Outcome =
  | { is: 'said' }
  | { is: 'unreached' }
  /** A server error. */
  | { is: 'broken' }
  | { is: 'later'; seconds: number }
  | { is: 'refused'; because: string }

export interface OutboxOptions {
  send(message: OutgoingMessage): Promise<Outcome>
  /** Keeps unsent messages over a reload of the page. */
  storage: { read(): OutgoingMessage[]; write(messages: readonly OutgoingMessage[]): void }
  clock: { now(): number; after(milliseconds: number, run: () => void): () => void }
  onChange(messages: readonly OutgoingMessage[]): void
}

export interface Outbox {
  list(): readonly OutgoingMessage[]
  add(message: Pick<OutgoingMessage, 'messageId' | 'kind' | 'text' | 'replyTo'>): void
  /** Sends a refused message again. */
  retry(messageId: string): void
  discard(messageId: string): OutgoingMessage | undefined
  /** Retries at once, because the network is back. */
  wake(): void
  close(): void
}

const RETRY = { firstMs: 500, maxMs: 8000 }

/**
 * Sends messages one after another, in order, until each is confirmed, refused, or has failed repeatedly by a server
 * error; a failed message does not block the next ones. The server ignores repetitions by `messageId`, so that a lost
 * response does no harm.
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
  // A message that always fails must not block the next ones.
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
