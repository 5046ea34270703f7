import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Actor } from '../shared/actor.ts'
import { MINUTE_MS } from '../shared/time.ts'
import { type StreamFrame, streamPrelude } from './frame.ts'

/** One open event stream of a browser tab. Without a timer or a buffer, because there are thousands. */
export interface LiveUpdateStream {
  tenantId: string
  userId: string
  sessionId: string
  channels: readonly string[]
  /** The last event that was sent; infinite until the stream has been started. */
  lastEventId: number
  /** The id to resume after; null for a new stream, -1 when the client sent an invalid id. */
  resumeAfterId: number | null
  /** When it is closed so that the client reconnects and is authorized again; milliseconds since 1970. */
  endsAt: number
  controller: ReadableStreamDefaultController<Uint8Array>
  /** The connection, when it may be written to directly. */
  socket: Socket | null
  /** Called when the stream has been started. */
  onReady?: () => void
  /** Called when the stream has been removed. */
  onClosed?: () => void
}

export type StreamOwner = Pick<Actor, 'tenantId' | 'userId' | 'sessionId'>

const LIFETIME_MS = { min: 25 * MINUTE_MS, max: 35 * MINUTE_MS }

// A client with more unread bytes than this (or, without a socket, 256 small writes) is disconnected; it resumes later.
const MAX_UNREAD_BYTES = 262_144
const QUEUING_STRATEGY = {
  highWaterMark: 0,
  size: (bytes: Uint8Array | undefined) => Math.max(1024, bytes?.length ?? 0),
}

/**
 * The body of a response that stays open. `onOpen` is called when its head has been sent, `onClose` when the client has
 * disconnected. With Node's `response`, events are written to the socket directly: with 5,000 streams that halves the
 * cost of a write.
 */
export function createStreamBody(
  { tenantId, userId, sessionId }: StreamOwner,
  channels: readonly string[],
  { resumeAfterId, until = Number.POSITIVE_INFINITY }: { resumeAfterId: number | null; until?: number | undefined },
  hooks: { onOpen(stream: LiveUpdateStream): void; onClose(stream: LiveUpdateStream): void; onUnopened(): void },
  response?: ServerResponse,
): ReadableStream<Uint8Array> {
  const endsAt = Math.min(until, Date.now() + randomInt(LIFETIME_MS.min, LIFETIME_MS.max))
  const fields = {
    tenantId,
    userId,
    sessionId,
    channels,
    lastEventId: Number.POSITIVE_INFINITY,
    resumeAfterId,
    endsAt,
  }
  let stream: LiveUpdateStream | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(streamPrelude())
      },
      // Called when the reader waits for a second chunk: the head and the first one have been sent.
      pull(controller) {
        if (stream) return
        stream = { ...fields, controller, socket: response ? directSocket(response) : null }
        hooks.onOpen(stream)
      },
      cancel() {
        if (stream) hooks.onClose(stream)
        else hooks.onUnopened()
      },
    },
    QUEUING_STRATEGY,
  )
}

/** Writes a frame. False when the client is too slow or disconnected: the stream must be removed. */
export function writeFrame({ controller, socket }: LiveUpdateStream, { plain, chunk }: StreamFrame): boolean {
  if (socket) {
    if (!socket.writable || socket.writableLength > MAX_UNREAD_BYTES) return false
    socket.write(chunk)
    return true
  }
  if ((controller.desiredSize ?? -MAX_UNREAD_BYTES) <= -MAX_UNREAD_BYTES) return false
  controller.enqueue(plain)
  return true
}

/** Ends the body; a browser reconnects by itself. A client that does not read is disconnected. */
export function endStream({ controller, socket }: LiveUpdateStream): void {
  if (socket && socket.writableLength > MAX_UNREAD_BYTES) socket.destroy()
  try {
    controller.close()
  } catch {
    // It has ended in the meantime.
  }
}

// Only where Node uses chunked encoding and nothing else processes the body.
function directSocket(response: ServerResponse): Socket | null {
  const chunked = response.headersSent && Reflect.get(response, 'chunkedEncoding') === true
  return chunked ? response.socket : null
}
