import { Refusal } from './http/refusal.ts'

interface Queue {
  running: number
  waiting: (() => void)[]
}

/**
 * Returns a function that runs at most `limit` functions of one key at a time, in this process; further ones wait in
 * order. For transactions that wait for the same lock in the database: each of them keeps a connection of the pool while
 * it waits, so that without a limit they would leave none to other requests. A function must not call it again with the
 * same key. With `maxWaiting` functions waiting, a further one is refused with unavailable.
 */
export function createConcurrencyLimit({ limit, maxWaiting }: { limit: number; maxWaiting: number }) {
  const queues = new Map<string, Queue>()
  return async function runLimited<T>(key: string, run: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < limit) queue.running += 1
    else if (queue.waiting.length >= maxWaiting) throw new Refusal('unavailable')
    // A function that ends passes its place on, so that `running` stays the same.
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}
