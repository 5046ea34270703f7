import type { KeyValueStorage } from './cookies.ts'

/*
 * localStorage and sessionStorage throw where the browser refuses them (private modes, blocked cookies, a full quota).
 * Values that they refuse are kept in memory until the page is left. No other browser code may use them.
 */

/** Values that survive the tab, shared by all tabs of the site. */
export const deviceStorage: KeyValueStorage = withFallback(() => globalThis.localStorage)

/** Values that survive a reload of this tab. */
export const tabStorage: KeyValueStorage = withFallback(() => globalThis.sessionStorage)

/** The keys of `deviceStorage` that begin with a prefix, without those that are only in memory. */
export function listDeviceKeys(prefix: string): string[] {
  try {
    const { localStorage } = globalThis
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    return keys.filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** The stored JSON value; null when there is none or it is no JSON. Its shape is for the caller to check. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export const writeJson = (storage: KeyValueStorage, key: string, value: unknown): void =>
  storage.setItem(key, JSON.stringify(value))

/** Whether stored values outlive the page. */
export function isStorageDurable(): boolean {
  try {
    const probe = 'storage-probe'
    globalThis.localStorage.setItem(probe, '1')
    globalThis.localStorage.removeItem(probe)
    return true
  } catch {
    return false
  }
}

/** A storage that never throws; `open` returns the browser's storage and may throw. */
export function withFallback(open: () => KeyValueStorage): KeyValueStorage {
  const memory = new Map<string, string>()
  const attempt = <T>(use: (storage: KeyValueStorage) => T): T | undefined => {
    try {
      return use(open())
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      const stored = attempt((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (stored) memory.delete(key)
      else memory.set(key, value)
    },
    removeItem(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
  }
}
