import { expect, test, vi } from 'vitest'
import type { ConversationMessage } from '#islands/chat/chat-props.ts'
import { type ConversationEvent, createConversationStore } from '#islands/chat/conversation-store.ts'
import { CallError } from '#islands/stores/call-error.ts'

const CONVERSATION = 'c'
const messageOf = (seq: number): ConversationMessage => ({
  seq,
  id: `m${seq}`,
  authorId: 'other',
  author: 'Олена',
  isStaff: true,
  body: `Повідомлення ${seq}`,
  threadSeq: null,
  replyCount: 0,
  reply: null,
  mentions: [],
  mentionsAll: false,
  forwardedFrom: null,
  isPinned: false,
  attachment: 'none',
  files: [],
  reactions: [],
  ownReactions: [],
  createdAt: '2031-05-01T10:00:00.000Z',
  editedAt: null,
  deletedAt: null,
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => messageOf(from + index))

test('a busy conversation keeps a bounded, continuous part of its messages, and continues at its end', async () => {
  let send: (event: ConversationEvent) => void = () => undefined
  let last = 50
  const store = createConversationStore(
    {
      conversationId: CONVERSATION,
      memberId: 'me',
      window: { messages: range(1, last), lastSeq: last },
      otherReadSeq: null,
      readSeq: 0,
    },
    {
      listMessages: ({ after = 0 }) =>
        Promise.resolve({ messages: range(after + 1, Math.min(after + 50, last)), lastSeq: last }),
      markRead: () => Promise.resolve(),
      subscribe(_channel, handle) {
        send = handle
        return () => undefined
      },
    },
  )
  store.connect()
  for (let seq = last + 1; seq <= 1000; seq += 1) {
    last = seq
    send({ type: 'message', message: messageOf(seq) })
  }
  const { messages, lastSeq } = store.$window.get()
  expect([messages.length, messages.at(-1)?.seq, lastSeq]).toEqual([600, 600, 1000])
  while ((store.$window.get().messages.at(-1)?.seq ?? 0) < 1000) await store.loadNewer()
  const seqs = store.$window.get().messages.map(({ seq }) => seq)
  expect(seqs).toEqual(range(701, 1000).map(({ seq }) => seq))
})

test('a reader at the end gets what was missed while requests failed, without a further message', async () => {
  vi.useFakeTimers()
  let handle: (event: ConversationEvent) => void = () => undefined
  let isReachable = false
  const requestedAfter: (number | undefined)[] = []
  const store = createConversationStore(
    {
      conversationId: CONVERSATION,
      memberId: 'me',
      window: { messages: range(1, 5), lastSeq: 5 },
      otherReadSeq: null,
      readSeq: 0,
    },
    {
      listMessages({ after }) {
        requestedAfter.push(after)
        if (!isReachable) return Promise.reject(new CallError('unauthorized', 401, ''))
        return Promise.resolve({ messages: range((after ?? 0) + 1, 8), lastSeq: 8 })
      },
      markRead: () => Promise.resolve(),
      subscribe(_channel, onEvent) {
        handle = onEvent
        return () => undefined
      },
    },
  )
  const disconnect = store.connect()
  await vi.advanceTimersByTimeAsync(0)
  // The messages 6 and 7 were published before the stream began.
  handle({ type: 'message', message: messageOf(8) })
  await vi.advanceTimersByTimeAsync(0)
  expect(store.$window.get()).toMatchObject({ lastSeq: 8, messages: range(1, 5) })
  isReachable = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(store.$window.get().messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  // Nothing is requested any more.
  const requests = requestedAfter.length
  await vi.advanceTimersByTimeAsync(600_000)
  expect(requestedAfter).toHaveLength(requests)
  disconnect()
  vi.useRealTimers()
})

test('what is missed while a page is being loaded is loaded by the next request', async () => {
  let reload: () => void = () => undefined
  const pages: PromiseWithResolvers<{ messages: ConversationMessage[]; lastSeq: number }>[] = []
  const store = createConversationStore(
    {
      conversationId: CONVERSATION,
      memberId: 'me',
      window: { messages: range(1, 5), lastSeq: 5 },
      otherReadSeq: null,
      readSeq: 0,
    },
    {
      listMessages() {
        pages.push(Promise.withResolvers())
        return pages.at(-1)?.promise ?? Promise.reject(new Error('there is no page'))
      },
      markRead: () => Promise.resolve(),
      subscribe(_channel, _handle, onReset) {
        reload = onReset
        return () => undefined
      },
    },
  )
  store.connect()
  await vi.waitFor(() => expect(pages).toHaveLength(1))
  reload()
  pages[0]?.resolve({ messages: [], lastSeq: 5 })
  await vi.waitFor(() => expect(pages).toHaveLength(2))
  pages[1]?.resolve({ messages: range(6, 7), lastSeq: 7 })
  await vi.waitFor(() => expect(store.$window.get().messages).toHaveLength(7))
})
