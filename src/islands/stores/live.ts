import { atom } from 'nanostores'
import { backoffMs } from '#lib/core/shared/backoff.ts'

export type Connection = 'closed' | 'connecting' | 'open'

/** The connection of this tab to live events; `connecting` while it reconnects. */
export const $connection = atom<Connection>('closed')

export type PayloadHandler<Payload> = (payload: Payload) => void

/**
 * Subscribes to a channel until the returned function is called. All islands of a tab share one stream, which resumes after
 * an interruption; when too many events were missed, `reload` is called instead.
 */
export function subscribe<Payload>(channel: string, handler: PayloadHandler<Payload>, reload?: () => void): () => void {
  const listener: Listener = { hear: (payload) => handler(payload as Payload), reload }
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
  hear(payload: unknown): void
  reload: (() => void) | undefined
}

const channels = new Map<string, Set<Listener>>()
// A browser holds few connections to a server: a tab that nobody looks at gives its own back after a while.
const HIDDEN_MS = 30_000
const RECONNECT = { firstMs: 2000, maxMs: 60_000, jitter: 0.5 }

let source: EventSource | null = null
let listening: ReadonlySet<string> = new Set()
let lastId = ''
let failures = 0
let later: ReturnType<typeof setTimeout> | undefined
let watching = false

// Islands that mount together ask in the same moment: one stream is opened for all of them.
function refresh(): void {
  queueMicrotask(connect)
}

function connect(): void {
  const wanted = [...channels.keys()].sort()
  // A page that leaves takes its channels with it; nobody hears what the stream still says of them.
  if (source && wanted.length > 0 && wanted.every((channel) => listening.has(channel))) return
  close()
  if (wanted.length === 0) return
  watch()
  listening = new Set(wanted)
  const query = new URLSearchParams({ channels: wanted.join(','), ...(lastId && { lastEventId: lastId }) })
  const next = new EventSource(`/v1/live?${query}`, { withCredentials: true })
  source = next
  $connection.set('connecting')
  next.onopen = () => {
    failures = 0
    $connection.set('open')
  }
  next.onmessage = take
  next.addEventListener('ready', note)
  next.addEventListener('reset', (event) => {
    note(event)
    for (const listeners of channels.values()) for (const { reload } of listeners) reload?.()
  })
  next.onerror = () => {
    $connection.set('connecting')
    // The browser comes back by itself from a break, but not from a refusal or a server that is starting.
    if (next.readyState === EventSource.CLOSED) retry()
  }
}

function retry(): void {
  close()
  $connection.set('connecting')
  later = setTimeout(connect, backoffMs(++failures, RECONNECT))
}

function close(): void {
  clearTimeout(later)
  source?.close()
  source = null
  listening = new Set()
  $connection.set('closed')
}

function take(event: MessageEvent<string>): void {
  note(event)
  const { channel, payload }: { channel: string; payload: unknown } = JSON.parse(event.data)
  for (const { hear } of channels.get(channel) ?? []) hear(payload)
}

function note({ lastEventId }: MessageEvent): void {
  if (lastEventId) lastId = lastEventId
}

function watch(): void {
  if (watching) return
  watching = true
  document.addEventListener('visibilitychange', () => {
    clearTimeout(later)
    if (document.hidden) later = setTimeout(close, HIDDEN_MS)
    else if (!source) connect()
  })
}
