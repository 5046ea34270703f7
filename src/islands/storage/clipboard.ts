/** What was copied or cut, kept for the tab: it is put down in another folder, on another page. */
export interface Clipboard {
  cut: boolean
  ids: string[]
}

const KEY = 'storage.clipboard'

export function readClipboard(): Clipboard | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isClipboard(kept) ? kept : null
  } catch {
    return null
  }
}

export function keepClipboard(clipboard: Clipboard | null): void {
  try {
    if (clipboard) sessionStorage.setItem(KEY, JSON.stringify(clipboard))
    else sessionStorage.removeItem(KEY)
  } catch {
    // A browser that keeps nothing copies within one page only.
  }
}

function isClipboard(value: unknown): value is Clipboard {
  return typeof value === 'object' && value !== null && 'ids' in value && Array.isArray(value.ids) && 'cut' in value
}
