import type pg from 'pg'
import { makeStudents } from '../schools.ts'

/**
 * Gives a member conversations of the team with a message each, in the transaction of the caller, who has chosen the tenant
 * and sets app.restoring. They are named by number; the first one is active the longest ago.
 */
export async function makeConversations(
  client: Pick<pg.Client, 'query'>,
  { tenantId, memberId, count }: { tenantId: string; memberId: string; count: number },
): Promise<void> {
  await client.query(CONVERSATIONS, [tenantId, memberId, count])
  await client.query(MEMBERS, [tenantId, memberId])
  await client.query(MESSAGES, [tenantId, memberId])
}

const CONVERSATIONS = `
  insert into chat_conversation (tenant_id, id, kind, subject_key, title, created_by, created_at, active_at, last_seq)
  select $1::uuid, id, 'team', 'many ' || id, 'Розмова ' || n, $2::uuid, at, at, 1
  from (select n, time_ordered_id() as id, timestamptz '2025-01-01' + n * interval '1 minute' as at
    from generate_series(1, $3::int) n) made`

const MEMBERS = `
  insert into chat_member (tenant_id, conversation_id, member_id, is_participant)
  select c.tenant_id, c.id, $2::uuid, true from chat_conversation c where c.tenant_id = $1::uuid and c.subject_key like 'many %'`

const MESSAGES = `
  insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body, created_at)
  select c.tenant_id, c.id, 1, time_ordered_id(), $2::uuid, 'Перше повідомлення', c.active_at
  from chat_conversation c where c.tenant_id = $1::uuid and c.subject_key like 'many %'`

/** A school whose owner has this number of conversations. */
export async function makeSchoolWithConversations(
  client: pg.Client,
  subdomain: string,
  count: number,
): Promise<{ subdomain: string; ownerToken: string }> {
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, { subdomain, courses: 3, students: 3 })
  const { rows } = await client.query<{ id: string }>(
    "select id from membership where tenant_id = $1 and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER'",
    [tenantId],
  )
  await makeConversations(client, { tenantId, memberId: rows[0]?.id ?? '', count })
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  await client.query('vacuum analyze chat_message, chat_member, chat_conversation')
  return { subdomain, ownerToken }
}
