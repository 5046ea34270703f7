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

/** Rows of a database before its columns were renamed (`0019`, `0026`); rows that they refer to are omitted. */
beforeAll(async () => {
  connection = { connectionString: await createDatabase(inject('cluster').socketDir, `renamed_${process.pid}`) }
  await migrateTo(connection, readJournal().find(({ tag }) => tag.startsWith('0018'))?.when)
  client = new pg.Client(connection)
  await client.connect()
  for (const [table, foreignKey] of [
    ['masterclass', 'masterclass_workshop'],
    ['auto_plan', 'auto_plan_workshop'],
    ['session_rollup', 'session_rollup_session'],
    ['workshop_event', 'workshop_event_session'],
    ['meeting_message', 'meeting_message_session'],
    ['auto_script_entry', 'auto_script_entry_workshop'],
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
    await insertHeldMessage(tenantId)
  }
  await migrateTo(connection)
})
afterAll(() => client.end())

/** A message that waits for approval, in the event log, in the chat and in the script of an automated webinar. */
async function insertHeldMessage(tenantId: string): Promise<void> {
  const payload = { messageId: sessionId, text: 'Чи буде запис?', held: 'premod' }
  await client.query(
    "insert into workshop_event (tenant_id, session_id, seq, at, offset_ms, type, payload) values ($1, $2, 1, now(), 0, 'message', $3)",
    [tenantId, sessionId, payload],
  )
  await client.query(
    `insert into meeting_message (tenant_id, id, session_id, seq, at, offset_ms, kind, state, held, name, role, text)
     values ($1, $2, $2, 1, now(), 0, 'message', 'waiting', 'premod', 'Ірина', 'viewer', 'Чи буде запис?')`,
    [tenantId, sessionId],
  )
  await client.query(
    "insert into auto_script_entry (tenant_id, id, workshop_id, offset_ms, track, type, payload) values ($1, $2, $2, 0, 'chat', 'message', $3)",
    [tenantId, sessionId, { ...payload, held: null }],
  )
}

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

test('a message that was held keeps the reason in every tenant', async () => {
  for (const tenantId of tenants) {
    await enter(tenantId)
    const { rows } = await client.query(
      `select e.payload as event, m.hold_reason, s.payload as script_entry
         from workshop_event e, meeting_message m, auto_script_entry s`,
    )
    const payload = { messageId: sessionId, text: 'Чи буде запис?' }
    expect(rows).toEqual([
      {
        event: { ...payload, holdReason: 'premod' },
        hold_reason: 'premod',
        script_entry: { ...payload, holdReason: null },
      },
    ])
  }
})

test('a session rollup still refuses a negative sequence number', async () => {
  await expect(client.query('update session_rollup set counted_seq = -1')).rejects.toMatchObject({
    constraint: 'session_rollup_counted_seq_range',
  })
})
