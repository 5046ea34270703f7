import { eventText, type StreamFrame, streamFrame } from './frame.ts'
import type { LiveEvents } from './live-events.ts'
import type { LiveUpdateStream } from './stream.ts'

/** Several events as one frame; `lastId` is the id of the last of them. */
interface JoinedFrame {
  lastId: number
  frame: StreamFrame
}

/**
 * Joins events, so that each stream gets all its new events in one write. Returns the function that gives the frame of a
 * stream, or null when none of the events is new to it. Streams of the same channels share the bytes.
 */
export function joinFrames(
  events: LiveEvents['events'],
): (stream: Pick<LiveUpdateStream, 'channels' | 'lastEventId'>) => JoinedFrame | null {
  const changed = new Set(events.map(({ channel }) => channel))
  const frames = new Map<string, JoinedFrame | null>()
  return ({ channels, lastEventId }) => {
    const first = events.findIndex(({ id }) => id > lastEventId)
    if (first === -1) return null
    const own = channels.filter((channel) => changed.has(channel))
    const key = `${first} ${own.join(' ')}`
    const known = frames.get(key)
    if (known !== undefined) return known
    const selected = events.slice(first).filter(({ channel }) => own.includes(channel))
    const joined = joinEvents(selected)
    frames.set(key, joined)
    return joined
  }
}

function joinEvents(events: LiveEvents['events']): JoinedFrame | null {
  const last = events.at(-1)
  if (!last) return null
  const text = events.map(({ id, channel, payload }) => eventText(id, channel, payload)).join('')
  return { lastId: last.id, frame: streamFrame(text) }
}
