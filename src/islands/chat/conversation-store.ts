import { atom, type ReadableAtom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import type { MessageReaction } from '#lib/chat/schema.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import { type ConversationMessage, QUIET_CALL } from './chat-props.ts'
import {
  addMessages,
  applyMessageReaction,
  firstSeq,
  hasNewer,
  hasOlder,
  isWindowFull,
  latestSeq,
  type MessageWindow,
  replaceMessage,
} from './message-window.ts'

/** Events of the channel of a conversation, as they arrive. */
export type ConversationEvent =
  | { type: 'message'; message: ConversationMessage }
  | { type: 'changed'; message: ConversationMessage }
  | { type: 'read'; memberId: string; seq: number }
  | { type: 'typing'; memberId: string }
  | { type: 'online'; memberId: string }
  | { type: 'reaction'; seq: number; memberId: string; reaction: MessageReaction; isSet: boolean; count: number }

interface ConversationStore {
  $window: ReadableAtom<MessageWindow>
  /** The pinned messages, the latest pinned first. */
  $pinned: ReadableAtom<readonly ConversationMessage[]>
  /** The other participant of a direct conversation has read up to this message. */
  $otherReadSeq: ReadableAtom<number | null>
  /** What the other participant of a direct conversation has just done. */
  $activity: ReadableAtom<ChatActivity | null>
  /** The open thread. */
  $thread: ReadableAtom<OpenThread | null>
  /** Opens the thread of a message. */
  openThread(seq: number): Promise<void>
  loadThread(): Promise<void>
  closeThread(): void
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** Shows the messages around a sequence number, or the latest ones. */
  jumpTo(seq: number | null): Promise<void>
  add(message: ConversationMessage): void
  replace(message: ConversationMessage): void
  markRead(seq: number): void
  /** Shows an own reaction that the server has stored. */
  react(seq: number, reaction: MessageReaction, isSet: boolean): void
}

export interface ChatActivity {
  type: 'typing' | 'online' | 'sent'
  /** By the clock of this device, in milliseconds. */
  at: number
}

/** The message that began a thread, with its replies. */
export interface OpenThread {
  rootSeq: number
  messages: readonly ConversationMessage[]
  /** More messages follow after this sequence number. */
  next: number | null
}

/** How a store reaches the server. */
interface ConversationTransport {
  listMessages(
    input: ListMessagesInput,
  ): Promise<{ messages: ConversationMessage[]; firstSeq?: number; lastSeq: number }>
  listThread?(input: { conversationId: string; seq: number; after: number }): Promise<OpenThread>
  markRead(input: { conversationId: string; seq: number }): Promise<unknown>
  subscribe(channel: string, handle: (event: ConversationEvent) => void, reload: () => void): () => void
}

interface ListMessagesInput {
  conversationId: string
  before?: number
  after?: number
  around?: number
}

const TRANSPORT: ConversationTransport = {
  listMessages: (input) => api.chat.listMessages(input, QUIET_CALL),
  listThread: (input) => api.chat.listThread(input, QUIET_CALL),
  markRead: (input) => api.chat.markRead(input, QUIET_CALL),
  subscribe: (channel, handle, reload) => subscribe<ConversationEvent>(channel, handle, reload),
}

interface Options {
  conversationId: string
  memberId: string
  window: MessageWindow
  pinned?: readonly ConversationMessage[]
  otherReadSeq: number | null
  readSeq: number
  thread?: OpenThread | null
}

const READ_DELAY_MS = 400
const RETRY = { firstMs: 1000, maxMs: 30_000, jitter: 0.25 }

/** The messages of an open conversation. Nothing is requested before `connect`, which returns a function that ends it. */
export function createConversationStore(
  options: Options,
  transport = TRANSPORT,
): ConversationStore & { connect(): () => void } {
  const { conversationId, memberId } = options
  const $window = atom(options.window)
  const $pinned = atom<readonly ConversationMessage[]>(options.pinned ?? [])
  const $otherReadSeq = atom(options.otherReadSeq)
  const $activity = atom<ChatActivity | null>(null)
  const $thread = atom<OpenThread | null>(options.thread ?? null)
  let readSeq = options.readSeq
  let readTimer: ReturnType<typeof setTimeout> | undefined
  let loading: Promise<void> | null = null
  // The reader was at the end, and the window lacks messages that could not be loaded yet.
  let isBehind = false
  let isCatchingUp = false
  // A page that is being loaded may lack the latest messages.
  let isOutdated = false
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isConnected = false

  const loadRange = (range: { before?: number; after?: number }, trim: 'older' | 'newer'): Promise<void> => {
    loading ??= transport
      .listMessages({ conversationId, ...range })
      .then(({ messages, lastSeq }) => {
        const window = addMessages($window.get(), messages, trim)
        $window.set({ ...window, lastSeq: Math.max(lastSeq, window.lastSeq) })
      })
      .finally(() => {
        loading = null
      })
    return loading
  }
  const loadNewer = () => (hasNewer($window.get()) ? loadRange({ after: latestSeq($window.get()) }, 'older') : done)
  const done = Promise.resolve()

  // The stream may have missed messages: the window of a reader at its end is continued from the last one that it has.
  const catchUp = async () => {
    isBehind = true
    isOutdated = true
    if (isCatchingUp) return
    isCatchingUp = true
    clearTimeout(retryTimer)
    try {
      // A request that was sent before cannot contain what was missed.
      await loading?.catch(() => undefined)
      do {
        isOutdated = false
        await loadRange({ after: latestSeq($window.get()) }, 'older')
      } while (isBehind && (isOutdated || hasNewer($window.get())))
      stopCatchingUp()
    } catch (error) {
      failures += 1
      const failure = CallError.from(error)
      // After a new sign-in it can succeed.
      if (isConnected && (failure.status === 401 || failure.mayRetry(failures)))
        retryTimer = setTimeout(() => isBehind && void catchUp(), backoffMs(failures, RETRY))
    } finally {
      isCatchingUp = false
    }
  }
  const stopCatchingUp = () => {
    isBehind = false
    failures = 0
    clearTimeout(retryTimer)
  }
  const changeThread = (change: (messages: readonly ConversationMessage[]) => readonly ConversationMessage[]) => {
    const thread = $thread.get()
    if (thread) $thread.set({ ...thread, messages: change(thread.messages) })
  }
  const addToThread = (message: ConversationMessage) => {
    const thread = $thread.get()
    // Later pages of a long thread contain the message.
    if (!thread || thread.rootSeq !== message.threadSeq || thread.next !== null) return
    changeThread((all) => (all.some(({ seq }) => seq === message.seq) ? all : [...all, message]))
  }
  const loadThread = async (seq: number, after: number, before: readonly ConversationMessage[]) => {
    const thread = await transport.listThread?.({ conversationId, seq, after })
    if (thread) $thread.set({ ...thread, messages: [...before, ...thread.messages] })
  }
  const add = (message: ConversationMessage) => {
    addToThread(message)
    if (message.authorId !== memberId) $activity.set({ type: 'sent', at: Date.now() })
    const before = $window.get()
    const wasAtEnd = !hasNewer(before)
    const isNext = message.seq <= latestSeq(before) + 1
    const isAdded = isNext && !isWindowFull(before)
    $window.set(
      isAdded ? addMessages(before, [message]) : { ...before, lastSeq: Math.max(before.lastSeq, message.seq) },
    )
    // A full window is continued by a reader at its end.
    if (!isNext && wasAtEnd) void catchUp()
  }
  const replace = (message: ConversationMessage) => {
    $window.set(replaceMessage($window.get(), message))
    changeThread((all) => replaceMessage({ messages: all, lastSeq: 0 }, message).messages)
    const others = $pinned.get().filter(({ seq }) => seq !== message.seq)
    const isKnown = others.length < $pinned.get().length
    if (message.isPinned && isKnown) $pinned.set($pinned.get().map((old) => (old.seq === message.seq ? message : old)))
    else if (message.isPinned || isKnown) $pinned.set(message.isPinned ? [message, ...others] : others)
  }
  const applyReaction = (change: Parameters<typeof applyMessageReaction>[1]) => {
    $window.set(applyMessageReaction($window.get(), change))
    changeThread((all) => applyMessageReaction({ messages: all, lastSeq: 0 }, change).messages)
  }
  const handle = (event: ConversationEvent) => {
    if (event.type === 'message') add(event.message)
    else if (event.type === 'changed') replace(event.message)
    else if (event.type === 'reaction') applyReaction({ ...event, isOwn: event.memberId === memberId })
    else if (event.type === 'typing' || event.type === 'online') {
      if (event.memberId !== memberId) $activity.set({ type: event.type, at: Date.now() })
    } else if (event.memberId === memberId) readSeq = Math.max(readSeq, event.seq)
    else $otherReadSeq.set(Math.max($otherReadSeq.get() ?? 0, event.seq))
  }
  const reload = () => {
    if (isBehind || !hasNewer($window.get())) void catchUp()
  }

  return {
    $window,
    $pinned,
    $otherReadSeq,
    add,
    replace,
    $activity,
    $thread,
    openThread: (seq) => loadThread(seq, 0, []),
    async loadThread() {
      const thread = $thread.get()
      const last = thread?.messages.at(-1)
      if (thread?.next && last) await loadThread(last.seq, thread.next, thread.messages)
    },
    closeThread: () => $thread.set(null),
    react: (seq, reaction, isSet) => applyReaction({ seq, reaction, isSet, count: null, isOwn: true }),
    async loadOlder() {
      if (!hasOlder($window.get())) return
      const latest = latestSeq($window.get())
      await loadRange({ before: firstSeq($window.get()) }, 'newer')
      // The reader has left the end.
      if (latestSeq($window.get()) < latest) stopCatchingUp()
    },
    loadNewer,
    async jumpTo(seq) {
      stopCatchingUp()
      const range = seq === null ? {} : { around: seq }
      const { messages, firstSeq: oldestSeq = 1, lastSeq } = await transport.listMessages({ conversationId, ...range })
      $window.set({ messages, lastSeq, oldestSeq })
    },
    markRead(seq) {
      if (seq <= readSeq) return
      readSeq = seq
      clearTimeout(readTimer)
      const send = () => void transport.markRead({ conversationId, seq: readSeq }).catch(() => undefined)
      readTimer = setTimeout(send, READ_DELAY_MS)
    },
    connect() {
      isConnected = true
      const end = transport.subscribe(`conversation:${conversationId}`, handle, reload)
      // The page may have been rendered, or shown from the cache of the router, some time ago.
      reload()
      return () => {
        isConnected = false
        stopCatchingUp()
        end()
      }
    },
  }
}
