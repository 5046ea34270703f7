import { atom } from 'nanostores'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { createEventStream } from './event-stream.ts'

export type Connection = 'closed' | 'connecting' | 'open'

/** The connection of this tab to live events; `connecting` while it reconnects. */
export const $connection = atom<Connection>('closed')

export type PayloadHandler<Payload> = (payload: Payload) => void

/**
 * Subscribes to a channel until the returned function is called. All islands of a tab share one stream, which resumes after
 * an interruption; when too many events were missed, `reload` is called instead.
 */
export function subscribe<Payload>(channel: string, handler: PayloadHandler<Payload>, reload?: () => void): () => void {
  const listener: Listener = { onEvent: (payload) => handler(payload as Payload), reload }
  const listeners = channels.get(channel) ?? new Set()
  channels.set(channel, listeners.add(listener))
  refresh()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) channels.delete(channel)
    refresh()
  }
}

interface Listener {
  onEvent(payload: unknown): void
  reload: (() => void) | undefined
}

const channels = new Map<string, Set<Listener>>()
// Browsers limit the connections to a server: a hidden tab closes its own after this time.
const HIDDEN_MS = 30_000
const RETRY = { firstMs: 2000, maxMs: MINUTE_MS, jitter: 0.5 }

let openChannels: ReadonlySet<string> = new Set()

const stream = createEventStream({
  getAddress: () => {
    openChannels = new Set([...channels.keys()].sort())
    return `/v1/live?${new URLSearchParams({ channels: [...openChannels].join(',') })}`
  },
  retry: RETRY,
  suspendHiddenAfterMs: HIDDEN_MS,
  onConnecting: () => $connection.set('connecting'),
  onOpen: () => $connection.set('open'),
  onInterrupted: () => $connection.set('connecting'),
  onSuspended: () => $connection.set('closed'),
  onMessage: (data) => {
    const { channel, payload } = data as { channel: string; payload: unknown }
    for (const { onEvent } of channels.get(channel) ?? []) onEvent(payload)
  },
  onGap: (reason) => {
    if (reason !== 'reset') return
    for (const listeners of channels.values()) for (const { reload } of listeners) reload?.()
  },
})

// Islands that mount together subscribe in the same task: one stream is opened for all of them.
function refresh(): void {
  queueMicrotask(connect)
}

function connect(): void {
  const subscribedChannels = [...channels.keys()]
  // After channels are removed the stream stays open; their messages have no listeners.
  if (
    stream.isConnected() &&
    subscribedChannels.length > 0 &&
    subscribedChannels.every((channel) => openChannels.has(channel))
  )
    return
  stream.close()
  $connection.set('closed')
  if (subscribedChannels.length > 0) stream.open()
}
