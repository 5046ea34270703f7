import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { config } from '../config/config.ts'
import { connectionOptions } from './connection.ts'

export const MIGRATIONS = path.resolve('src/lib/core/db/migrations')
const LOCK = 4_321_001

/** Brings the database to the newest schema. Several processes may call it at once: an advisory lock lets one work. */
export function migrate(): Promise<void> {
  return migrateWith(connectionOptions(config))
}

/** The same for another database, by its connection string. */
export function migrateAt(connectionString: string): Promise<void> {
  return migrateWith({ connectionString })
}

async function migrateWith(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await runMigrations(drizzle(client), { migrationsFolder: MIGRATIONS })
  } finally {
    await client.end()
  }
}
