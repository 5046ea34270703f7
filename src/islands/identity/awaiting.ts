const KEY = 'awaitingEmailVerification'

/** Remembers until when an e-mail waits to be confirmed (ISO instant). */
export function startAwaiting(expireDate: string): void {
  tryShelf((shelf) => shelf.setItem(KEY, JSON.stringify({ expire_date: expireDate })))
}

export function stopAwaiting(): void {
  tryShelf((shelf) => shelf.removeItem(KEY))
}

/** Whether an e-mail still waits to be confirmed; an expired or broken entry is cleared. */
export function isAwaiting(now = Date.now()): boolean {
  const text = tryShelf((shelf) => shelf.getItem(KEY)) ?? null
  if (text === null) return false
  if (expiryOf(text) > now) return true
  stopAwaiting()
  return false
}

/** The navigation rule of the specification (section 4) for pages of the login layout. */
export function obeyAwaiting(): void {
  if (location.pathname !== '/email-verify' && isAwaiting()) location.replace('/email-verify')
}

function expiryOf(text: string): number {
  try {
    return new Date(JSON.parse(text).expire_date).getTime()
  } catch {
    return 0
  }
}

// A browser may refuse local storage; then nothing is remembered and nothing breaks.
function tryShelf<T>(use: (shelf: Storage) => T): T | undefined {
  try {
    return use(window.localStorage)
  } catch {
    return undefined
  }
}
