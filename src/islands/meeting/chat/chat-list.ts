import { type MessageView, UP } from '#lib/meeting/chat/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'

/** Who looks at the chat: what is said to one person, and what waits for the staff, depends on it. */
export interface Reader {
  personId: string
  staff: boolean
}

/** What the chat of a room is for one reader. Every list is in the order of the log. */
export interface ChatLists {
  message: readonly MessageView[]
  question: readonly MessageView[]
  /** For the staff: what waits to be let in. */
  waiting: readonly MessageView[]
}

export const NO_CHAT: ChatLists = { message: [], question: [], waiting: [] }

/** As many as a device holds; older ones are asked for again. */
const MOST_KEPT = 2000

/** The lists after an event; the very same object when it changes nothing. An event that was seen before changes nothing. */
export function foldChat(lists: ChatLists, event: RoomEvent, reader: Reader): ChatLists {
  switch (event.type) {
    case 'message':
    case 'question': {
      const view = viewOf(event, lists[event.type])
      const queued = view.state === 'waiting' && reader.staff && view.authorId !== reader.personId
      const name = queued ? 'waiting' : event.type
      return changed(lists, name, withMessage(lists[name], view))
    }
    case 'messageShown':
      return shown(lists, event)
    case 'messageDeleted': {
      const { messageId } = event.payload
      return everywhere(lists, (list) => list.filter((one) => one.messageId !== messageId), messageId)
    }
    case 'answer': {
      const { messageId, text, author } = event.payload
      const answer = { text, ...author, at: event.at, offsetMs: event.offsetMs }
      return everywhere(
        lists,
        (list) => list.map((one) => (one.messageId === messageId ? { ...one, answer } : one)),
        messageId,
      )
    }
    case 'reaction': {
      const { messageId, emoji, on } = event.payload
      if (!messageId) return lists
      const mine = event.actorId === reader.personId
      return everywhere(
        lists,
        (list) => list.map((one) => (one.messageId === messageId ? reacted(one, emoji, on, mine) : one)),
        messageId,
      )
    }
    default:
      return lists
  }
}

/** A message with a reaction more or less. One's own counts once, however often it is told. */
export function reacted(message: MessageView, emoji: string, on: boolean, mine: boolean): MessageView {
  if (mine && message.mine.includes(emoji) === on) return message
  const count = Math.max(0, (message.reactions[emoji] ?? 0) + (on ? 1 : -1))
  const { [emoji]: _, ...others } = message.reactions
  const own = message.mine.filter((one) => one !== emoji)
  return {
    ...message,
    reactions: count > 0 ? { ...others, [emoji]: count } : others,
    mine: mine ? (on ? [...own, emoji] : own) : message.mine,
  }
}

/** One list and another of the same kind, e.g. an older page: each message once, what was read last counts. */
export function merged(list: readonly MessageView[], read: readonly MessageView[]): readonly MessageView[] {
  if (read.length === 0) return list
  const all = new Map(list.map((one) => [one.messageId, one]))
  for (const one of read) all.set(one.messageId, one)
  return [...all.values()].sort(inOrder)
}

/** Questions as the staff and the room want them: by their votes, the newest, or those without an answer. */
export function sortedQuestions(
  questions: readonly MessageView[],
  sort: 'top' | 'new' | 'open',
  answering: string | null,
): MessageView[] {
  const first = (one: MessageView) => (one.messageId === answering ? 1 : 0)
  const open = sort === 'open' ? questions.filter((one) => one.answer === null) : [...questions]
  return open.sort(
    (one, other) =>
      first(other) - first(one) || (sort === 'new' ? 0 : votesOf(other) - votesOf(one)) || inOrder(other, one),
  )
}

export const votesOf = ({ reactions }: MessageView): number => reactions[UP] ?? 0

// A script's messages have no number: they stand where they were said.
const inOrder = (one: MessageView, other: MessageView): number =>
  one.seq > 0 && other.seq > 0 ? one.seq - other.seq : one.at - other.at

type Said = Extract<RoomEvent, { type: 'message' | 'question' }>

function viewOf({ type, payload, seq, at, offsetMs, actorId }: Said, list: readonly MessageView[]): MessageView {
  const { messageId, author, text, replyTo, held } = payload
  const answered = replyTo ? list.find((one) => one.messageId === replyTo) : undefined
  return {
    messageId,
    seq,
    kind: type,
    at,
    offsetMs,
    authorId: actorId,
    ...author,
    text,
    replyTo,
    held,
    state: held === null ? 'shown' : held === 'premod' || held === 'words' ? 'waiting' : 'private',
    reply: answered ? { name: answered.name, text: answered.text.slice(0, 160) } : null,
    reactions: {},
    mine: [],
    answer: null,
  }
}

function withMessage(list: readonly MessageView[], view: MessageView): readonly MessageView[] {
  if (list.some((one) => one.messageId === view.messageId)) return list
  const last = list.at(-1)
  const next = last && inOrder(last, view) > 0 ? [...list, view].sort(inOrder) : [...list, view]
  return next.length > MOST_KEPT ? next.slice(-MOST_KEPT) : next
}

function shown(lists: ChatLists, event: Extract<RoomEvent, { type: 'messageShown' }>): ChatLists {
  const { messageId, kind, authorId, author, text, replyTo } = event.payload
  const known = [...lists.waiting, ...lists[kind]].find((one) => one.messageId === messageId)
  if (known?.state === 'shown' || (!known && !author)) return lists
  const payload = { messageId, author: author ?? { name: '', role: 'viewer' as const }, text, replyTo, held: null }
  const fresh = viewOf({ ...event, type: kind, payload, actorId: authorId }, lists[kind])
  const view: MessageView = known ? { ...known, state: 'shown', held: null } : fresh
  // Those who look at the end of the chat see it there, wherever it was said.
  const list = lists[kind].filter((one) => one.messageId !== messageId)
  const waiting = lists.waiting.filter((one) => one.messageId !== messageId)
  return { ...lists, waiting, [kind]: [...list, { ...view, seq: event.seq }] }
}

function changed(lists: ChatLists, name: keyof ChatLists, list: readonly MessageView[]): ChatLists {
  return list === lists[name] ? lists : { ...lists, [name]: list }
}

function everywhere(
  lists: ChatLists,
  change: (list: readonly MessageView[]) => readonly MessageView[],
  messageId: string,
): ChatLists {
  const kinds: (keyof ChatLists)[] = ['message', 'question', 'waiting']
  return kinds.reduce(
    (all, kind) => (all[kind].some((one) => one.messageId === messageId) ? changed(all, kind, change(all[kind])) : all),
    lists,
  )
}
