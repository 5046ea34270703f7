import { type Backoff, backoffMs } from '#lib/core/shared/backoff.ts'

export interface EventStreamOptions {
  /** Returns the address without the last event id; called for each connection. */
  getAddress(): string
  /** The stream resumes after this event. */
  lastEventId?: string
  retry: Backoff
  /** Receives the parsed data of each message, in order. */
  onMessage(data: unknown): void
  /** Events may have been missed: after a reset by the server, or when the stream opens without a last event id. */
  onGap(reason: 'reset' | 'noEventId'): void
  onConnecting?(): void
  onOpen(): void
  /** The connection is interrupted; the stream reconnects. */
  onInterrupted(): void
  /** The stream was closed because the page is hidden. */
  onSuspended?(): void
  /**
   * Called when the server permanently refuses the address; then the stream does not retry. Without this function it
   * retries without limit.
   */
  onRefused?(): void
  /** Closes the stream after the page was hidden for this long, and opens it when the page is visible. */
  suspendHiddenAfterMs?: number
  /**
   * Reconnects immediately when the network is back or the device was suspended, and closes the connection when
   * offline.
   */
  followsNetwork?: boolean
}

export interface EventStream {
  /** Opens the stream, or opens it again at the current address. */
  open(): void
  /** Closes the stream until `open`; it keeps the last event id. */
  close(): void
  /** Whether there is a connection, open or connecting. */
  isConnected(): boolean
}

const SLEEP_CHECK_MS = 5000
const SLEEP_GAP_MS = 45_000

/**
 * Creates a stream of server-sent events that reconnects with backoff and resumes after the last event. A browser
 * reconnects by itself after an interruption, but not after an error status, e.g. of a server that is starting.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  let source: EventSource | null = null
  let lastEventId = options.lastEventId ?? ''
  let failures = 0
  let isClosed = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopListening = () => {}

  const connect = () => {
    disconnect()
    const url = new URL(options.getAddress(), location.origin)
    if (lastEventId) url.searchParams.set('lastEventId', lastEventId)
    const next = new EventSource(url)
    source = next
    options.onConnecting?.()
    next.onopen = () => {
      failures = 0
      if (!lastEventId) options.onGap('noEventId')
      options.onOpen()
    }
    next.onmessage = (event: MessageEvent<string>) => {
      recordEventId(event)
      options.onMessage(JSON.parse(event.data))
    }
    next.addEventListener('ready', recordEventId)
    next.addEventListener('reset', (event) => {
      recordEventId(event)
      options.onGap('reset')
    })
    next.onerror = () => {
      if (source !== next) return
      options.onInterrupted()
      if (next.readyState === EventSource.CLOSED) void reconnect()
    }
  }
  const recordEventId = (event: MessageEvent) => {
    if (event.lastEventId) lastEventId = event.lastEventId
  }
  const disconnect = () => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const reconnect = async () => {
    disconnect()
    const waitMs = backoffMs(++failures, options.retry)
    const refused = failures > 1 && options.onRefused && (await isRefused(options.getAddress()))
    // Another connection may have been opened meanwhile, or the stream closed.
    if (isClosed || source) return
    if (refused) options.onRefused?.()
    else timer = setTimeout(connect, waitMs)
  }

  const listen = () => {
    const stops: (() => void)[] = []
    if (options.followsNetwork) stops.push(followNetwork())
    if (options.suspendHiddenAfterMs !== undefined) stops.push(followVisibility(options.suspendHiddenAfterMs))
    return () => {
      for (const stop of stops) stop()
    }
  }
  const followNetwork = () => {
    const handleOnline = () => {
      failures = 0
      if (source?.readyState !== EventSource.OPEN) connect()
    }
    const handleOffline = () => {
      source?.close()
      source = null
      options.onInterrupted()
    }
    // A connection that was lost while the device was suspended appears open for minutes.
    let checkedAt = Date.now()
    const sleepCheck = setInterval(() => {
      const hasSlept = Date.now() - checkedAt > SLEEP_GAP_MS
      checkedAt = Date.now()
      if (hasSlept) connect()
    }, SLEEP_CHECK_MS)
    addEventListener('online', handleOnline)
    addEventListener('offline', handleOffline)
    return () => {
      clearInterval(sleepCheck)
      removeEventListener('online', handleOnline)
      removeEventListener('offline', handleOffline)
    }
  }
  const followVisibility = (afterMs: number) => {
    const handleVisibility = () => {
      clearTimeout(timer)
      if (document.hidden) timer = setTimeout(suspend, afterMs)
      else if (!source) connect()
    }
    document.addEventListener('visibilitychange', handleVisibility)
    return () => document.removeEventListener('visibilitychange', handleVisibility)
  }
  const suspend = () => {
    disconnect()
    options.onSuspended?.()
  }

  return {
    open: () => {
      if (isClosed) stopListening = listen()
      isClosed = false
      connect()
    },
    close: () => {
      isClosed = true
      stopListening()
      disconnect()
    },
    isConnected: () => source !== null,
  }
}

// An EventSource does not disclose the status. Client errors other than timeout and rate limit are permanent.
async function isRefused(address: string): Promise<boolean> {
  const abort = new AbortController()
  try {
    const { status } = await fetch(address, { signal: abort.signal })
    return status >= 400 && status < 500 && status !== 408 && status !== 429
  } catch {
    return false
  } finally {
    abort.abort()
  }
}
