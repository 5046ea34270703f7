import { expect, test } from 'vitest'
import type { ConversationMessage } from '#islands/chat/chat-props.ts'
import { type ConversationEvent, createConversationStore } from '#islands/chat/conversation-store.ts'

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
