import type { RoomEvent } from './event-schema.ts'
import type { RoomState } from './state-schema.ts'

/** Room state for viewers: the right answers of a quiz are disclosed when it closes. */
export function hidePollAnswers(room: RoomState): RoomState {
  const { poll } = room
  if (!poll || poll.closed || poll.content.right.length === 0) return room
  return { ...room, poll: { ...poll, content: { ...poll.content, right: [] } } }
}

/** A log entry for viewers; the same object when nothing is hidden. */
export function hideEventAnswers(event: RoomEvent): RoomEvent {
  if (event.type !== 'poll.open' || event.payload.content.right.length === 0) return event
  const { pollId, content } = event.payload
  return { ...event, payload: { pollId, content: { ...content, right: [] } } }
}
