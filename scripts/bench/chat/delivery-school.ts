import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { makeStudents } from '../schools.ts'

export interface DeliverySchool {
  conversationId: string
  /** Login tokens of students with access to the course of the conversation. */
  tokens: string[]
}

/** A school with a conversation of a course that all students can read. */
export async function makeDeliverySchool(
  client: pg.Client,
  subdomain: string,
  members: number,
): Promise<DeliverySchool> {
  await client.query('begin')
  const { tenantId } = await makeStudents(client, {
    subdomain,
    courses: 3,
    // Each has access to two of three courses.
    students: Math.ceil(members * 1.5) + 3,
  })
  const { rows } = await client.query<{ id: string }>(CONVERSATION, [tenantId])
  const { rows: students } = await client.query<{ user_id: string }>(STUDENTS_OF_SCHOOL, [tenantId, members])
  const tokens = students.map(() => randomBytes(32).toString('base64url'))
  await client.query(SESSIONS, [
    tokens.map((token) => createHash('sha256').update(token).digest()),
    students.map((student) => student.user_id),
  ])
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  await client.query('analyze')
  return { conversationId: rows[0]?.id ?? '', tokens }
}

const CONVERSATION = `
  insert into chat_conversation (tenant_id, id, kind, subject_key, course_id, created_by)
  select $1::uuid, gen_random_uuid(), 'course', course.id::text, course.id,
    (select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1)
  from course where tenant_id = $1::uuid order by course.id limit 1 returning id`

const STUDENTS_OF_SCHOOL = `
  select m.user_id from membership m join access_grant g on g.tenant_id = m.tenant_id and g.student_id = m.id
    and g.course_id = (select c.course_id from chat_conversation c where c.tenant_id = $1::uuid limit 1)
  where m.tenant_id = $1::uuid order by m.id limit $2`

const SESSIONS = `
  insert into session (token_hash, id, user_id, expires_at, ip, user_agent)
  select t.hash, time_ordered_id(), t.user_id, now() + interval '7 days', '127.0.0.1', 'bench'
  from unnest($1::bytea[], $2::uuid[]) t(hash, user_id)`
