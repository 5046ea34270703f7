import { expect, test } from 'vitest'
import { chatCardSection } from '#lib/chat/erasure.ts'
import { editChatMessage } from '#lib/chat/message/change.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { chatCourse, sendText, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { createTestTenant } from '../../setup/tenants.ts'

test('the texts of an erased student are removed, with earlier versions, and answers of others remain', async () => {
  const home = await createTestTenant()
  await chatCourse(home)
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  const question = await sendText(STUDENT, id, 'Мій телефон 050 000 00 00')
  await editChatMessage(STUDENT, { conversationId: id, seq: question.seq, body: 'Мій телефон інший' })
  await sendText(CURATOR, id, 'Дякую')
  const person = { studentId: STUDENT.membershipId, email: STUDENT.email }
  await inTenant(home.as.OWNER, async (tx) => {
    await chatCardSection.erase?.(tx, person)
    await chatCardSection.erase?.(tx, person)
  })
  const { messages } = await listMessages(CURATOR, { conversationId: id })
  expect(messages.map(({ seq, body }) => [seq, body])).toEqual([
    [1, ''],
    [2, 'Дякую'],
  ])
  const { rows } = await inTenant(home.as.OWNER, (tx) => tx.execute('select 1 from chat_message_edit'))
  expect(rows).toEqual([])
})
