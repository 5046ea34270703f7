import { randomInt } from 'node:crypto'
import type { Actor } from '../shared/actor.ts'
import { prelude } from './frame.ts'

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
}

const LIFETIME_MS = { least: 25 * 60_000, most: 35 * 60_000 }

// What a listener may leave unread: 256 KB or 256 events, whichever is first. It is then cut and resumes.
const UNREAD = { highWaterMark: 262_144, size: (chunk: Uint8Array | undefined) => Math.max(1024, chunk?.length ?? 0) }

export type Caller = Pick<Actor, 'tenantId' | 'userId' | 'sessionId'>

/** The body of an answer that stays open. `leave` is called once the other side is gone. */
export function openBody(
  { tenantId, userId, sessionId }: Caller,
  channels: readonly string[],
  resume: number | null,
  on: { open(stream: Stream): void; leave(stream: Stream): void },
): ReadableStream<Uint8Array> {
  let stream: Stream
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const endsAt = Date.now() + randomInt(LIFETIME_MS.least, LIFETIME_MS.most)
        const after = Number.POSITIVE_INFINITY
        stream = { tenantId, userId, sessionId, channels, after, resume, endsAt, controller }
        controller.enqueue(prelude())
        on.open(stream)
      },
      cancel() {
        on.leave(stream)
      },
    },
    UNREAD,
  )
}

/** False when the listener is too slow or gone: the stream must be left. */
export function write({ controller }: Stream, bytes: Uint8Array): boolean {
  if ((controller.desiredSize ?? 0) <= 0) return false
  controller.enqueue(bytes)
  return true
}

/** Ends the body; a browser comes back by itself. */
export function end({ controller }: Stream): void {
  try {
    controller.close()
  } catch {
    // It ended by itself in the meantime.
  }
}
