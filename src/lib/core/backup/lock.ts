import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { inSystem } from '../db/db.ts'

const ADVISORY_LOCK_ID = 4_321_003

/** Acquires the advisory lock of backups until the connection closes. Throws when another backup holds it. */
export async function lockBackup(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCK_ID])
  if (!rows[0].taken) throw new Error('another backup runs, or files are being removed: try again in a minute')
}

/**
 * Runs a function that permanently deletes the bytes of files, unless a backup is running, whose snapshot may still
 * reference them. Returns whether it ran; a backup that starts meanwhile waits for it.
 */
export function runUnlessBackup(remove: () => Promise<void>): Promise<boolean> {
  return inSystem(async (tx) => {
    const { rows } = await tx.execute<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCK_ID}) as free`,
    )
    if (!rows[0]?.free) return false
    await remove()
    return true
  })
}
