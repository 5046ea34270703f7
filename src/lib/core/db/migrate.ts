import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { pool } from './db.ts'

export const MIGRATIONS = path.resolve('src/lib/core/db/migrations')
const LOCK = 4_321_001

/** Brings the database to the newest schema. Several processes may call it at once: an advisory lock lets one work. */
export async function migrate(): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await runMigrations(drizzle(client), { migrationsFolder: MIGRATIONS })
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    client.release()
  }
}
