import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

async function courseConversation(home: TestTenant): Promise<string> {
  const { courseId } = await chatCourse(home)
  return start(home.as.CURATOR, { kind: 'course', courseId })
}

/** Transactions that have written the messages of a conversation: rows of one transaction have the same `xmin`. */
async function countTransactions(home: TestTenant, conversationId: string): Promise<number> {
  return inTenant(home.as.OWNER, async (tx) => {
    const { rows } = await tx.execute<{ count: number }>(sql`select count(distinct xmin::text)::int as count
      from chat_message where tenant_id = current_tenant() and conversation_id = ${conversationId}`)
    return rows[0]?.count ?? 0
  })
}

test('messages that arrive together get consecutive numbers in few transactions, each with its own author', async () => {
  const home = await createTestTenant()
  const { CURATOR, STUDENT } = home.as
  const id = await courseConversation(home)
  const first = await sendText(CURATOR, id, 'Питайте')
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      sendText(index % 2 ? CURATOR : STUDENT, id, `Повідомлення ${index}`, index === 3 ? { replyTo: first.seq } : {}),
    ),
  )
  expect(sent.map(({ body }) => body)).toEqual(sent.map((_, index) => `Повідомлення ${index}`))
  for (const [index, { authorId, reply }] of sent.entries()) {
    expect(authorId).toBe((index % 2 ? CURATOR : STUDENT).membershipId)
    expect(reply?.body ?? null).toBe(index === 3 ? 'Питайте' : null)
  }
  expect(sent.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(sent.map((_, index) => index + 2))
  const { messages } = await listMessages(STUDENT, { conversationId: id, limit: 50 })
  expect(messages.slice(1)).toEqual(
    sent
      .toSorted((a, b) => a.seq - b.seq)
      .map((message) => expect.objectContaining({ id: message.id, seq: message.seq })),
  )
  expect(await countTransactions(home, id)).toBeLessThan(12)
})

test('a refused message does not prevent those that arrive with it', async () => {
  const home = await createTestTenant()
  const { CURATOR, STUDENT } = home.as
  const id = await courseConversation(home)
  const stranger = await addTestMember(home, 'STUDENT', 'stranger@school.test')
  // An id that a message of another conversation has.
  const elsewhere = await sendText(CURATOR, await startDirect(CURATOR, STUDENT), 'Інша розмова')
  const outcomes = await Promise.allSettled([
    sendText(STUDENT, id, 'Перше'),
    sendText(stranger, id, 'Чуже'),
    sendText(CURATOR, id, 'Зайняте', { messageId: elsewhere.id }),
    sendText(CURATOR, id, 'Без файлу', { fileIds: [newId()] }),
    sendText(CURATOR, id, 'Друге'),
  ])
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'sent'))).toEqual([
    'sent',
    'not_found',
    'conflict',
    'unprocessable',
    'sent',
  ])
  const { messages, lastSeq } = await listMessages(STUDENT, { conversationId: id, limit: 50 })
  expect(messages.map(({ body }) => body).toSorted()).toEqual(['Друге', 'Перше'])
  expect(lastSeq).toBe(2)
})

test('a message that is sent again while it is written is the same message', async () => {
  const home = await createTestTenant()
  const { STUDENT } = home.as
  const id = await courseConversation(home)
  const messageId = newId()
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendText(STUDENT, id, 'Один раз', { messageId })))
  expect(new Set(sent.map(({ seq }) => seq))).toEqual(new Set([1]))
  expect((await listMessages(STUDENT, { conversationId: id, limit: 50 })).messages).toHaveLength(1)
})
