import { CallError } from '../call-error.ts'
import { retryUntilAccepted } from '../retry.ts'
import type { OutboxItem, OutboxStorage } from './outbox-storage.ts'

export interface OutboxOptions<Payload, Result> {
  storage: OutboxStorage<Payload>
  /** Sends a payload. The server ignores repetitions, so that a lost response does no harm. */
  send(payload: Payload, id: string): Promise<Result>
  onSent?(item: OutboxItem<Payload>, result: Result): void
  /** After a refusal or repeated server errors: whether the item is kept as `failed` or discarded. */
  onFailed(item: OutboxItem<Payload>, failure: CallError): 'keep' | 'discard'
  onChange?(items: readonly OutboxItem<Payload>[]): void
  /** The payload that replaces a queued one and an added one; null when both are sent. */
  merge?(queued: Payload, added: Payload): Payload | null
  /** Delay before an added item is sent, during which others can be merged with it. */
  delayMs?: number
  /** See `retryUntilAccepted`. */
  waitsForSignIn?: boolean
}

export interface Outbox<Payload> {
  list(): readonly OutboxItem<Payload>[]
  add(payload: Payload, id?: string): void
  /** Sends a failed item again. */
  retry(id: string): void
  discard(id: string): OutboxItem<Payload> | undefined
  /** Sends delayed items now. Resolves when all are sent or have to wait. */
  flush(): Promise<void>
  close(): void
  /** Resolves when the stored items are loaded. */
  loaded: Promise<void>
}

const BACKOFF = { firstMs: 500, maxMs: 8000, jitter: 0.25 }

/**
 * The offline queue: stores writes on the device until the server has confirmed them, and sends them one after another,
 * in order. Each is retried by `retryUntilAccepted`; a failed one does not block the next ones.
 */
export function createOutbox<Payload, Result>(options: OutboxOptions<Payload, Result>): Outbox<Payload> {
  const { storage, send, onSent, onFailed, onChange, merge, delayMs = 0, waitsForSignIn = true } = options
  let items: readonly OutboxItem<Payload>[] = []
  let isLoaded = false
  let deliveredId: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const notifySettled: (() => void)[] = []
  const closing = new AbortController()

  const setItems = (next: readonly OutboxItem<Payload>[]) => {
    items = next
    onChange?.(items)
  }
  const change = (id: string, changes: Partial<OutboxItem<Payload>>) =>
    setItems(items.map((item) => (item.id === id ? { ...item, ...changes } : item)))
  const find = (id: string) => items.find((item) => item.id === id)
  const remove = (id: string) => {
    setItems(items.filter((item) => item.id !== id))
    void storage.remove(id)
  }
  const store = (id: string) => {
    const item = find(id)
    return item ? storage.put(item) : undefined
  }
  const settle = () => {
    for (const notify of notifySettled.splice(0)) notify()
  }

  const sendNext = (): void => {
    clearTimeout(timer)
    if (!isLoaded || deliveredId !== null || closing.signal.aborted) return
    const next = items.find(({ state }) => state !== 'failed')
    // The clock of the device may have been set back meanwhile.
    const waitMs = next ? Math.min(next.dueAt - Date.now(), delayMs) : 0
    if (next && waitMs <= 0) {
      deliveredId = next.id
      void deliver(next)
      return
    }
    if (next) timer = setTimeout(sendNext, waitMs)
    settle()
  }

  async function deliver(item: OutboxItem<Payload>): Promise<void> {
    const { id, payload } = item
    try {
      const result = await retryUntilAccepted(
        () => {
          change(id, { state: 'sending' })
          return send(payload, id)
        },
        {
          signal: closing.signal,
          waitsForSignIn,
          backoff: BACKOFF,
          onWait(cause, failure) {
            change(id, { state: 'waiting', cause: waitReason(cause, failure) })
            settle()
          },
        },
      )
      remove(id)
      onSent?.(item, result)
    } catch (error) {
      if (closing.signal.aborted) return
      fail(item, CallError.from(error))
    }
    deliveredId = null
    sendNext()
  }

  function fail(item: OutboxItem<Payload>, failure: CallError): void {
    if (onFailed(item, failure) === 'discard') {
      remove(item.id)
      return
    }
    const { reason } = failure.data
    const cause = failure.broken ? 'server' : 'refused'
    change(item.id, { state: 'failed', cause, reason: typeof reason === 'string' ? reason : null })
    void store(item.id)
  }

  async function loadStoredItems(): Promise<void> {
    const stored = await storage.loadItems()
    const loaded = stored.map((item) => (item.state === 'failed' ? item : { ...item, state: 'waiting' as const }))
    if (closing.signal.aborted) return
    isLoaded = true
    const earlier = loaded.filter(({ id }) => !find(id))
    if (earlier.length > 0) setItems([...earlier, ...items])
    sendNext()
  }

  // A payload that is being sent is not changed: the next one becomes a separate item.
  function mergeInto(payload: Payload): { item: OutboxItem<Payload>; merged: Payload } | null {
    for (const item of items.toReversed()) {
      const merged = item.id === deliveredId ? null : (merge?.(item.payload, payload) ?? null)
      if (merged !== null) return { item, merged }
    }
    return null
  }

  async function replace(oldId: string, item: OutboxItem<Payload>): Promise<void> {
    setItems(items.map((queued) => (queued.id === oldId ? item : queued)))
    await storage.put(item)
    await storage.remove(oldId)
  }

  const loaded = loadStoredItems()
  return {
    list: () => items,
    add(payload, id = createItemId()) {
      if (find(id)) return
      const target = mergeInto(payload)
      if (target) {
        // New content of a refused item is sent: it may be accepted.
        const isRefused = target.item.state === 'failed' && target.item.cause === 'refused'
        const renewed = { state: 'waiting', cause: null, reason: null, dueAt: Date.now() + delayMs } as const
        void replace(target.item.id, { ...target.item, ...(isRefused ? renewed : {}), id, payload: target.merged })
      } else {
        const dueAt = Date.now() + delayMs
        setItems([...items, { id, payload, state: 'waiting', cause: null, reason: null, dueAt }])
        void store(id)
      }
      sendNext()
    },
    retry(id) {
      change(id, { state: 'waiting', cause: null, reason: null, dueAt: 0 })
      void store(id)
      sendNext()
    },
    discard(id) {
      const item = find(id)
      remove(id)
      return item
    },
    async flush() {
      await loaded
      setItems(items.map((item) => ({ ...item, dueAt: 0 })))
      sendNext()
      const isRunning = items.some(({ state }) => state === 'sending')
      if (isRunning) await new Promise<void>((resolve) => void notifySettled.push(resolve))
    },
    close() {
      closing.abort()
      clearTimeout(timer)
      settle()
    },
    loaded,
  }
}

function waitReason(cause: 'offline' | 'signedOut', failure: CallError): OutboxItem<never>['cause'] {
  if (failure.code === 'too_many') return 'throttled'
  return failure.broken ? 'server' : cause
}

// Sorted by time, so that a database returns the items in their order.
function createItemId(): string {
  return `${Date.now()}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`
}
