import { type MessageView, UPVOTE } from '#lib/meeting/chat/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'

/** Who looks at the chat: what is said to one person, and what waits for the staff, depends on it. */
export interface Reader {
  personId: string
  isStaff: boolean
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
const MAX_MESSAGES = 2000

/** The lists after an event; the very same object when it changes nothing. An event that was seen before changes nothing. */
export function foldChat(lists: ChatLists, event: RoomEvent, reader: Reader): ChatLists {
  switch (event.type) {
    case 'message':
    case 'question': {
      const view = messageOf(event, lists[event.type])
      const queued = view.state === 'waiting' && reader.isStaff && view.authorId !== reader.personId
      const name = queued ? 'waiting' : event.type
      return replaceList(lists, name, addMessage(lists[name], view))
    }
    case 'messageShown':
      return showMessage(lists, event)
    case 'messageDeleted': {
      const { messageId } = event.payload
      return changeInLists(lists, (list) => list.filter((message) => message.messageId !== messageId), messageId)
    }
    case 'answer': {
      const { messageId, text, author } = event.payload
      const answer = { text, ...author, at: event.at, offsetMs: event.offsetMs }
      return changeInLists(
        lists,
        (list) => list.map((message) => (message.messageId === messageId ? { ...message, answer } : message)),
        messageId,
      )
    }
    case 'reaction': {
      const { messageId, emoji, on } = event.payload
      if (!messageId) return lists
      const isOwn = event.actorId === reader.personId
      return changeInLists(
        lists,
        (list) =>
          list.map((message) => (message.messageId === messageId ? applyReaction(message, emoji, on, isOwn) : message)),
        messageId,
      )
    }
    default:
      return lists
  }
}

/** A message with a reaction more or less. One's own counts once, however often it is told. */
export function applyReaction(message: MessageView, emoji: string, on: boolean, isOwn: boolean): MessageView {
  if (isOwn && message.ownReactions.includes(emoji) === on) return message
  const count = Math.max(0, (message.reactions[emoji] ?? 0) + (on ? 1 : -1))
  const { [emoji]: _, ...others } = message.reactions
  const own = message.ownReactions.filter((reaction) => reaction !== emoji)
  return {
    ...message,
    reactions: count > 0 ? { ...others, [emoji]: count } : others,
    ownReactions: isOwn ? (on ? [...own, emoji] : own) : message.ownReactions,
  }
}

/** One list and another of the same kind, e.g. an older page: each message once, what was read last counts. */
export function mergeMessages(list: readonly MessageView[], added: readonly MessageView[]): readonly MessageView[] {
  if (added.length === 0) return list
  const all = new Map(list.map((message) => [message.messageId, message]))
  for (const message of added) all.set(message.messageId, message)
  return [...all.values()].sort(compareByTime)
}

/** Questions as the staff and the room want them: by their votes, the newest, or those without an answer. */
export function sortQuestions(
  questions: readonly MessageView[],
  sort: 'top' | 'new' | 'open',
  answering: string | null,
): MessageView[] {
  const isAnswering = (question: MessageView) => (question.messageId === answering ? 1 : 0)
  const open = sort === 'open' ? questions.filter((question) => question.answer === null) : [...questions]
  return open.sort(
    (question, other) =>
      isAnswering(other) - isAnswering(question) ||
      (sort === 'new' ? 0 : countVotes(other) - countVotes(question)) ||
      compareByTime(other, question),
  )
}

export const countVotes = ({ reactions }: MessageView): number => reactions[UPVOTE] ?? 0

// A script's messages have no number: they stand where they were said.
const compareByTime = (message: MessageView, other: MessageView): number =>
  message.seq > 0 && other.seq > 0 ? message.seq - other.seq : message.at - other.at

type ChatEvent = Extract<RoomEvent, { type: 'message' | 'question' }>

function messageOf(
  { type, payload, seq, at, offsetMs, actorId }: ChatEvent,
  list: readonly MessageView[],
): MessageView {
  const { messageId, author, text, replyTo, held } = payload
  const original = replyTo ? list.find((message) => message.messageId === replyTo) : undefined
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
    reply: original ? { name: original.name, text: original.text.slice(0, 160) } : null,
    reactions: {},
    ownReactions: [],
    answer: null,
  }
}

function addMessage(list: readonly MessageView[], view: MessageView): readonly MessageView[] {
  if (list.some((message) => message.messageId === view.messageId)) return list
  const last = list.at(-1)
  const next = last && compareByTime(last, view) > 0 ? [...list, view].sort(compareByTime) : [...list, view]
  return next.length > MAX_MESSAGES ? next.slice(-MAX_MESSAGES) : next
}

function showMessage(lists: ChatLists, event: Extract<RoomEvent, { type: 'messageShown' }>): ChatLists {
  const { messageId, kind, authorId, author, text, replyTo } = event.payload
  const known = [...lists.waiting, ...lists[kind]].find((message) => message.messageId === messageId)
  if (known?.state === 'shown' || (!known && !author)) return lists
  const payload = { messageId, author: author ?? { name: '', role: 'viewer' as const }, text, replyTo, held: null }
  const fresh = messageOf({ ...event, type: kind, payload, actorId: authorId }, lists[kind])
  const view: MessageView = known ? { ...known, state: 'shown', held: null } : fresh
  // Those who look at the end of the chat see it there, wherever it was said.
  const list = lists[kind].filter((message) => message.messageId !== messageId)
  const waiting = lists.waiting.filter((message) => message.messageId !== messageId)
  return { ...lists, waiting, [kind]: [...list, { ...view, seq: event.seq }] }
}

function replaceList(lists: ChatLists, name: keyof ChatLists, list: readonly MessageView[]): ChatLists {
  return list === lists[name] ? lists : { ...lists, [name]: list }
}

function changeInLists(
  lists: ChatLists,
  change: (list: readonly MessageView[]) => readonly MessageView[],
  messageId: string,
): ChatLists {
  const kinds: (keyof ChatLists)[] = ['message', 'question', 'waiting']
  return kinds.reduce(
    (all, kind) =>
      all[kind].some((message) => message.messageId === messageId) ? replaceList(all, kind, change(all[kind])) : all,
    lists,
  )
}
