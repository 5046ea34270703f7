import { deviceStorage } from '#islands/stores/safe-storage.ts'

const KEY = 'awaitingEmailVerification'

/** Stores until when an email address awaits its confirmation (ISO instant). */
export function startAwaitingVerification(expireDate: string): void {
  deviceStorage.setItem(KEY, JSON.stringify({ expire_date: expireDate }))
}

export function stopAwaitingVerification(): void {
  deviceStorage.removeItem(KEY)
}

/** Whether an email address awaits its confirmation; an expired or invalid entry is cleared. */
export function isAwaitingVerification(now = Date.now()): boolean {
  const text = deviceStorage.getItem(KEY)
  if (text === null) return false
  if (expiryOf(text) > now) return true
  stopAwaitingVerification()
  return false
}

/** The navigation rule of the specification (section 4) for pages of the login layout. */
export function redirectToVerification(): void {
  if (location.pathname !== '/email-verify' && isAwaitingVerification()) location.replace('/email-verify')
}

function expiryOf(text: string): number {
  try {
    return new Date(JSON.parse(text).expire_date).getTime()
  } catch {
    return 0
  }
}
