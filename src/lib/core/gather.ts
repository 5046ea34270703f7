import { AsyncLocalStorage } from 'node:async_hooks'

type Work<Item, Answer> = (key: string, items: Item[]) => Promise<Answer[]>

interface Waiting<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

// Who begins a run must not lend it their transaction: it is everybody's.
const outside = AsyncLocalStorage.snapshot()

/**
 * Does together, key by key, what would be dear one by one: items that come while a run of their key is under way go
 * together in the next, at most `most` at a time. `work` gives an answer for each item, in their order. A run that fails
 * is done again item by item, so that a bad one takes nobody with it; it alone is rejected.
 */
export function gather<Item, Answer>(work: Work<Item, Answer>, most = 100) {
  const lines = new Map<string, Waiting<Item, Answer>[]>()

  async function drain(key: string, line: Waiting<Item, Answer>[]): Promise<void> {
    while (line.length > 0) await settle(work, key, line.splice(0, most))
    lines.delete(key)
  }

  return (key: string, item: Item): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const line = lines.get(key)
      if (line) {
        line.push({ item, resolve, reject })
        return
      }
      const first = [{ item, resolve, reject }]
      lines.set(key, first)
      outside(() => void drain(key, first))
    })
}

async function settle<Item, Answer>(
  work: Work<Item, Answer>,
  key: string,
  together: readonly Waiting<Item, Answer>[],
): Promise<void> {
  const items = together.map(({ item }) => item)
  try {
    const answers = await work(key, items)
    if (answers.length !== items.length) throw new Error(`${items.length} items and ${answers.length} answers`)
    for (const [index, { resolve }] of together.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    if (together.length === 1) together[0]?.reject(error)
    else for (const one of together) await settle(work, key, [one])
  }
}
