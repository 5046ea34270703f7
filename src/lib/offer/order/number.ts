import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { orderCounter } from '../table.ts'

/**
 * Takes the next number of the orders of a tenant in the transaction that uses it; the counter stays locked until its end,
 * so that no number is given twice or skipped.
 */
export async function takeOrderNumber(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx
    .insert(orderCounter)
    .values({ tenantId, last: 1 })
    .onConflictDoUpdate({ target: orderCounter.tenantId, set: { last: sql`${orderCounter.last} + 1` } })
    .returning({ last: orderCounter.last })
  if (!row) throw new Error('the counter of orders returned no number')
  return row.last
}
