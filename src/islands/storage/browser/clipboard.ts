import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'

/** Copied or cut files, stored for the tab, to paste in another folder. */
export interface Clipboard {
  cut: boolean
  ids: string[]
}

const STORAGE_KEY = 'storage.clipboard'

export function readClipboard(): Clipboard | null {
  const stored = readJson(tabStorage, STORAGE_KEY)
  return isClipboard(stored) ? stored : null
}

export function saveClipboard(clipboard: Clipboard | null): void {
  if (clipboard) writeJson(tabStorage, STORAGE_KEY, clipboard)
  else tabStorage.removeItem(STORAGE_KEY)
}

function isClipboard(value: unknown): value is Clipboard {
  return typeof value === 'object' && value !== null && 'ids' in value && Array.isArray(value.ids) && 'cut' in value
}
