import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { readJournal } from '#lib/core/db/journal.ts'
import { migrateTo } from '#lib/core/db/migrate.ts'
import { MIGRATIONS } from '#lib/core/db/migrations-folder.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'

const { plain, perTenant, foreignKey, checked } = vi.hoisted(() => {
  const foreignKey =
    'alter table add_on add constraint add_on_later foreign key (tenant_id, id) references file (tenant_id, id)'
  return {
    plain: "update storage_use set made = 7; insert into throttle values ('plain', 0, now())",
    perTenant: `select for_each_tenant($$
      update storage_use set original = original + 1, made = (select count(*) from storage_use) where original < 100
    $$)`,
    foreignKey,
    checked: `select without_forced_row_security(array['add_on', 'file']::regclass[], $$ ${foreignKey} $$)`,
  }
})

vi.mock('#lib/core/db/migrations-folder.ts', async () => {
  const { addMigrations } = await import('../../../setup/later-version.ts')
  return { MIGRATIONS: addMigrations(plain, perTenant, checked) }
})

let client: pg.Client
let connection: pg.ClientConfig
const tenants = [randomUUID(), randomUUID(), randomUUID()].sort()

/** The `when` of a migration, by its position from the end. */
const whenOf = (fromLast: number) => readJournal().at(fromLast)?.when

async function enter(tenantId: string): Promise<void> {
  await client.query("select set_config('app.tenant_id', $1, false)", [tenantId])
}

async function usage(): Promise<[original: number, made: number][]> {
  const found: [number, number][] = []
  for (const tenantId of tenants) {
    await enter(tenantId)
    const { rows } = await client.query('select original, made from storage_use')
    for (const { original, made } of rows) found.push([Number(original), Number(made)])
  }
  return found
}

beforeAll(async () => {
  connection = { connectionString: await createDatabase(inject('cluster').socketDir, `migrate_${process.pid}`) }
  await migrateTo(connection, whenOf(-4))
  client = new pg.Client(connection)
  await client.connect()
  for (const [index, tenantId] of tenants.entries()) {
    await client.query('insert into tenant (id, subdomain, name) values ($1::uuid, $1::text, $1::text)', [tenantId])
    await enter(tenantId)
    await client.query('insert into storage_use (tenant_id, original) values ($1, $2)', [
      tenantId,
      [10, 20, 100][index],
    ])
  }
})
afterAll(async () => {
  await client.end()
  fs.rmSync(MIGRATIONS, { recursive: true })
})

test('a plain statement of a migration changes no rows of tenants', async () => {
  await migrateTo(connection, whenOf(-3))
  expect((await client.query("select 1 from throttle where key = 'plain'")).rowCount).toBe(1)
  expect((await usage()).map(([, made]) => made)).toEqual([0, 0, 0])
})

test('for_each_tenant changes the rows of every tenant, each run seeing its own rows alone', async () => {
  await migrateTo(connection, whenOf(-2))
  expect(await usage()).toEqual([
    [11, 1],
    [21, 1],
    [100, 0],
  ])
})

test('for_each_tenant counts the changed rows and leaves the tenant that was set before', async () => {
  await enter(tenants[1] ?? '')
  const { rows } = await client.query("select for_each_tenant('update storage_use set made = 0') as changed")
  expect(Number(rows[0].changed)).toBe(3)
  expect((await client.query('select current_tenant() as id')).rows).toEqual([{ id: tenants[1] }])
})

test('without_forced_row_security lets a new foreign key find rows that break it', async () => {
  await enter(tenants[0] ?? '')
  await client.query(
    `insert into add_on (tenant_id, id, "limit", quantity) values ($1, gen_random_uuid(), 'disc', 1)`,
    [tenants[0]],
  )
  await enter('')
  await client.query('begin')
  await client.query(foreignKey)
  await client.query('rollback')
  await expect(migrateTo(connection)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('add_on_later') },
  })
  await enter(tenants[0] ?? '')
  await client.query('delete from add_on')
  await migrateTo(connection)
  const { rows } = await client.query(
    "select relname from pg_class where relname in ('add_on', 'file') and relforcerowsecurity order by relname",
  )
  expect(rows.map(({ relname }) => relname)).toEqual(['add_on', 'file'])
})
