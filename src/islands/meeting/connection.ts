import { atom } from 'nanostores'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import type { RoomUpdate } from '#lib/meeting/room-schema.ts'

/** `lost`: for eight seconds already. */
export type RoomConnection = 'open' | 'connecting' | 'lost'

export const $connection = atom<RoomConnection>('connecting')

export interface RoomStreamHandlers {
  /** One after another, in the order of the server. */
  onUpdate(onUpdate: RoomUpdate): void
  /** Too much was missed, or nobody knows what: the room has to be read anew. */
  onGap(): void
  /** The ticket opens this room no more: expired, or its holder was shown the door. */
  onRefused(): void
}

const LOST_MS = 8000
const RECONNECT = { firstMs: 500, maxMs: 10_000, jitter: 0.5 }
const SLEEP_GAP_MS = 45_000

/**
 * Hears a room until the returned function is called: comes back by itself after a break, on another network, after
 * sleep, and resumes where it was, at first after the event `from`. `address` is asked anew at each try.
 */
export function connectRoom(getAddress: () => string, lastEventId: string, handlers: RoomStreamHandlers): () => void {
  let source: EventSource | null = null
  let lastId = lastEventId
  let failures = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let lost: ReturnType<typeof setTimeout> | undefined
  let ended = false

  const open = () => {
    clearTimeout(again)
    source?.close()
    const url = new URL(getAddress(), location.origin)
    if (lastId) url.searchParams.set('lastEventId', lastId)
    const next = new EventSource(url)
    source = next
    next.onopen = () => {
      failures = 0
      clearTimeout(lost)
      lost = undefined
      // A stream that does not know where it was may have missed something.
      if (!lastId) handlers.onGap()
      $connection.set('open')
    }
    next.onmessage = (event: MessageEvent<string>) => {
      note(event)
      const { payload }: { payload: RoomUpdate } = JSON.parse(event.data)
      handlers.onUpdate(payload)
    }
    next.addEventListener('ready', note)
    next.addEventListener('reset', (event) => {
      note(event)
      handlers.onGap()
    })
    next.onerror = () => {
      if (source !== next) return
      away()
      // The browser comes back by itself from a break, but not from a refusal or a server that is starting.
      if (next.readyState === EventSource.CLOSED) void retry()
    }
  }
  const note = ({ lastEventId }: MessageEvent) => {
    if (lastEventId) lastId = lastEventId
  }
  const away = () => {
    if ($connection.get() === 'open') $connection.set('connecting')
    lost ??= setTimeout(() => $connection.set('lost'), LOST_MS)
  }
  const retry = async () => {
    source?.close()
    source = null
    const wait = backoffMs(++failures, RECONNECT)
    const refused = failures > 1 && (await isRefused(getAddress()))
    // Another try may have begun while this one was being asked about, or the page has left.
    if (ended || source) return
    if (refused) handlers.onRefused()
    else again = setTimeout(open, wait)
  }
  const wake = () => {
    if (ended) return
    failures = 0
    if (source?.readyState !== EventSource.OPEN) open()
  }
  const offline = () => {
    source?.close()
    source = null
    away()
  }

  // A line that a sleeping device or a network without a word has cut looks open for minutes.
  let ticked = Date.now()
  const clock = setInterval(() => {
    const slept = Date.now() - ticked > SLEEP_GAP_MS
    ticked = Date.now()
    if (slept) open()
  }, 5000)
  addEventListener('online', wake)
  addEventListener('offline', offline)
  $connection.set('connecting')
  lost = setTimeout(() => $connection.set('lost'), LOST_MS)
  open()
  return () => {
    ended = true
    clearInterval(clock)
    clearTimeout(again)
    clearTimeout(lost)
    removeEventListener('online', wake)
    removeEventListener('offline', offline)
    source?.close()
  }
}

// An EventSource does not tell why it was refused. What is no question of the moment stays refused.
async function isRefused(address: string): Promise<boolean> {
  const stop = new AbortController()
  try {
    const { status } = await fetch(address, { signal: stop.signal })
    return status >= 400 && status < 500 && status !== 408 && status !== 429
  } catch {
    return false
  } finally {
    stop.abort()
  }
}
