import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from './db.ts'

/**
 * Takes a named lock until the end of the transaction: transactions that take the same one run one after another. `key`
 * identifies what is locked, often the tenant. Nothing slow may follow it in the transaction; a wait above half a second is
 * logged with the name. With `isShared`, only exclusive lockers wait.
 */
export async function lockUntilCommit(tx: Tx, name: string, key: string | SQL, isShared = false): Promise<void> {
  await tx.execute(sql`select lock_until_commit(${name}, ${key}, ${isShared})`)
}
