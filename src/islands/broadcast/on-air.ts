const NAME = 'on-air:'

/** Whether this tab was publishing under that name when it was reloaded. */
export function wasLive(key: string): boolean {
  try {
    return sessionStorage.getItem(NAME + key) !== null
  } catch {
    return false
  }
}

export function rememberLive(key: string, live: boolean): void {
  try {
    if (live) sessionStorage.setItem(NAME + key, '1')
    else sessionStorage.removeItem(NAME + key)
  } catch {
    // A browser that keeps nothing begins anew after a reload.
  }
}
