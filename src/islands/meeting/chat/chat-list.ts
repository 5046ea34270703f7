import { type ChatMessageView, UPVOTE } from '#lib/meeting/chat/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'

/** The participant for whom the chat is shown; private messages and messages that wait for approval depend on it. */
export interface ChatListReader {
  personId: string
  isStaff: boolean
}

/** The lists of a chat for one reader, each in the order of the event log. */
export interface ChatLists {
  message: readonly ChatMessageView[]
  question: readonly ChatMessageView[]
  /** For staff: messages that wait for approval. */
  waiting: readonly ChatMessageView[]
}

export const NO_CHAT: ChatLists = { message: [], question: [], waiting: [] }

/** Maximum number of messages in memory; older ones are loaded again on demand. */
const MAX_MESSAGES = 2000

/** Returns the lists after an event; the same object when it changes nothing. Repeated events change nothing. */
export function foldChat(lists: ChatLists, event: RoomEvent, reader: ChatListReader): ChatLists {
  switch (event.type) {
    case 'message':
    case 'question': {
      const view = toChatMessage(event, lists[event.type])
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

/** Returns a message with a reaction added or removed. An own reaction counts once, even if the event is repeated. */
export function applyReaction(message: ChatMessageView, emoji: string, on: boolean, isOwn: boolean): ChatMessageView {
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

/** Merges two lists of messages, e.g. with an older page. Of duplicates the added one is used. */
export function mergeMessages(
  list: readonly ChatMessageView[],
  added: readonly ChatMessageView[],
): readonly ChatMessageView[] {
  if (added.length === 0) return list
  const all = new Map(list.map((message) => [message.messageId, message]))
  for (const message of added) all.set(message.messageId, message)
  return [...all.values()].sort(compareByTime)
}

/** Sorts questions by votes or by time, or selects those without an answer. The one being answered comes first. */
export function sortQuestions(
  questions: readonly ChatMessageView[],
  sort: 'top' | 'new' | 'open',
  answering: string | null,
): ChatMessageView[] {
  const isAnswering = (question: ChatMessageView) => (question.messageId === answering ? 1 : 0)
  const open = sort === 'open' ? questions.filter((question) => question.answer === null) : [...questions]
  return open.sort(
    (question, other) =>
      isAnswering(other) - isAnswering(question) ||
      (sort === 'new' ? 0 : countQuestionVotes(other) - countQuestionVotes(question)) ||
      compareByTime(other, question),
  )
}

export const countQuestionVotes = ({ reactions }: ChatMessageView): number => reactions[UPVOTE] ?? 0

// Messages of a script have no sequence number: they are ordered by time.
const compareByTime = (message: ChatMessageView, other: ChatMessageView): number =>
  message.seq > 0 && other.seq > 0 ? message.seq - other.seq : message.at - other.at

type ChatEvent = Extract<RoomEvent, { type: 'message' | 'question' }>

function toChatMessage(
  { type, payload, seq, at, offsetMs, actorId }: ChatEvent,
  list: readonly ChatMessageView[],
): ChatMessageView {
  const { messageId, author, text, replyTo, holdReason } = payload
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
    holdReason,
    state: holdReason === null ? 'shown' : holdReason === 'premod' || holdReason === 'words' ? 'waiting' : 'private',
    reply: original ? { name: original.name, text: original.text.slice(0, 160) } : null,
    reactions: {},
    ownReactions: [],
    answer: null,
  }
}

function addMessage(list: readonly ChatMessageView[], view: ChatMessageView): readonly ChatMessageView[] {
  if (list.some((message) => message.messageId === view.messageId)) return list
  const last = list.at(-1)
  const next = last && compareByTime(last, view) > 0 ? [...list, view].sort(compareByTime) : [...list, view]
  return next.length > MAX_MESSAGES ? next.slice(-MAX_MESSAGES) : next
}

function showMessage(lists: ChatLists, event: Extract<RoomEvent, { type: 'messageShown' }>): ChatLists {
  const { messageId, kind, authorId, author, text, replyTo } = event.payload
  const known = [...lists.waiting, ...lists[kind]].find((message) => message.messageId === messageId)
  if (known?.state === 'shown' || (!known && !author)) return lists
  const payload = {
    messageId,
    author: author ?? { name: '', role: 'viewer' as const },
    text,
    replyTo,
    holdReason: null,
  }
  const fresh = toChatMessage({ ...event, type: kind, payload, actorId: authorId }, lists[kind])
  const view: ChatMessageView = known ? { ...known, state: 'shown', holdReason: null } : fresh
  // An approved message is put at the end, where readers of the latest messages see it.
  const list = lists[kind].filter((message) => message.messageId !== messageId)
  const waiting = lists.waiting.filter((message) => message.messageId !== messageId)
  return { ...lists, waiting, [kind]: [...list, { ...view, seq: event.seq }] }
}

function replaceList(lists: ChatLists, name: keyof ChatLists, list: readonly ChatMessageView[]): ChatLists {
  return list === lists[name] ? lists : { ...lists, [name]: list }
}

function changeInLists(
  lists: ChatLists,
  change: (list: readonly ChatMessageView[]) => readonly ChatMessageView[],
  messageId: string,
): ChatLists {
  const kinds: (keyof ChatLists)[] = ['message', 'question', 'waiting']
  return kinds.reduce(
    (all, kind) =>
      all[kind].some((message) => message.messageId === messageId) ? replaceList(all, kind, change(all[kind])) : all,
    lists,
  )
}
