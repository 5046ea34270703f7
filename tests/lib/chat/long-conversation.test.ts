import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { reopenWaiting } from '#lib/chat/message/waiting.ts'
import { listUnreadMembers } from '#lib/chat/notify-members/audience.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Role } from '#lib/core/shared/role.ts'
import { chatCourse, sendText, start } from '../../setup/chat/conversations.ts'
import { getConversation, listConversations } from '../../setup/chat/parsed-chat.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const MESSAGES = 5000
/** Several times what the list, the conversation and its unread number need. */
const MOST_READS = 1000

let home: TestTenant
let conversationId: string
beforeAll(async () => {
  home = await createTestTenant()
  const { courseId } = await chatCourse(home)
  conversationId = await start(home.as.OWNER, { kind: 'course', courseId })
  await inTenant(home.as.OWNER, async (tx) => {
    await tx.execute(sql`select set_config('app.restoring', 'on', true)`)
    await tx.execute(sql`insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body)
      select current_tenant(), ${conversationId}, n, time_ordered_id(), ${home.as.STUDENT.membershipId}, 'Повідомлення ' || n
      from generate_series(1, ${MESSAGES}::int) n`)
    await tx.execute(sql`update chat_conversation set last_seq = ${MESSAGES} where id = ${conversationId}`)
    await tx.execute(sql`analyze chat_message`)
  })
})

const countReads = async (tx: Tx) => {
  const { rows } = await tx.execute<{ count: string }>(sql`
    select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'chat_message'`)
  return Number(rows[0]?.count)
}

test.each<Role>(['OWNER', 'CURATOR', 'STUDENT'])('the chat of the role %s reads few of many messages', async (role) => {
  const reads = await inTenant(home.as[role], async (tx) => {
    const before = await countReads(tx)
    const { items } = await listConversations(home.as[role], {})
    expect(items.map(({ id }) => id)).toEqual([conversationId])
    await getConversation(home.as[role], { conversationId })
    return (await countReads(tx)) - before
  })
  expect(reads).toBeLessThan(MOST_READS)
})

test('finding the members who have not read the last message reads few of many messages', async () => {
  const { members, reads } = await inTenant(home.as.OWNER, async (tx) => {
    const before = await countReads(tx)
    const members = await listUnreadMembers(tx, { conversationId, fromSeq: MESSAGES })
    return { members, reads: (await countReads(tx)) - before }
  })
  const ids = members.map(({ memberId }) => memberId)
  expect(ids).toContain(home.as.CURATOR.membershipId)
  expect(ids).not.toContain(home.as.STUDENT.membershipId)
  expect(reads).toBeLessThan(MOST_READS)
})

test('finding out whether a conversation waits for an answer reads few of many messages', async () => {
  await sendText(home.as.CURATOR, conversationId, 'Відповідь')
  const reads = await inTenant(home.as.CURATOR, async (tx) => {
    const before = await countReads(tx)
    await reopenWaiting(tx, conversationId)
    return (await countReads(tx)) - before
  })
  expect(reads).toBeLessThan(MOST_READS)
})
