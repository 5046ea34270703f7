import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { storageUse } from './table.ts'

/** Where something made of a file lies in the object store, e.g. `captions/uk.vtt`. */
export const madeKey = (tenantId: string, fileId: string, path: string): string => `${tenantId}/${fileId}.made/${path}`

/** Counts bytes of made things that come (or, below zero, go), in the transaction of the change. */
export async function countMade(tx: Tx, tenantId: string, bytes: number): Promise<void> {
  if (bytes === 0) return
  await tx
    .insert(storageUse)
    .values({ tenantId, made: Math.max(0, bytes) })
    .onConflictDoUpdate({
      target: storageUse.tenantId,
      set: { made: sql`greatest(0, ${storageUse.made} + ${bytes})` },
    })
}
