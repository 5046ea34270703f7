import { randomInt } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { log } from '../log.ts'
import { HEARTBEAT, readyFrame, resetFrame, type StreamFrame } from './frame.ts'
import { joinFrames } from './joined-frame.ts'
import { type LiveEvents, readLiveEvents } from './live-events.ts'
import { listenForNotifications, type NotificationListener, type ProcessNotification } from './process-notification.ts'
import { endStream, type LiveUpdateStream, writeFrame } from './stream.ts'

/** The streams of one tenant in this process, and the position up to which its events have been read. */
interface TenantStreams {
  tenantId: string
  position: number | null
  channels: Map<string, Set<LiveUpdateStream>>
  joining: LiveUpdateStream[]
  isReading: boolean
  /** An event was published during the read. */
  isStale: boolean
}

const tenants = new Map<string, TenantStreams>()
const streams = new Set<LiveUpdateStream>()
let listener: Promise<NotificationListener> | undefined
let heartbeatTimer: NodeJS.Timeout | undefined

/** The number of open streams of this process and of their tenants. */
export const countStreams = (): { streams: number; tenants: number } => ({
  streams: streams.size,
  tenants: tenants.size,
})

/** Subscribes this process to the notifications of the others; fails when the database does not answer. */
export async function startListening(): Promise<void> {
  listener ??= listenForNotifications({ onNotification, onGap })
  try {
    await listener
  } catch (error) {
    listener = undefined
    throw error
  }
}

/**
 * Adds a stream: it receives the events that it missed, or a reset when they are too many, and then every new event.
 */
export function addStream(stream: LiveUpdateStream): void {
  const tenant = tenants.get(stream.tenantId) ?? addTenant(stream.tenantId)
  for (const channel of stream.channels) {
    const listeners = tenant.channels.get(channel) ?? new Set()
    tenant.channels.set(channel, listeners.add(stream))
  }
  streams.add(stream)
  tenant.joining.push(stream)
  heartbeatTimer ??= setInterval(checkStreams, CHECK_MS).unref()
  void readNewEvents(tenant)
}

export function removeStream(stream: LiveUpdateStream): void {
  if (!streams.delete(stream)) return
  const tenant = tenants.get(stream.tenantId)
  for (const channel of stream.channels) {
    const listeners = tenant?.channels.get(channel)
    listeners?.delete(stream)
    if (listeners?.size === 0) tenant?.channels.delete(channel)
  }
  if (tenant?.channels.size === 0) tenants.delete(stream.tenantId)
  stream.onClosed?.()
  if (streams.size > 0) return
  clearInterval(heartbeatTimer)
  heartbeatTimer = undefined
}

/** Ends all streams, e.g. at shutdown, and stops listening. Browsers reconnect to another process. */
export async function closeAllStreams(): Promise<void> {
  for (const stream of streams) closeStream(stream)
  const current = listener
  listener = undefined
  await current?.then(
    (opened) => opened.close(),
    () => {},
  )
}

function addTenant(tenantId: string): TenantStreams {
  const tenant: TenantStreams = {
    tenantId,
    position: null,
    channels: new Map(),
    joining: [],
    isReading: false,
    isStale: false,
  }
  tenants.set(tenantId, tenant)
  return tenant
}

function onNotification(notification: ProcessNotification): void {
  if ('cut' in notification) closeMatching(notification.cut)
  else readIfNew(notification)
}

function readIfNew({ t, c, i }: { t: string; c: string; i: number }): void {
  const tenant = tenants.get(t)
  if (tenant?.channels.has(c) && i > (tenant.position ?? 0)) void readNewEvents(tenant)
}

function closeMatching({ userId, sessionId }: { userId?: string; sessionId?: string }): void {
  for (const stream of streams) {
    const matches = (userId ?? stream.userId) === stream.userId && (sessionId ?? stream.sessionId) === stream.sessionId
    if (matches) closeStream(stream)
  }
}

// Events can be read again, but a notification to end streams may be lost: all streams are closed within ten seconds, so
// that they are authorized again when they reconnect.
function onGap(): void {
  for (const tenant of tenants.values()) void readNewEvents(tenant)
  for (const stream of streams) stream.endsAt = Date.now() + randomInt(10_000)
}

