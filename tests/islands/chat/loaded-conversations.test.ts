import { expect, test } from 'vitest'
import type { Conversation } from '#islands/chat/chat-props.ts'
import {
  addConversations,
  removeConversation,
  replaceConversation,
  replaceFirstPage,
} from '#islands/chat/list/loaded-conversations.ts'

/** A conversation that was active at the minute. */
const active = (id: string, minute: number): Conversation => ({
  id,
  kind: 'team',
  title: id,
  context: null,
  lessonId: null,
  activeAt: `2031-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  lastSeq: 1,
  readSeq: 1,
  otherReadSeq: null,
  unread: 0,
  isMentioned: false,
  canPost: true,
  canPin: true,
  canMentionAll: true,
  canLeave: true,
  canAddParticipants: true,
  canBan: false,
  isArchived: false,
  firstSeq: 1,
  last: null,
})
const ids = (list: readonly Conversation[]) => list.map(({ id }) => id)

test('a page continues the list; what a message has moved to the top is listed once', () => {
  const first = [active('c', 30), active('b', 20)]
  const moved = replaceConversation(first, active('a', 40))
  expect(ids(moved)).toEqual(['a', 'c', 'b'])
  expect(ids(addConversations(moved, [active('a', 10), active('z', 5)]))).toEqual(['a', 'c', 'b', 'z'])
  expect(addConversations(moved, [active('a', 10)])[0]?.activeAt).toContain('10:40')
  expect(ids(removeConversation(moved, 'c'))).toEqual(['a', 'b'])
})

test('after a reconnection the first page is replaced and later pages stay', () => {
  const all = [active('c', 30), active('b', 20), active('a', 10)]
  expect(ids(replaceFirstPage(all, [active('d', 40), active('c', 30)], false))).toEqual(['d', 'c', 'b', 'a'])
  // The reader was removed from one of them.
  expect(ids(replaceFirstPage(all, [active('b', 20)], true))).toEqual(['b'])
  expect(replaceFirstPage(all, [], true)).toEqual([])
})
