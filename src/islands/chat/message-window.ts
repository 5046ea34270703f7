import type { MessageReaction } from '#lib/chat/schema.ts'
import type { ConversationMessage } from './chat-props.ts'

/** A continuous part of a conversation. Sequence numbers have no gaps, so that a missing message is noticed. */
export interface MessageWindow {
  messages: readonly ConversationMessage[]
  /** The sequence number of the latest message of the conversation that is known. */
  lastSeq: number
  /** Messages with smaller numbers do not exist any more; 1 when absent. */
  oldestSeq?: number
}

/** More messages are not kept in the document: the ones at the other end are loaded again when needed. */
const MAX_MESSAGES = 300
/** Messages that arrive are added up to this number, so that nothing moves under a reader; more of them are loaded as pages. */
const MAX_LIVE_MESSAGES = 600

export const firstSeq = ({ messages }: MessageWindow): number => messages[0]?.seq ?? 1
export const latestSeq = ({ messages }: MessageWindow): number => messages.at(-1)?.seq ?? 0
export const hasOlder = (window: MessageWindow): boolean => firstSeq(window) > (window.oldestSeq ?? 1)
export const hasNewer = (window: MessageWindow): boolean => latestSeq(window) < window.lastSeq

/** Whether messages that arrive are not added any more. */
export const isWindowFull = ({ messages }: MessageWindow): boolean => messages.length >= MAX_LIVE_MESSAGES

/** Adds messages that continue the window, in any order and with repetitions; others only update `lastSeq`. */
export function addMessages(
  window: MessageWindow,
  added: readonly ConversationMessage[],
  trim: 'older' | 'newer' | 'none' = 'none',
): MessageWindow {
  const lastSeq = Math.max(window.lastSeq, ...added.map(({ seq }) => seq))
  const bySeq = new Map(window.messages.map((message) => [message.seq, message]))
  for (const message of added) bySeq.set(message.seq, message)
  const sorted = [...bySeq.values()].sort((a, b) => a.seq - b.seq)
  const messages = countReplies(continuousPart(sorted, window.messages[0]?.seq ?? sorted[0]?.seq ?? 1), added)
  const changed = { ...window, lastSeq }
  if (trim === 'older') return { ...changed, messages: messages.slice(-MAX_MESSAGES) }
  if (trim === 'newer') return { ...changed, messages: messages.slice(0, MAX_MESSAGES) }
  return { ...changed, messages }
}

/** A reply has the number of replies of its thread, with which the message that began the thread is updated. */
function countReplies(messages: ConversationMessage[], added: readonly ConversationMessage[]): ConversationMessage[] {
  const counts = new Map<number, number>()
  for (const { threadSeq, replyCount } of added)
    if (threadSeq !== null) counts.set(threadSeq, Math.max(counts.get(threadSeq) ?? 0, replyCount))
  if (counts.size === 0) return messages
  return messages.map((message) => {
    const count = counts.get(message.seq) ?? 0
    return count > message.replyCount ? { ...message, replyCount: count } : message
  })
}

/** Replaces a message of the window; messages outside of it are ignored. The reactions of the reader are kept. */
export function replaceMessage(window: MessageWindow, changed: ConversationMessage): MessageWindow {
  return changeLoadedMessage(window, changed.seq, ({ ownReactions, replyCount }) => {
    return { ...changed, ownReactions, replyCount: Math.max(replyCount, changed.replyCount) }
  })
}

interface ReactionChange {
  seq: number
  reaction: MessageReaction
  isSet: boolean
  /** The number of these reactions after the change; null: one more or less. */
  count: number | null
  isOwn: boolean
}

/** Applies a reaction; the reader's own one only once. */
export function applyMessageReaction(window: MessageWindow, change: ReactionChange): MessageWindow {
  const { seq, reaction, isSet, isOwn } = change
  return changeLoadedMessage(window, seq, (message) => {
    const hadOwn = message.ownReactions.includes(reaction)
    if (isOwn && hadOwn === isSet && change.count === null) return message
    const others = message.ownReactions.filter((own) => own !== reaction)
    const ownReactions = !isOwn ? message.ownReactions : isSet ? [...others, reaction] : others
    const before = message.reactions.find((each) => each.reaction === reaction)
    const count = change.count ?? Math.max((before?.count ?? 0) + (isSet ? 1 : -1), 0)
    const changed = message.reactions.map((each) => (each.reaction === reaction ? { reaction, count } : each))
    const reactions = before ? changed : [...changed, { reaction, count }]
    return { ...message, ownReactions, reactions: reactions.filter((each) => each.count > 0) }
  })
}

function changeLoadedMessage(
  window: MessageWindow,
  seq: number,
  change: (message: ConversationMessage) => ConversationMessage,
): MessageWindow {
  if (!window.messages.some((message) => message.seq === seq)) return window
  return { ...window, messages: window.messages.map((message) => (message.seq === seq ? change(message) : message)) }
}

/** The messages around `seq` without a gap between them. */
function continuousPart(sorted: readonly ConversationMessage[], seq: number): ConversationMessage[] {
  const at = sorted.findIndex((message) => message.seq === seq)
  if (at < 0) return [...sorted]
  let [start, end] = [at, at]
  while (start > 0 && sorted[start - 1]?.seq === (sorted[start]?.seq ?? 0) - 1) start -= 1
  while (sorted[end + 1]?.seq === (sorted[end]?.seq ?? 0) + 1) end += 1
  return sorted.slice(start, end + 1)
}
