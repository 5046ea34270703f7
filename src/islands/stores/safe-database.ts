import { createStore, entries, promisifyRequest, type UseStore, update } from 'idb-keyval'
import { createWriteJournal } from './write-journal.ts'

/** Key-value pairs of an IndexedDB database; values that it refuses are kept in memory until the page is left. */
export interface SafeDatabase<T> {
  entries(): Promise<[string, T][]>
  get(key: string): Promise<T | undefined>
  /** Resolves to whether the value is stored on the device; false: only in memory. */
  put(key: string, value: T): Promise<boolean>
  update(key: string, change: (before: T | undefined) => T): Promise<boolean>
  /** Deletes the value unless `shouldKeep` returns true for the stored one. */
  remove(key: string, shouldKeep?: (value: T) => boolean): Promise<void>
}

/**
 * Opens nothing before the first use, so it may be called where IndexedDB is absent or throws. With `isJournaled` a value,
 * which must be JSON, survives although the page is left before IndexedDB has committed it.
 */
export function openDatabase<T>(database: string, name: string, { isJournaled = false } = {}): SafeDatabase<T> {
  const memory = new Map<string, T>()
  const journal = isJournaled ? createWriteJournal<T>(database, name) : null
  let opened: UseStore | undefined
  // `createStore` throws synchronously where access is denied; a rejection reaches the same handlers.
  const store: UseStore = async (mode, callback) => {
    opened ??= createStore(database, name)
    return opened(mode, callback)
  }
  const isStored = async (write: Promise<unknown>): Promise<boolean> => {
    try {
      await write
      return true
    } catch {
      return false
    }
  }

  // The last write of a key that its tab has not confirmed, and therefore newer than the database. It is only read:
  // tabs see each other's changes of localStorage late, so a tab that copied it could overwrite a newer text.
  const unconfirmed = (): Map<string, T> => new Map(journal?.list().map(({ key, value }) => [key, value]))

  return {
    async entries() {
      // Read first: a write that is confirmed in between is in the database by then.
      const waiting = unconfirmed()
      const stored = await entries<string, T>(store).catch((): [string, T][] => [])
      return [...new Map([...stored, ...waiting, ...memory])]
    },
    async get(key) {
      if (memory.has(key)) return memory.get(key)
      const waiting = unconfirmed()
      if (waiting.has(key)) return waiting.get(key)
      return store('readonly', (objects) => promisifyRequest<T | undefined>(objects.get(key))).catch(() => undefined)
    },
    async put(key, value) {
      memory.set(key, value)
      const text = journal?.add(key, value) ?? null
      const done = await isStored(writeNow(store, (objects) => objects.put(value, key)))
      if (done && memory.get(key) === value) memory.delete(key)
      if (done && text !== null) journal?.confirm(key, text)
      return done
    },
    async update(key, change) {
      if (!memory.has(key) && (await isStored(update<T>(key, change, store)))) return true
      memory.set(key, change(memory.get(key)))
      return false
    },
    async remove(key, shouldKeep = () => false) {
      const entry = memory.get(key)
      if (entry !== undefined && !shouldKeep(entry)) memory.delete(key)
      if (journal?.remove(key, shouldKeep)) return
      await store('readwrite', async (objects) => {
        const stored: T | undefined = await promisifyRequest(objects.get(key))
        if (stored !== undefined && !shouldKeep(stored)) objects.delete(key)
        return promisifyRequest(objects.transaction)
      }).catch(() => undefined)
    },
  }
}

// The commit is requested together with the write, so that a crash of the tab right after loses nothing.
function writeNow(store: UseStore, write: (objects: IDBObjectStore) => unknown): Promise<void> {
  return store('readwrite', (objects) => {
    write(objects)
    objects.transaction.commit()
    return promisifyRequest(objects.transaction)
  })
}
