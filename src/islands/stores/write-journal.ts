import { deviceStorage, listDeviceKeys, readJson } from './safe-storage.ts'

/** A value that a database has not confirmed. */
interface JournalEntry<T> {
  key: string
  value: T
}

/** Values as JSON that are on their way into a database of this device. */
export interface WriteJournal<T> {
  list(): JournalEntry<T>[]
  /** Returns null when the value is too long for the journal. */
  add(key: string, value: T): string | null
  /** The write was confirmed; a later one of the same key stays. */
  confirm(key: string, text: string): void
  /** Removes the write of a key unless `shouldKeep` returns true for its value; returns whether it was kept. */
  remove(key: string, shouldKeep: (value: T) => boolean): boolean
}

/** localStorage holds about five million characters in total. */
const MAX_LENGTH = 200_000

/**
 * A write-ahead journal in localStorage. A browser discards the IndexedDB transactions of a page that is left before they
 * are committed, whereas localStorage is written before the call returns. Values must be JSON.
 */
export function createWriteJournal<T>(database: string, name: string): WriteJournal<T> {
  const prefix = `journal/${database}/${name}/`
  const read = (key: string) => deviceStorage.getItem(prefix + key)
  const readValue = (key: string) => readJson(deviceStorage, prefix + key) as T | null
  return {
    list: () =>
      listDeviceKeys(prefix).flatMap((stored) => {
        const key = stored.slice(prefix.length)
        const value = readValue(key)
        return value === null ? [] : [{ key, value }]
      }),
    add(key, value) {
      const text = JSON.stringify(value)
      if (text.length > MAX_LENGTH) {
        deviceStorage.removeItem(prefix + key)
        return null
      }
      deviceStorage.setItem(prefix + key, text)
      return text
    },
    confirm(key, text) {
      if (read(key) === text) deviceStorage.removeItem(prefix + key)
    },
    remove(key, shouldKeep) {
      const value = readValue(key)
      if (value !== null && shouldKeep(value)) return true
      deviceStorage.removeItem(prefix + key)
      return false
    },
  }
}
