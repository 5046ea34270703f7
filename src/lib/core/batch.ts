import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { ZodError } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'

/** One outcome for each item, in the same order: a result, or the refusal of that item alone. */
type ProcessBatch<Item, Result> = (key: string, items: Item[]) => Promise<(Result | Refusal)[]>

interface BatcherOptions {
  maxSize?: number
  /** How long items are collected before each batch; without it a batch starts immediately. */
  windowMs?: number
}

interface PendingItem<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

// The batch runs outside the transaction of the caller that starts it, because it serves several callers.
const runOutside = AsyncLocalStorage.snapshot()

/**
 * Returns a function that batches items by key: items that arrive while a batch of their key is being collected or
 * processed form the next batch. When a batch fails because of one item (a Refusal, a ZodError or a value that the
 * database rejects), the items are processed one by one and only that one is rejected; when the database fails, all
 * items of the batch are rejected and none is tried again.
 */
export function createBatcher<Item, Result>(
  processBatch: ProcessBatch<Item, Result>,
  { maxSize = 100, windowMs = 0 }: BatcherOptions = {},
) {
  const queues = new Map<string, PendingItem<Item, Result>[]>()

  async function drain(key: string, queue: PendingItem<Item, Result>[]): Promise<void> {
    let remainingMs = windowMs
    while (queue.length > 0) {
      if (remainingMs > 0 && queue.length < maxSize) await delay(remainingMs)
      const startedAt = performance.now()
      await runBatch(processBatch, key, queue.splice(0, maxSize))
      remainingMs = windowMs - (performance.now() - startedAt)
    }
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
  const error = await tryBatch(processBatch, key, batch)
  if (error === null) return
  if (batch.length === 1 || !isItemError(error)) {
    rejectAll(batch, error)
    return
  }
  for (const [index, item] of batch.entries()) {
    const itemError = await tryBatch(processBatch, key, [item])
    if (itemError === null) continue
    if (!isItemError(itemError)) {
      rejectAll(batch.slice(index), itemError)
      return
    }
    item.reject(itemError)
  }
}

/** Settles the items of a batch. Returns the error of a batch that failed as a whole, otherwise null. */
async function tryBatch<Item, Result>(
  processBatch: ProcessBatch<Item, Result>,
  key: string,
  batch: readonly PendingItem<Item, Result>[],
): Promise<unknown> {
  const items = batch.map(({ item }) => item)
  try {
    const outcomes = await processBatch(key, items)
    if (outcomes.length !== items.length) throw new Error(`${items.length} items and ${outcomes.length} results`)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome instanceof Refusal) reject(outcome)
      else resolve(outcome as Result)
    }
    return null
  } catch (error) {
    return error
  }
}

function rejectAll<Item, Result>(batch: readonly PendingItem<Item, Result>[], error: unknown): void {
  for (const { reject } of batch) reject(error)
}

// PostgreSQL's classes 22 (data) and 23 (integrity), https://www.postgresql.org/docs/current/errcodes-appendix.html
function isItemError(error: unknown): boolean {
  if (error instanceof Refusal) return true
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof ZodError) return true
  return typeof cause === 'object' && cause !== null && /^2[23]/.test(String(Reflect.get(cause, 'code')))
}
