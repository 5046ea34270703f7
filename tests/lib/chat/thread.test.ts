import { beforeEach, expect, test } from 'vitest'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { listThread } from '#lib/chat/message/thread.ts'
import { ListThread } from '#lib/chat/schema.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { parsed } from '../../setup/parsed/parsed.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let id: string
beforeEach(async () => {
  home = await createTestTenant()
  const { courseId } = await chatCourse(home)
  id = await start(home.as.CURATOR, { kind: 'course', courseId })
})

const code = (name: string) => expect.objectContaining({ code: name })
const thread = parsed(ListThread, listThread)

test('replies, also to replies, form the thread of the first message', async () => {
  const { STUDENT, CURATOR } = home.as
  await sendText(CURATOR, id, 'Запитання до всіх')
  await sendText(STUDENT, id, 'Про інше')
  await sendText(STUDENT, id, 'Відповідь', { replyTo: 1 })
  const nested = await sendText(CURATOR, id, 'Уточнення', { replyTo: 3 })
  expect(nested).toMatchObject({ threadSeq: 1, reply: { seq: 3 }, replyCount: 2 })
  for (const seq of [1, 3, 4]) {
    const { rootSeq, messages, next } = await thread(STUDENT, { conversationId: id, seq })
    expect([rootSeq, messages.map((message) => message.seq), next]).toEqual([1, [1, 3, 4], null])
  }
  const { messages } = await listMessages(STUDENT, { conversationId: id })
  // Every message of a thread has the number of its replies.
  expect(messages.map(({ replyCount }) => replyCount)).toEqual([2, 0, 2, 2])
  // A deleted reply keeps its place.
  await deleteChatMessage(STUDENT, { conversationId: id, seq: 3 })
  expect((await thread(STUDENT, { conversationId: id, seq: 1 })).messages).toHaveLength(3)
  expect((await thread(STUDENT, { conversationId: id, seq: 2 })).messages.map(({ seq }) => seq)).toEqual([2])
})

test('a long thread is read in pages', async () => {
  const { CURATOR } = home.as
  await sendText(CURATOR, id, 'Початок')
  for (let n = 0; n < 5; n += 1) await sendText(CURATOR, id, `Відповідь ${n}`, { replyTo: 1 })
  const first = await thread(CURATOR, { conversationId: id, seq: 1, limit: 4 })
  expect([first.messages.map(({ seq }) => seq), first.next]).toEqual([[1, 2, 3, 4], 4])
  const second = await thread(CURATOR, { conversationId: id, seq: 1, limit: 4, after: 4 })
  expect([second.messages.map(({ seq }) => seq), second.next]).toEqual([[5, 6], null])
})

test('a thread of a conversation that the reader does not see is not found', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  await sendText(STUDENT, direct, 'Особисте')
  const { as } = await createOtherTenant()
  for (const actor of [OWNER, as.OWNER])
    await expect(thread(actor, { conversationId: direct, seq: 1 })).rejects.toEqual(code('not_found'))
  await expect(thread(STUDENT, { conversationId: direct, seq: 9 })).rejects.toEqual(code('not_found'))
})
