import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { MIGRATIONS } from './migrations-folder.ts'

/** The database has migrations that this version of the product does not contain. */
export class NewerDatabaseError extends Error {
  constructor(unknown: number) {
    super(
      `The database is newer than this version (unknown migrations: ${unknown}). Install the newer version or restore a backup`,
    )
  }
}

/** Throws NewerDatabaseError: an older program would write rows that the newer schema does not expect. */
export async function refuseNewer(client: pg.Client): Promise<void> {
  const known = new Set(readJournal().map(({ when }) => when))
  const unknown = (await appliedMigrations(client)).filter((when) => !known.has(when))
  if (unknown.length > 0) throw new NewerDatabaseError(unknown.length)
}

/** The migrations of this version, the oldest first; `when` identifies them in the database. */
export function readJournal(): { when: number; tag: string }[] {
  return JSON.parse(fs.readFileSync(path.join(MIGRATIONS, 'meta/_journal.json'), 'utf8')).entries
}

/** The `when` of every migration that a database has, the oldest first. */
export async function appliedMigrations(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as begun")
  if (!rows[0].begun) return []
  const { rows: applied } = await client.query<{ created_at: string }>(
    'select created_at from drizzle.__drizzle_migrations order by created_at',
  )
  return applied.map((row) => Number(row.created_at))
}