const CHECK_MS = 5000
const CHECKS_PER_HEARTBEAT = 4
let checkCount = 0

function checkStreams(): void {
  const now = Date.now()
  const sendsHeartbeat = ++checkCount % CHECKS_PER_HEARTBEAT === 0
  for (const stream of streams)
    if (stream.endsAt < now || (sendsHeartbeat && !writeFrame(stream, HEARTBEAT))) closeStream(stream)
}

function closeStream(stream: LiveUpdateStream): void {
  removeStream(stream)
  endStream(stream)
}

async function readNewEvents(tenant: TenantStreams): Promise<void> {
  tenant.isStale = true
  if (tenant.isReading) return
  tenant.isReading = true
  try {
    while (tenant.isStale) {
      tenant.isStale = false
      await readOnce(tenant)
    }
  } catch (error) {
    log.error({ err: error }, 'live events could not be read')
    setTimeout(() => void readNewEvents(tenant), 1000).unref()
  } finally {
    tenant.isReading = false
  }
}

// One query for all streams of a tenant.
async function readOnce(tenant: TenantStreams): Promise<void> {
  const joining = [...tenant.joining]
  const resumeIds = joining.flatMap(({ resumeAfterId }) => (resumeAfterId === null ? [] : [resumeAfterId]))
  const from = { position: tenant.position, resumeIds: joining.length > 0 ? resumeIds : null }
  const read = await readLiveEvents(tenant.tenantId, [...tenant.channels.keys()], from)
  tenant.joining.splice(0, joining.length)
  tenant.position = read.position
  for (const stream of joining) if (streams.has(stream)) startStream(stream, read)
  if (read.isTruncated)
    for (const listeners of tenant.channels.values()) for (const stream of listeners) resetIfBehind(stream, read)
  await sendEvents(tenant, read.events)
}

/** Streams that are written to before other work of this process gets its turn. */
const STREAMS_PER_TURN = 100
/** After a delivery the next one waits for this multiple of its time, so that events are joined under load. */
const PAUSE_FACTOR = 3
const PAUSE_MS = { min: 5, max: 100 }

/*
 * Writing to a stream costs the same for one event and for twenty. A tenant uses a quarter of the time of this process at
 * most: with few streams the pause is too short to wait for, and with thousands the events of the pause become one write.
 */
async function sendEvents(tenant: TenantStreams, events: LiveEvents['events']): Promise<void> {
  const changed = new Set(events.map(({ channel }) => channel))
  const listeners = new Set([...changed].flatMap((channel) => [...(tenant.channels.get(channel) ?? [])]))
  const frameFor = joinFrames(events)
  let spentMs = 0
  let startedAt = performance.now()
  let count = 0
  for (const stream of listeners) {
    const joined = streams.has(stream) ? frameFor(stream) : null
    if (joined) sendFrame(stream, joined.lastId, joined.frame)
    count += 1
    if (count % STREAMS_PER_TURN > 0) continue
    spentMs += performance.now() - startedAt
    await nextTurn()
    startedAt = performance.now()
  }
  spentMs += performance.now() - startedAt
  const pauseMs = Math.min(PAUSE_FACTOR * spentMs, PAUSE_MS.max)
  if (pauseMs >= PAUSE_MS.min) await delay(pauseMs)
}

function startStream(stream: LiveUpdateStream, { newestId, knownIds }: LiveEvents): void {
  if (stream.resumeAfterId !== null && knownIds.has(stream.resumeAfterId)) stream.lastEventId = stream.resumeAfterId
  else sendFrame(stream, newestId, stream.resumeAfterId === null ? readyFrame(newestId) : resetFrame(newestId))
  stream.onReady?.()
}

// The stream missed more events than are sent again.
function resetIfBehind(stream: LiveUpdateStream, { events, position }: LiveEvents): void {
  if (stream.lastEventId < (events[0]?.id ?? 0)) sendFrame(stream, position, resetFrame(position))
}

function sendFrame(stream: LiveUpdateStream, id: number, frame: StreamFrame): void {
  stream.lastEventId = id
  if (!writeFrame(stream, frame)) closeStream(stream)
}
