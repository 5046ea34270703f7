import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Actor } from '../shared/actor.ts'
import { type Frame, prelude } from './frame.ts'

/** One open stream of one tab. Small, because there are thousands: no timer and no buffer of its own. */
export interface Stream {
  tenantId: string
  userId: string
  sessionId: string
  channels: readonly string[]
  /** The last event it has; infinite until it is admitted. */
  after: number
  /** The id to resume after; null for a stream that begins, -1 for one that names nonsense. */
  resume: number | null
  /** When it is closed so that the listener comes back and is authorised anew, in ms. */
  endsAt: number
  controller: ReadableStreamDefaultController<Uint8Array>
  /** The connection itself, when it may be written to directly. */
  socket: Socket | null
  /** Told when it is admitted. */
  ready?: () => void
  /** Told when the stream is left. */
  closed?: () => void
}

export type Caller = Pick<Actor, 'tenantId' | 'userId' | 'sessionId'>

const LIFETIME_MS = { least: 25 * 60_000, most: 35 * 60_000 }

// What a listener may leave unread: 256 KB or, without a socket to ask, 256 events. It is then cut and resumes.
const MOST_UNREAD = 262_144
const QUEUE = { highWaterMark: 0, size: (bytes: Uint8Array | undefined) => Math.max(1024, bytes?.length ?? 0) }

/**
 * The body of an answer that stays open. `open` is called when its head has left, `leave` when the other side is gone.
 * With node's `response` events go to the socket itself: with 5,000 streams half of a write is what stands before it.
 */
export function openBody(
  { tenantId, userId, sessionId }: Caller,
  channels: readonly string[],
  resume: number | null,
  on: { open(stream: Stream): void; leave(stream: Stream): void; unopened(): void },
  response?: ServerResponse,
): ReadableStream<Uint8Array> {
  const endsAt = Date.now() + randomInt(LIFETIME_MS.least, LIFETIME_MS.most)
  const about = { tenantId, userId, sessionId, channels, after: Number.POSITIVE_INFINITY, resume, endsAt }
  let stream: Stream | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(prelude())
      },
      // The reader waits for a second piece: the head and the first have been handed to the connection.
      pull(controller) {
        if (stream) return
        stream = { ...about, controller, socket: response ? directly(response) : null }
        on.open(stream)
      },
      cancel() {
        if (stream) on.leave(stream)
        else on.unopened()
      },
    },
    QUEUE,
  )
}

/** False when the listener is too slow or gone: the stream must be left. */
export function write({ controller, socket }: Stream, { plain, chunk }: Frame): boolean {
  if (socket) {
    if (!socket.writable || socket.writableLength > MOST_UNREAD) return false
    socket.write(chunk)
    return true
  }
  if ((controller.desiredSize ?? -MOST_UNREAD) <= -MOST_UNREAD) return false
  controller.enqueue(plain)
  return true
}

/** Ends the body; a browser comes back by itself. One that does not read is cut off. */
export function end({ controller, socket }: Stream): void {
  if (socket && socket.writableLength > MOST_UNREAD) socket.destroy()
  try {
    controller.close()
  } catch {
    // It ended by itself in the meantime.
  }
}

// Only where node frames the body in chunks and nothing else stands between it and the connection.
function directly(response: ServerResponse): Socket | null {
  const chunked = response.headersSent && Reflect.get(response, 'chunkedEncoding') === true
  return chunked ? response.socket : null
}
