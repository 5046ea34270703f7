import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#lib/core/http/refusal.ts'

type ProcessBatch<Item, Result> = (key: string, items: Item[]) => Promise<Result[]>

interface PendingItem<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

// The batch runs outside the transaction of the caller that starts it, because it serves several callers.
const runOutside = AsyncLocalStorage.snapshot()

/**
 * Returns a function that batches items by key: items that arrive while a batch of their key runs form the next batch, at
 * most `maxSize` each. `processBatch` returns one result for each item, in the same order. When a batch fails because of
 * one item (a Refusal or a value that the database refuses), the items are processed one by one and only that one is
 * rejected; when the database fails, all items of the batch are rejected.
 */
export function createBatcher<Item, Result>(processBatch: ProcessBatch<Item, Result>, maxSize = 100) {
  const queues = new Map<string, PendingItem<Item, Result>[]>()

  async function drain(key: string, queue: PendingItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await runBatch(processBatch, key, queue.splice(0, maxSize))
    queues.delete(key)
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue) {
        queue.push({ item, resolve, reject })
        return
      }
      const newQueue = [{ item, resolve, reject }]
      queues.set(key, newQueue)
      runOutside(() => void drain(key, newQueue))
    })
}

async function runBatch<Item, Result>(
  processBatch: ProcessBatch<Item, Result>,
  key: string,
  batch: readonly PendingItem<Item, Result>[],
): Promise<void> {
  const items = batch.map(({ item }) => item)
  try {
    const results = await processBatch(key, items)
    if (results.length !== items.length) throw new Error(`${items.length} items and ${results.length} results`)
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
  } catch (error) {
    if (batch.length > 1 && isItemError(error)) for (const item of batch) await runBatch(processBatch, key, [item])
    else for (const { reject } of batch) reject(error)
  }
}

// PostgreSQL's classes 22 (data) and 23 (integrity), https://www.postgresql.org/docs/current/errcodes-appendix.html
function isItemError(error: unknown): boolean {
  if (error instanceof Refusal) return true
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return typeof cause === 'object' && cause !== null && /^2[23]/.test(String(Reflect.get(cause, 'code')))
}
