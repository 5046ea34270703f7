import type pg from 'pg'
import { makeStudents } from '../schools.ts'

/** A school with a course conversation of many messages, and one of a hundred. */
export interface ChatSchool {
  subdomain: string
  ownerToken: string
  bigId: string
  smallId: string
}

const SMALL = 100

/**
 * Fills a school with messages in bulk. Each has eight words of a vocabulary of 20,000, the first ones far more often than
 * the last ones; every message has the word "усюди", one in a thousand "рідкісне".
 */
export async function makeChatSchool(client: pg.Client, subdomain: string, messages: number): Promise<ChatSchool> {
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, { subdomain, courses: 50, students: 500 })
  // The triggers of single messages are replaced by statements about all of them.
  await client.query("select set_config('app.restoring', 'on', true)")
  const { rows } = await client.query<{ id: string }>(CONVERSATIONS, [tenantId])
  const [bigId = '', smallId = ''] = rows.map(({ id }) => id)
  for (const [conversationId, count] of [
    [bigId, messages],
    [smallId, SMALL],
  ] as const) {
    await client.query(MESSAGES, [tenantId, conversationId, count])
    await client.query(WORDS, [tenantId, conversationId])
    await client.query('update chat_conversation set last_seq = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      conversationId,
      count,
    ])
  }
  await client.query(VOCABULARY, [tenantId])
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  // All tables, as autovacuum does: without statistics, members are searched by the school alone.
  await client.query('vacuum analyze')
  return { subdomain, ownerToken, bigId, smallId }
}

const OWNER = `(select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1)`

const CONVERSATIONS = `
  insert into chat_conversation (tenant_id, id, kind, subject_key, course_id, created_by)
  select $1::uuid, gen_random_uuid(), 'course', course.id::text, course.id, ${OWNER} from course where tenant_id = $1::uuid
  order by course.id limit 2 returning id`

const MESSAGES = `
  insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body, created_at)
  select $1::uuid, $2::uuid, n, gen_random_uuid(), ${OWNER},
    (select string_agg('слово' || floor(20000 * power(random(), 3))::int, ' ') from generate_series(1, 6)) || ' усюди'
      || case when n % 1000 = 7 then ' рідкісне' else '' end,
    now() - ($3::int - n) * interval '1 second'
  from generate_series(1, $3::int) n`

const WORDS = `
  insert into chat_word (tenant_id, word, sent_at, conversation_id, seq)
  select m.tenant_id, word, m.created_at, m.conversation_id, m.seq from chat_message m, unnest(words_of_message(m)) word
  where m.tenant_id = $1::uuid and m.conversation_id = $2::uuid`

const VOCABULARY = `
  insert into chat_vocabulary (tenant_id, word)
  select distinct tenant_id, word from chat_word where tenant_id = $1::uuid and position(':' in word) = 0`
