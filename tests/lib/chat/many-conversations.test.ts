import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { makeConversations } from '../../../scripts/bench/chat/many-conversations.ts'
import { openWire, type Wire } from '../../../scripts/bench/trips.ts'
import { listConversations } from '../../setup/chat/parsed-chat.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const MANY = 2000

let wire: Wire
let home: TestTenant
beforeAll(async () => {
  const { socketDir } = inject('cluster')
  wire = await openWire(socketDir)
  // Before the first connection: all connections of the pool are counted.
  pool.options.connectionString = config.databaseUrl?.replace(
    encodeURIComponent(socketDir),
    encodeURIComponent(wire.socketDir),
  )
  home = await createTestTenant()
  const { membershipId: memberId, tenantId } = home.as.CURATOR
  const client = await pool.connect()
  await client.query('begin')
  await client.query("select set_config('app.tenant_id', $1, true), set_config('app.restoring', 'on', true)", [
    tenantId,
  ])
  await makeConversations(client, { tenantId, memberId, count: MANY })
  await client.query('commit')
  client.release()
})
afterAll(() => pool.end())

type Page = Awaited<ReturnType<typeof listConversations>>

test('2,000 conversations are read to the last one in 21 pages, each in at most three round trips', async () => {
  const { CURATOR } = home.as
  const pages: Page[] = [await listConversations(CURATOR, {})]
  for (let cursor = pages[0]?.next; cursor; cursor = pages.at(-1)?.next) {
    const before = wire.counted.trips
    pages.push(await listConversations(CURATOR, { cursor, limit: 100 }))
    expect(wire.counted.trips - before).toBeLessThanOrEqual(3)
  }
  expect(pages).toHaveLength(21)
  expect(pages.flatMap(({ items }) => items.map(({ title }) => title))).toEqual(
    Array.from({ length: MANY }, (_, index) => `Розмова ${MANY - index}`),
  )
})
