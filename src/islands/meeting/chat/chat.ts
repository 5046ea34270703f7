import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { ChatMessageKind, ChatMessageView } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { $me, $room, $state, onEvents, roomApi } from '../room.ts'
import { createChatOutboxStorage, type OutgoingMessage } from './chat-drafts.ts'
import { applyReaction, type ChatListReader, type ChatLists, foldChat, mergeMessages, NO_CHAT } from './chat-list.ts'

export type ChatTab = 'chat' | 'questions' | 'people' | 'materials' | 'queue'

export const $chat = atom<ChatLists>(NO_CHAT)
/** Own messages that are not yet confirmed. */
export const $outgoingMessages = atom<readonly OutboxItem<OutgoingMessage>[]>([])
/** Cursor of the next older page; null when there is none. */
export const $olderCursor = atom<string | null>(null)
export const $chatTab = atom<ChatTab>('chat')
/** Number of unread entries by tab. */
export const $unread = atom<Record<'chat' | 'questions' | 'queue', number>>({ chat: 0, questions: 0, queue: 0 })
/** When slow mode permits the next message, in milliseconds of the server's clock. */
export const $slowModeUntil = atom(0)

let outbox: Outbox<OutgoingMessage> | null = null

/** Joins the chat of a room. Returns a function that leaves it. */
export function joinChat(view: RoomView): () => void {
  const reader: ChatListReader = { personId: view.me.personId, isStaff: isStaff(view.me.role) }
  applyView(view, reader)
  $outgoingMessages.set([])
  outbox = createOutbox({
    storage: createChatOutboxStorage(view.sessionId),
    send: (message, messageId) => deliverMessage({ ...message, messageId }, reader),
    // A message is not lost: its author edits it, sends it again or discards it.
    onFailed: () => 'keep',
    onChange: (messages) => $outgoingMessages.set(messages),
    waitsForSignIn: false,
  })
  const cleanups = [
    onEvents((events) => applyEvents(events, reader)),
    $room.listen((fresh) => fresh && applyView(fresh, reader)),
  ]
  if (reader.isStaff) void loadWaiting()
  return () => {
    for (const end of cleanups) end()
    outbox?.close()
    outbox = null
  }
}

/** Queues a message. It is shown at once and sent as soon as possible. */
export function queueChatMessage(kind: ChatMessageKind, text: string, replyTo: string | null = null): void {
  outbox?.add({ kind, text, replyTo }, crypto.randomUUID())
}

export const retryChatMessage = (messageId: string): void => outbox?.retry(messageId)
export const discardChatMessage = (messageId: string): OutgoingMessage | undefined =>
  outbox?.discard(messageId)?.payload

/** Loads the page before the oldest loaded message. */
export async function loadOlder(): Promise<void> {
  const cursor = $olderCursor.get()
  if (cursor === null) return
  const { messages, next } = await roomApi.listMessages({ kind: 'message', cursor })
  $olderCursor.set(next)
  const lists = $chat.get()
  $chat.set({ ...lists, message: mergeMessages(lists.message, messages) })
}

/** Loads the questions with the most votes and the newest ones. */
async function loadQuestions(): Promise<void> {
  const pages = await Promise.all([
    roomApi.listMessages({ kind: 'question', sort: 'top' }),
    roomApi.listMessages({ kind: 'question', sort: 'new' }),
  ])
  const lists = $chat.get()
  const questions = pages.flatMap(({ messages }) => messages)
  $chat.set({ ...lists, question: mergeMessages(lists.question, questions) })
}

/** Adds or removes an own reaction. It is shown at once and reverted when the server refuses it. */
export async function toggleReaction(
  message: ChatMessageView,
  emoji: Parameters<typeof roomApi.react>[0]['emoji'],
): Promise<void> {
  const on = !message.ownReactions.includes(emoji)
  changeRoomMessage(message, (current) => applyReaction(current, emoji, on, true))
  try {
    await roomApi.react({ messageId: message.messageId, emoji, on })
  } catch (error) {
    changeRoomMessage(message, (current) => applyReaction(current, emoji, !on, true))
    throw error
  }
}

