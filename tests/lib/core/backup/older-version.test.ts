import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { type Installation, writeBackup } from '#lib/core/backup/backup.ts'
import { restoreBackup } from '#lib/core/backup/restore.ts'
import { appliedMigrations, readJournal } from '#lib/core/db/journal.ts'
import { migrateTo } from '#lib/core/db/migrate.ts'
import { MIGRATIONS } from '#lib/core/db/migrations-folder.ts'
import { createDiskStore } from '#lib/core/files/disk/disk.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'

// Simulates a later version that has renamed a column, so that rows of the older schema fit the older schema only.
vi.mock('#lib/core/db/migrations-folder.ts', async () => {
  const { addMigrations } = await import('../../../setup/later-version.ts')
  return {
    MIGRATIONS: addMigrations(
      'alter table tenant add column motto text',
      'alter table tenant rename column name to title',
    ),
  }
})

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-older-'))
const place = (name: string) => path.join(folder, name)

afterAll(() => {
  for (const made of [folder, MIGRATIONS]) fs.rmSync(made, { recursive: true })
})

async function target(name: string): Promise<Installation> {
  const connectionString = await createDatabase(inject('cluster').socketDir, `${name}_${process.pid}`)
  return {
    connection: { connectionString },
    store: createDiskStore(path.join(place(name), 'files')),
    dataDir: place(name),
  }
}

async function onDatabase<T>({ connection }: Installation, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

test('a backup of an older version is restored with its own schema and then migrated', {
  timeout: 60_000,
}, async () => {
  const journal = readJournal()
  expect(journal.slice(-2).map(({ tag }) => tag)).toEqual([
    expect.stringMatching(/_later$/),
    expect.stringMatching(/_later$/),
  ])
  const old = await target('old')
  await migrateTo(old.connection, journal.at(-3)?.when)
  await onDatabase(old, (client) =>
    client.query("insert into tenant (id, subdomain, name) values (gen_random_uuid(), 'old', 'Стара школа')"),
  )
  const { migrations } = await writeBackup(old, place('old-backup'))
  expect(migrations).toHaveLength(journal.length - 2)
  const restored = await target('old_restored')
  await restoreBackup(restored, place('old-backup'))
  await onDatabase(restored, async (client) => {
    expect(await appliedMigrations(client)).toHaveLength(journal.length)
    expect((await client.query('select title, motto from tenant')).rows).toEqual([
      { title: 'Стара школа', motto: null },
    ])
  })
})
