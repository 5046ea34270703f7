import { type Tx, writeWithCommit } from '#lib/core/db/db.ts'
import type { OrderEntryKind } from './state-schema.ts'
import { orderEntry } from './table.ts'

/** Adds an entry to the timeline of an order, with the commit of the surrounding transaction. `by` is the member who did it; null: the program, or the buyer. */
export async function recordOrderEntry(
  tx: Tx,
  order: { tenantId: string; id: string },
  { kind, text, by = null }: { kind: OrderEntryKind; text: string; by?: string | null },
): Promise<void> {
  writeWithCommit(tx.insert(orderEntry).values({ tenantId: order.tenantId, orderId: order.id, kind, text, by }))
}
