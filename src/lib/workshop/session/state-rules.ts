import type { ChatSettings, RoomEvent } from './event-schema.ts'
import type { RoomState } from './state-schema.ts'

/** Initial state of a room. */
export function initialRoomState(chat: ChatSettings, slidesFileId: string | null): RoomState {
  return {
    phase: 'waiting',
    startedAt: null,
    finishedAt: null,
    mode: slidesFileId ? 'presentationAndBroadcast' : 'broadcast',
    slide: { fileId: slidesFileId, page: 1 },
    buttons: [],
    handouts: [],
    poll: null,
    pinned: [],
    answering: null,
    chat,
    onAir: [],
    hostLostAt: null,
  }
}

/** Applies an event to the room state. Events that concern single viewers return the same object. */
export function applySessionEvent(room: RoomState, event: RoomEvent): RoomState {
  switch (event.type) {
    case 'webinar.start':
      return { ...room, phase: 'live', startedAt: event.at, finishedAt: null, hostLostAt: null }
    case 'webinar.finish':
      return {
        ...room,
        phase: 'finished',
        finishedAt: event.at,
        onAir: [],
        poll: null,
        answering: null,
        hostLostAt: null,
      }
    case 'presentation.change':
      return { ...room, mode: event.payload.mode }
    case 'broadcast.change':
      return { ...room, onAir: event.payload.onAir }
    case 'slide.change':
      return { ...room, slide: { fileId: event.payload.fileId, page: event.payload.page } }
    case 'button.show':
    case 'button.hide':
      return { ...room, buttons: applyButtons(room.buttons, event) }
    case 'handout.show':
    case 'handout.hide':
      return { ...room, handouts: applyHandouts(room.handouts, event) }
    case 'poll.open':
    case 'poll.close':
      return { ...room, poll: applyPoll(room.poll, event) }
    case 'messagePinned':
    case 'messageDeleted':
      return { ...room, pinned: applyPinned(room.pinned, event), answering: applyAnswering(room.answering, event) }
    case 'question.now':
      return { ...room, answering: event.payload.messageId }
    case 'answer':
      return { ...room, answering: room.answering === event.payload.messageId ? null : room.answering }
    case 'chat.change':
      return { ...room, chat: event.payload }
    case 'host.lost':
      return { ...room, hostLostAt: event.at }
    case 'host.back':
      return { ...room, hostLostAt: null }
    case 'recording.change':
      return { ...room, recordingStoppedAt: event.payload.on ? null : event.at }
    default:
      return room
  }
}

type EventOf<T extends RoomEvent['type']> = Extract<RoomEvent, { type: T }>

function applyButtons(buttons: RoomState['buttons'], event: EventOf<'button.show'> | EventOf<'button.hide'>) {
  const others = buttons.filter(({ buttonId }) => buttonId !== event.payload.buttonId)
  if (event.type === 'button.hide') return others
  const { buttonId, content } = event.payload
  return [...others, { buttonId, content, shownAt: event.at }]
}

function applyHandouts(handouts: RoomState['handouts'], event: EventOf<'handout.show'> | EventOf<'handout.hide'>) {
  const others = handouts.filter(({ handoutId }) => handoutId !== event.payload.handoutId)
  if (event.type === 'handout.hide') return others
  const { handoutId, content } = event.payload
  return [...others, { handoutId, content }]
}

function applyPoll(poll: RoomState['poll'], event: EventOf<'poll.open'> | EventOf<'poll.close'>): RoomState['poll'] {
  if (event.type === 'poll.open') {
    const { pollId, content } = event.payload
    return { pollId, content, openedAt: event.at, closed: false, tally: [], voters: 0 }
  }
  if (poll?.pollId !== event.payload.pollId) return poll
  const { tally, voters, right = poll.content.right } = event.payload
  return { ...poll, content: { ...poll.content, right }, closed: true, tally, voters }
}

function applyPinned(pinned: RoomState['pinned'], event: EventOf<'messagePinned'> | EventOf<'messageDeleted'>) {
  const others = pinned.filter(({ messageId }) => messageId !== event.payload.messageId)
  if (event.type === 'messageDeleted' || !event.payload.pinned) return others
  const { messageId, text, author } = event.payload
  return [...others, { messageId, text, author }]
}

function applyAnswering(answering: string | null, event: EventOf<'messagePinned'> | EventOf<'messageDeleted'>) {
  return event.type === 'messageDeleted' && answering === event.payload.messageId ? null : answering
}
