import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readJournal } from '#lib/core/db/journal.ts'
import { migrateTo } from '#lib/core/db/migrate.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'

let client: pg.Client
let connection: pg.ClientConfig
const tenants = [randomUUID(), randomUUID()]
const sessionId = randomUUID()

const enter = (tenantId: string) => client.query("select set_config('app.tenant_id', $1, false)", [tenantId])

/** Rows of a database before the migration `0019_descriptive_names`; what they would refer to is left out. */
beforeAll(async () => {
  connection = { connectionString: await createDatabase(inject('cluster').socketDir, `renamed_${process.pid}`) }
  await migrateTo(connection, readJournal().find(({ tag }) => tag.startsWith('0018'))?.when)
  client = new pg.Client(connection)
  await client.connect()
  for (const [table, foreignKey] of [
    ['masterclass', 'masterclass_workshop'],
    ['auto_plan', 'auto_plan_workshop'],
    ['session_rollup', 'session_rollup_session'],
  ])
    await client.query(`alter table ${table} drop constraint ${foreignKey}`)
  for (const tenantId of tenants) {
    await client.query('insert into tenant (id, subdomain, name) values ($1::uuid, $1::text, $1::text)', [tenantId])
    await enter(tenantId)
    const content = { forWhom: [`школа ${tenantId}`], results: ['сайт'] }
    await client.query('insert into masterclass (tenant_id, workshop_id, content) values ($1, $2, $3)', [
      tenantId,
      randomUUID(),
      content,
    ])
    await client.query(
      "insert into auto_plan (tenant_id, id, workshop_id, schedule, honest) values ($1, $2, $2, '{}', $3)",
      [tenantId, randomUUID(), { label: false, counters: true, answerHours: 48 }],
    )
    await client.query(
      "insert into session_rollup (tenant_id, session_id, rolled_seq, totals) values ($1, $2, 17, '{}')",
      [tenantId, sessionId],
    )
  }
  await migrateTo(connection)
})
afterAll(() => client.end())

test('columns and fields with descriptive names keep the data of every tenant', async () => {
  for (const tenantId of tenants) {
    await enter(tenantId)
    const { rows } = await client.query(
      'select content, disclosure, counted_seq from masterclass, auto_plan, session_rollup',
    )
    expect(rows).toEqual([
      {
        content: { audience: [`школа ${tenantId}`], results: ['сайт'] },
        disclosure: { label: false, counters: true, answerHours: 48 },
        counted_seq: '17',
      },
    ])
  }
})

test('a session rollup still refuses a negative sequence number', async () => {
  await expect(client.query('update session_rollup set counted_seq = -1')).rejects.toMatchObject({
    constraint: 'session_rollup_counted_seq_range',
  })
})
