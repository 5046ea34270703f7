import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { pinChatMessage } from '#lib/chat/message/pin.ts'
import { reactToMessage } from '#lib/chat/message/reaction.ts'
import { deleteOldMessages } from '#lib/chat/retention/retention.ts'
import { UpdateChatSettings } from '#lib/chat/schema.ts'
import { getChatSettings, updateChatSettings } from '#lib/chat/settings.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { chatCourse, sendText, start } from '../../setup/chat/conversations.ts'
import { getConversation, listMessages } from '../../setup/chat/parsed-chat.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let course: string
beforeEach(async () => {
  home = await createTestTenant()
  course = await courseOf(home)
})

const code = (name: string) => expect.objectContaining({ code: name })
const NOW = new Date()
const save = (actor: Actor, input: Parameters<typeof UpdateChatSettings.parse>[0]) =>
  updateChatSettings(actor, UpdateChatSettings.parse(input))
const seqs = async (actor: Actor) =>
  (await listMessages(actor, { conversationId: course })).messages.map(({ seq }) => seq)

async function courseOf(tenant: TestTenant): Promise<string> {
  const { courseId } = await chatCourse(tenant)
  return start(tenant.as.CURATOR, { kind: 'course', courseId })
}

/** Dates a message some days back. */
const age = (conversationId: string, seq: number, days: number, actor = home.as.OWNER) =>
  inTenant(actor, (tx) =>
    tx.execute(sql`update chat_message set created_at = now() - make_interval(days => ${days})
      where tenant_id = current_tenant() and conversation_id = ${conversationId} and seq = ${seq}`),
  )
const rowsOf = async (query: string) => (await inTenant(home.as.OWNER, (tx) => tx.execute(query))).rows

test('messages that are older than the school keeps them are deleted with all that belongs to them', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  await sendText(STUDENT, course, 'Давнє запитання')
  await sendText(CURATOR, course, 'Давня відповідь', { replyTo: 1, mentions: [STUDENT.membershipId] })
  await sendText(STUDENT, course, 'Нове', { replyTo: 2 })
  await sendText(CURATOR, course, 'Найновіше')
  await reactToMessage(STUDENT, { conversationId: course, seq: 2, reaction: '👍', isSet: true })
  await pinChatMessage(CURATOR, { conversationId: course, seq: 1, isPinned: true })
  for (const seq of [1, 2]) await age(course, seq, 100)
  await save(OWNER, { retentionDays: '90' })
  expect(await deleteOldMessages(NOW)).toBe(2)
  expect(await deleteOldMessages(NOW)).toBe(0)
  expect(await seqs(STUDENT)).toEqual([3, 4])
  const { messages, firstSeq, lastSeq } = await listMessages(STUDENT, { conversationId: course })
  expect([messages[0]?.reply, firstSeq, lastSeq]).toEqual([null, 3, 4])
  expect(await rowsOf('select 1 from chat_reaction union all select 1 from chat_mention')).toEqual([])
  expect(await rowsOf("select 1 from chat_word where word like 'davn%'")).toEqual([])
  expect(await rowsOf("select after from audit_entry where action = 'chat.messages_deleted'")).toMatchObject([
    { after: { messages: 2 } },
  ])
  // The conversation continues with the next number.
  expect(await sendText(STUDENT, course, 'Далі')).toMatchObject({ seq: 5 })
  expect(await getConversation(CURATOR, { conversationId: course })).toMatchObject({ unread: 2, firstSeq: 3 })
})

test('a conversation can lose all its messages', async () => {
  const { STUDENT, OWNER } = home.as
  for (const body of ['Раз', 'Два']) await sendText(STUDENT, course, body)
  for (const seq of [1, 2]) await age(course, seq, 40)
  await save(OWNER, { retentionDays: 30 })
  expect(await deleteOldMessages(NOW)).toBe(2)
  expect(await getConversation(STUDENT, { conversationId: course })).toMatchObject({ last: null, unread: 0 })
  expect(await sendText(STUDENT, course, 'Три')).toMatchObject({ seq: 3 })
})

test('without a setting, and in other schools, messages stay', async () => {
  const other = await createOtherTenant()
  const theirs = await courseOf(other)
  await sendText(other.as.CURATOR, theirs, 'Давнє')
  await age(theirs, 1, 1000, other.as.OWNER)
  await sendText(home.as.CURATOR, course, 'Давнє')
  await age(course, 1, 1000)
  expect(await deleteOldMessages(NOW)).toBe(0)
  await save(home.as.OWNER, { retentionDays: 365 })
  expect(await deleteOldMessages(NOW)).toBe(1)
  expect((await listMessages(other.as.CURATOR, { conversationId: theirs })).messages).toHaveLength(1)
})

test('owners and directors set how long messages are kept', async () => {
  const { OWNER, DIRECTOR, CURATOR } = home.as
  expect(await getChatSettings(OWNER)).toEqual({ contactPolicy: 'assigned', retentionDays: null })
  await save(DIRECTOR, { contactPolicy: 'staff', retentionDays: '60' })
  expect(await save(OWNER, { contactPolicy: 'everyone' })).toEqual({ contactPolicy: 'everyone', retentionDays: 60 })
  expect(await save(OWNER, { retentionDays: '' })).toEqual({ contactPolicy: 'everyone', retentionDays: null })
  await expect(save(CURATOR, { retentionDays: 60 })).rejects.toEqual(code('forbidden'))
  for (const retentionDays of ['29', '3651', '60.5', 'abc'])
    expect([retentionDays, UpdateChatSettings.safeParse({ retentionDays }).success]).toEqual([retentionDays, false])
})
