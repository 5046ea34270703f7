import { pool } from '#lib/core/db/db.ts'

const TIMEOUT_MS = 10_000

/** Waits until a transaction of this database waits for a lock. */
export async function untilBlocked(): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await pool.query<{ waiting: number }>(`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    if ((rows[0]?.waiting ?? 0) > 0) return
    if (Date.now() > deadline) throw new Error('no transaction waits for a lock')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Runs `other` outside of the transaction that calls `startOther`, and returns its promise: a transaction that is started inside
 * of another one would join it.
 */
export function startable<Result>(other: () => Promise<Result>): { startOther: () => void; done: Promise<Result> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { startOther: resolve, done: promise.then(other) }
}