export function openTab(tab: ChatTab): void {
  $chatTab.set(tab)
  if (tab in $unread.get()) $unread.set({ ...$unread.get(), [tab]: 0 })
  if (tab === 'questions') void loadQuestions().catch(() => {})
}

async function loadWaiting(): Promise<void> {
  const { messages } = await roomApi.listMessages({ state: 'waiting' })
  const lists = $chat.get()
  $chat.set({ ...lists, waiting: mergeMessages(lists.waiting, messages) })
  $unread.set({ ...$unread.get(), queue: messages.length })
}

function applyView({ messages, olderMessages }: RoomView, { isStaff, personId }: ChatListReader): void {
  const lists = $chat.get()
  const visible = messages.filter((message) => message.state !== 'waiting' || !isStaff || message.authorId === personId)
  const fresh = visible.filter(({ kind }) => kind === 'message')
  const oldest = fresh[0]?.seq ?? 0
  // After a long absence messages are missing before the newest page: older pages are loaded again.
  const hasGap = lists.message.length > 0 && (lists.message.at(-1)?.seq ?? 0) < oldest && messages.length > 0
  $chat.set({
    ...lists,
    message: hasGap ? fresh : mergeMessages(lists.message, fresh),
    question: mergeMessages(
      lists.question,
      visible.filter(({ kind }) => kind === 'question'),
    ),
  })
  if (hasGap || lists.message.length === 0) $olderCursor.set(olderMessages)
}

function applyEvents(events: readonly RoomEvent[], reader: ChatListReader): void {
  const before = $chat.get()
  const after = events.reduce((lists, event) => foldChat(lists, event, reader), before)
  if (after === before) return
  $chat.set(after)
  const tab = $chatTab.get()
  const added = {
    chat: countNewMessages(before, after, 'message', reader),
    questions: countNewMessages(before, after, 'question', reader),
  }
  const unread = $unread.get()
  $unread.set({
    chat: tab === 'chat' && isSeen() ? 0 : unread.chat + added.chat,
    questions: tab === 'questions' && isSeen() ? 0 : unread.questions + added.questions,
    queue: after.waiting.length,
  })
}

function countNewMessages(
  before: ChatLists,
  after: ChatLists,
  kind: ChatMessageKind,
  { personId }: ChatListReader,
): number {
  if (before[kind] === after[kind]) return 0
  const known = new Set(before[kind].map(({ messageId }) => messageId))
  return after[kind].filter((message) => !known.has(message.messageId) && message.authorId !== personId).length
}

const isSeen = (): boolean => !document.querySelector('.room[data-panel="closed"]')

function changeRoomMessage(message: ChatMessageView, update: (message: ChatMessageView) => ChatMessageView): void {
  const lists = $chat.get()
  const list = lists[message.kind].map((listed) => (listed.messageId === message.messageId ? update(listed) : listed))
  $chat.set({ ...lists, [message.kind]: list })
}

async function deliverMessage(
  outgoing: OutgoingMessage & { messageId: string },
  reader: ChatListReader,
): Promise<void> {
  const { messageId, kind, text, replyTo } = outgoing
  const me = $me.get()
  const room = $room.get()
  if (!me || !room) throw new CallError('unreachable', 0, '')
  const input = { seatToken: room.seatToken, messageId, kind, text, replyTo }
  const sent = await api.meeting.sendMessage(input, { context: { isQuiet: true } })
  const lists = $chat.get()
  const original = replyTo ? lists[kind].find((message) => message.messageId === replyTo) : undefined
  const view: ChatMessageView = {
    ...sent,
    kind,
    authorId: reader.personId,
    name: me.name,
    role: me.role,
    text,
    replyTo,
    reply: original ? { name: original.name, text: original.text.slice(0, 160) } : null,
    reactions: {},
    ownReactions: [],
    answer: null,
  }
  const known = lists[kind].some((message) => message.messageId === messageId)
  if (!known) $chat.set({ ...lists, [kind]: mergeMessages(lists[kind], [view]) })
  const { slowModeSeconds } = ($state.get() ?? room.state).chat
  if (slowModeSeconds > 0) $slowModeUntil.set(sent.at + slowModeSeconds * 1000)
}
