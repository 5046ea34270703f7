import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { config } from '../config/config.ts'
import { connectionOptions } from './connection.ts'
import { readJournal, refuseNewer } from './journal.ts'
import { MIGRATIONS } from './migrations-folder.ts'

const LOCK = 4_321_001

/**
 * Migrates the database to the newest schema. Several processes may call it concurrently: an advisory lock lets one of
 * them run.
 */
export function migrate(): Promise<void> {
  return migrateTo(connectionOptions(config))
}

/** Migrates another database, given by its connection string. */
export function migrateAt(connectionString: string): Promise<void> {
  return migrateTo({ connectionString })
}

/**
 * Migrates a database to the schema of the migration with this `when`, or to the newest. Throws NewerDatabaseError when
 * it has migrations that this version does not contain.
 */
export async function migrateTo(connection: pg.ClientConfig, last = Number.POSITIVE_INFINITY): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection })
  // The statement that runs fails with the connection.
  client.on('error', () => {})
  await client.connect()
  const folder = Number.isFinite(last) ? migrationsUntil(last) : MIGRATIONS
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await refuseNewer(client)
    await runMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
    if (folder !== MIGRATIONS) fs.rmSync(folder, { recursive: true })
  }
}

// The migrator runs every migration in its folder, so a folder with the migrations up to `last` is created.
function migrationsUntil(last: number): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-migrations-'))
  const entries = readJournal().filter(({ when }) => when <= last)
  fs.mkdirSync(path.join(folder, 'meta'))
  fs.writeFileSync(
    path.join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  )
  for (const { tag } of entries) fs.copyFileSync(path.join(MIGRATIONS, `${tag}.sql`), path.join(folder, `${tag}.sql`))
  return folder
}
