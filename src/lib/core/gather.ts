import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#lib/core/http/refusal.ts'

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
 * together in the next, at most `most` at a time. `work` gives an answer for each item, in their order. A run that one
 * item spoilt (a refusal, a value that the database does not take) is done again item by item and that one alone is
 * rejected; when the database itself fails, all of the run are.
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
    if (together.length > 1 && isOfOne(error)) for (const one of together) await settle(work, key, [one])
    else for (const { reject } of together) reject(error)
  }
}

// PostgreSQL's classes 22 (data) and 23 (integrity), https://www.postgresql.org/docs/current/errcodes-appendix.html
function isOfOne(error: unknown): boolean {
  if (error instanceof Refusal) return true
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return typeof cause === 'object' && cause !== null && /^2[23]/.test(String(Reflect.get(cause, 'code')))
}
