import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { isLockTimeout } from '#lib/core/db/database-error.ts'
import { inTenant } from '#lib/core/db/db.ts'

/** Orders per transaction: purchases and payments of the school wait for it. */
const BATCH = 250
/** Milliseconds for which a batch waits for purchases and payments that have begun; those that begin wait for it. */
const LOCK_TIMEOUT_MS = 200
/** Milliseconds between two batches. */
const PAUSE_MS = 50
const MAX_FAILURES = 100

/**
 * Counts the orders and payments of a school in its present time zone, after it has changed, in short transactions. Until
 * then each order counts in its former zone, so that the sums of all periods are exact at any time. What is still locked
 * by other transactions is left to the next run. Returns the number of orders.
 */
export async function moveRollupsOf(tenantId: string, batchSize = BATCH): Promise<number> {
  let moved = 0
  let failures = 0
  while (failures < MAX_FAILURES) {
    const count = await moveBatch(tenantId, batchSize)
    if (count === 0) break
    if (count === null) failures += 1
    else moved += count
    await setTimeout(PAUSE_MS)
  }
  return moved
}

/** Returns the number of orders, or null when the lock was not obtained. */
async function moveBatch(tenantId: string, batchSize: number): Promise<number | null> {
  try {
    return await inTenant({ tenantId }, async (tx) => {
      await tx.execute(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`)
      const { rows } = await tx.execute<{ moved: number }>(sql`select move_sales_rollups(${batchSize}) as moved`)
      return rows[0]?.moved ?? 0
    })
  } catch (error) {
    if (isLockTimeout(error)) return null
    throw error
  }
}
