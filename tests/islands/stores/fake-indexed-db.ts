import { vi } from 'vitest'

interface FakeRequest {
  result?: unknown
  onsuccess?: () => void
}

export interface FakeDatabase {
  /** The committed values of all databases by `<store> <key>`. */
  values: Map<string, unknown>
  /** Number of transactions that were opened for writing. */
  writes: number
}

/** The files of one worker share the modules that have opened a database, and therefore the databases. */
const fake: FakeDatabase = { values: new Map(), writes: 0 }

/**
 * Replaces IndexedDB by one in memory, which is empty, with the functions that idb-keyval uses. Transactions run in the order in which
 * they are created. Clones values, as browsers do.
 */
export function stubIndexedDb(): FakeDatabase {
  fake.values.clear()
  fake.writes = 0
  let last: Promise<void> = Promise.resolve()

  function beginTransaction(name: string, mode: string) {
    if (mode === 'readwrite') fake.writes += 1
    const waiting: (() => void)[] = []
    const transaction: { oncomplete?: () => void; commit: () => void } = { commit: () => undefined }
    const request = (run: () => unknown): FakeRequest => {
      const pending: FakeRequest = {}
      waiting.push(() => {
        pending.result = run()
        pending.onsuccess?.()
      })
      return pending
    }
    const own = () => [...fake.values].filter(([key]) => key.startsWith(`${name} `))
    const objects = {
      transaction,
      put: (value: unknown, key: string) => {
        const copy = structuredClone(value)
        return request(() => fake.values.set(`${name} ${key}`, copy))
      },
      get: (key: string) => request(() => structuredClone(fake.values.get(`${name} ${key}`))),
      delete: (key: string) => request(() => fake.values.delete(`${name} ${key}`)),
      getAllKeys: () => request(() => own().map(([key]) => key.slice(name.length + 1))),
      getAll: () => request(() => own().map(([, value]) => structuredClone(value))),
    }
    last = last.then(async () => {
      do {
        for (const run of waiting.splice(0)) run()
        // The caller continues with the results and may add requests.
        await new Promise(setImmediate)
      } while (waiting.length > 0)
      transaction.oncomplete?.()
    })
    return { objectStore: () => objects }
  }

  vi.stubGlobal('indexedDB', {
    open: () => {
      const opening: FakeRequest = { result: { transaction: beginTransaction } }
      setImmediate(() => opening.onsuccess?.())
      return opening
    },
  })
  return fake
}

/** Replaces localStorage by the returned map. */
export function stubLocalStorage(): Map<string, string> {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  })
  return entries
}
