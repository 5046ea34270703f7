import { openDatabase } from '../safe-database.ts'
import { readJson, tabStorage, writeJson } from '../safe-storage.ts'

/** A write that the server has not confirmed. */
export interface OutboxItem<Payload> {
  /** Identifies this content: an item whose payload changes gets another id. */
  id: string
  payload: Payload
  /** `waiting`: is sent automatically. `failed`: a permanent error; only `retry` sends it again. */
  state: 'sending' | 'waiting' | 'failed'
  /** Why it waits or has failed; `refused` with the `reason` of the server. */
  cause: 'offline' | 'throttled' | 'signedOut' | 'server' | 'refused' | null
  reason: string | null
  /** When it may be sent, by the device's clock. */
  dueAt: number
}

/** Where the items of an outbox survive the page. */
export interface OutboxStorage<Payload> {
  loadItems(): OutboxItem<Payload>[] | Promise<OutboxItem<Payload>[]>
  put(item: OutboxItem<Payload>): void | Promise<void>
  remove(id: string): void | Promise<void>
}

/** Items with their states, until the tab is closed. */
export function createTabOutboxStorage<Payload>(key: string): OutboxStorage<Payload> {
  const loadItems = (): OutboxItem<Payload>[] => {
    const stored = readJson(tabStorage, key)
    return Array.isArray(stored) ? stored : []
  }
  const save = (items: readonly OutboxItem<Payload>[]): void =>
    items.length === 0 ? tabStorage.removeItem(key) : writeJson(tabStorage, key, items)
  return {
    loadItems,
    put(item) {
      const items = loadItems()
      const isStored = items.some(({ id }) => id === item.id)
      save(isStored ? items.map((stored) => (stored.id === item.id ? item : stored)) : [...items, item])
    },
    remove: (id) => save(loadItems().filter((item) => item.id !== id)),
  }
}

/**
 * Payloads of one person on this device, until they are sent. All are sent again at the next visit, failed ones too.
 * `owner` is the membership's id.
 */
export function createDeviceOutboxStorage<Payload>(
  database: string,
  store: string,
  owner: string,
): OutboxStorage<Payload> {
  const payloads = openDatabase<Payload>(database, store, { isJournaled: true })
  const prefix = `${owner} `
  return {
    async loadItems() {
      const entries = await payloads.entries()
      return entries
        .filter(([key]) => key.startsWith(prefix))
        .sort(([first], [second]) => (first < second ? -1 : 1))
        .map(([key, payload]) => {
          return { id: key.slice(prefix.length), payload, state: 'waiting', cause: null, reason: null, dueAt: 0 }
        })
    },
    put: async ({ id, payload }) => void (await payloads.put(prefix + id, payload)),
    remove: (id) => payloads.remove(prefix + id),
  }
}
