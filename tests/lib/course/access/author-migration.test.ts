import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readJournal } from '#lib/core/db/journal.ts'
import { migrateTo } from '#lib/core/db/migrate.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'

const MIGRATION = '0028_authors-and-truncated-videos'
let client: pg.Client
let connectionString = ''

beforeAll(async () => {
  connectionString = await createDatabase(inject('cluster').socketDir, `authors_${process.pid}`)
  const journal = readJournal()
  await migrateTo({ connectionString }, journal[journal.findIndex(({ tag }) => tag === MIGRATION) - 1]?.when)
  client = new pg.Client({ connectionString })
  await client.connect()
})
afterAll(() => client.end())

interface Tenant {
  id: string
  owner: string
}

async function addTenant(name: string): Promise<Tenant> {
  const id = randomUUID()
  await client.query('insert into tenant (id, subdomain, name) values ($1, $2, $2)', [id, name])
  await client.query("select set_config('app.tenant_id', $1, false)", [id])
  return { id, owner: await addMember(id, 'OWNER') }
}

async function addMember(tenantId: string, role: string, blocked = false): Promise<string> {
  const [userId, id] = [randomUUID(), randomUUID()]
  const accountType = role === 'OWNER' ? 'ACCOUNT_TYPE_PRODUCT_OWNER' : 'ACCOUNT_TYPE_TEAM_MEMBER'
  await client.query('insert into "user" (id, email) values ($1, $2)', [userId, `${userId}@kafedra.test`])
  await client.query(
    `insert into membership (tenant_id, id, user_id, account_type, roles, status, blocked_at)
     values ($1, $2, $3, $4, array[$5], 'active', case when $6 then now() end)`,
    [tenantId, id, userId, accountType, role, blocked],
  )
  return id
}

/** A course whose lesson these members saved, in this order. */
async function addCourse(tenantId: string, editors: string[]): Promise<string> {
  const [course, module, lesson] = [randomUUID(), randomUUID(), randomUUID()]
  await client.query("insert into course (tenant_id, id, title, slug) values ($1, $2, 'Курс', $3)", [
    tenantId,
    course,
    course,
  ])
  await client.query(
    "insert into module (tenant_id, id, course_id, title, position) values ($1, $2, $3, 'Модуль', 1)",
    [tenantId, module, course],
  )
  await client.query(
    `insert into lesson (tenant_id, id, course_id, module_id, title, position, blocks)
     values ($1, $2, $3, $4, 'Урок', 1, '{}')`,
    [tenantId, lesson, course, module],
  )
  for (const [nth, by] of editors.entries())
    await client.query(
      `insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by, at)
       values ($1, $2, $3, 'auto', 'Урок', '{}', $4, now() + make_interval(mins => $3))`,
      [tenantId, lesson, nth + 1, by],
    )
  return course
}

async function expertsOf(tenantId: string): Promise<Record<string, string[]>> {
  await client.query("select set_config('app.tenant_id', $1, false)", [tenantId])
  const { rows } = await client.query<{ course_id: string; members: string[] }>(
    "select course_id, array_agg(member_id) as members from course_staff where role = 'expert' group by course_id",
  )
  return Object.fromEntries(rows.map(({ course_id, members }) => [course_id, members]))
}

test('gives a course of before its author as expert, in every tenant', async () => {
  const first = await addTenant('first')
  const [expert, second, blocked, curator] = [
    await addMember(first.id, 'EXPERT'),
    await addMember(first.id, 'DIRECTOR'),
    await addMember(first.id, 'EXPERT', true),
    await addMember(first.id, 'CURATOR'),
  ]
  const written = await addCourse(first.id, [blocked, curator, expert, second])
  const untouched = await addCourse(first.id, [])
  const staffed = await addCourse(first.id, [expert])
  await client.query("insert into course_staff values ($1, $2, $3, 'expert')", [first.id, staffed, second])
  const imported = await addCourse(first.id, [second])
  const file = randomUUID()
  await client.query("insert into file (tenant_id, id, name, owner_id) values ($1, $2, 'course.zip', $3)", [
    first.id,
    file,
    expert,
  ])
  await client.query(
    `insert into transfer (tenant_id, id, file_id, file_name, by, state, course_id, created_at)
     values ($1, gen_random_uuid(), $2, 'course.zip', $3, 'finished', $4, now() + interval '1 day')`,
    [first.id, file, expert, imported],
  )
  const other = await addTenant('other')
  const theirs = await addCourse(other.id, [])

  await migrateTo({ connectionString })

  expect(await expertsOf(first.id)).toEqual({
    [written]: [expert],
    [untouched]: [first.owner],
    [staffed]: [second],
    [imported]: [expert],
  })
  expect(await expertsOf(other.id)).toEqual({ [theirs]: [other.owner] })
})
