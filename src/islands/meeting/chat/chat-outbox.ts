import { SERVER_ERROR_TRIES } from '#islands/stores/call-error.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'

/** A message of one's own on its way. */
export interface Letter {
  messageId: string
  kind: MessageKind
  text: string
  replyTo: string | null
  /** Milliseconds since 1970, by this device. */
  at: number
  /** `waiting`: nothing was reached, slow mode, or a fault of the server; goes by itself. `failed`: refused, for the person to decide. */
  state: 'sending' | 'waiting' | 'failed'
  /** Why it was refused; and when it is tried again. */
  because: string | null
  again: number | null
}

/** What became of a try. */
export type Outcome =
  | { is: 'said' }
  | { is: 'unreached' }
  /** A fault of the server. */
  | { is: 'broken' }
  | { is: 'later'; seconds: number }
  | { is: 'refused'; because: string }

export interface OutboxParts {
  send(letter: Letter): Promise<Outcome>
  /** What is on its way, over a reload of the page. */
  shelf: { read(): Letter[]; write(letters: readonly Letter[]): void }
  clock: { now(): number; after(milliseconds: number, run: () => void): () => void }
  changed(letters: readonly Letter[]): void
}

export interface Outbox {
  letters(): readonly Letter[]
  add(letter: Pick<Letter, 'messageId' | 'kind' | 'text' | 'replyTo'>): void
  /** Tries a refused one once more. */
  retry(messageId: string): void
  discard(messageId: string): Letter | undefined
  /** The network is back. */
  wake(): void
  close(): void
}

const RETRY = { firstMs: 500, longestMs: 8000 }

/**
 * Sends messages one after another, in their order, until each is said, refused, or failed by the server again and again; such a one lets the others pass.
 * The id makes saying it twice one message, so that an answer that was lost does no harm.
 */
export function createOutbox({ send, shelf, clock, changed }: OutboxParts): Outbox {
  let letters: readonly Letter[] = shelf
    .read()
    .map((one) => (one.state === 'sending' ? { ...one, state: 'waiting' } : one))
  let busy = false
  let failures = 0
  const faults = new Map<string, number>()
  let closed = false
  let stopWaiting = () => {}

  const set = (next: readonly Letter[]) => {
    letters = next
    shelf.write(letters)
    changed(letters)
  }
  const change = (messageId: string, more: Partial<Letter>) =>
    set(letters.map((one) => (one.messageId === messageId ? { ...one, ...more } : one)))
  const remove = (messageId: string) => set(letters.filter((one) => one.messageId !== messageId))

  const go = () => {
    const next = letters.find(({ state }) => state !== 'failed')
    if (busy || closed || !next) return
    stopWaiting()
    const wait = (next.again ?? 0) - clock.now()
    if (wait > 0) stopWaiting = clock.after(wait, go)
    else void deliver(next)
  }
  const deliver = async (letter: Letter) => {
    busy = true
    change(letter.messageId, { state: 'sending', because: null, again: null })
    const outcome = await send(letter)
    busy = false
    if (closed) return
    if (outcome.is === 'unreached') return later(letter, backoffMs(++failures, RETRY))
    failures = 0
    if (outcome.is === 'broken') return broken(letter)
    if (outcome.is === 'later') return later(letter, outcome.seconds * 1000, 'slow')
    if (outcome.is === 'said') remove(letter.messageId)
    else change(letter.messageId, { state: 'failed', because: outcome.because })
    go()
  }
  // The same message may fail for ever, and must not keep those behind it back.
  const broken = (letter: Letter) => {
    const tries = (faults.get(letter.messageId) ?? 0) + 1
    faults.set(letter.messageId, tries)
    if (tries < SERVER_ERROR_TRIES) return later(letter, backoffMs(tries + 1, RETRY), 'server')
    faults.delete(letter.messageId)
    change(letter.messageId, { state: 'failed', because: 'server' })
    go()
  }
  const later = ({ messageId }: Letter, wait: number, because: string | null = null) => {
    change(messageId, { state: 'waiting', because, again: clock.now() + wait })
    go()
  }

  queueMicrotask(go)
  return {
    letters: () => letters,
    add: (letter) => {
      if (letters.some(({ messageId }) => messageId === letter.messageId)) return
      set([...letters, { ...letter, at: clock.now(), state: 'sending', because: null, again: null }])
      go()
    },
    retry: (messageId) => {
      change(messageId, { state: 'waiting', because: null, again: null })
      go()
    },
    discard: (messageId) => {
      const gone = letters.find((one) => one.messageId === messageId)
      remove(messageId)
      go()
      return gone
    },
    wake: () => {
      failures = 0
      set(letters.map((one) => (one.state === 'waiting' && one.because === null ? { ...one, again: null } : one)))
      go()
    },
    close: () => {
      closed = true
      stopWaiting()
    },
  }
}
