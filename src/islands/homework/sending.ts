/* What the person has asked to be handed in and the school has not heard yet: it survives the tab. */

const nameOf = (owner: string, taskId: string): string => `homework/send ${owner} ${taskId}`

/** Remembers that an attempt is to be handed in as soon as that can be done. */
export function remember(owner: string, taskId: string, attempt: number): void {
  try {
    localStorage.setItem(nameOf(owner, taskId), String(attempt))
  } catch {
    // Without local storage it is handed in while the page is open.
  }
}

export function forget(owner: string, taskId: string): void {
  try {
    localStorage.removeItem(nameOf(owner, taskId))
  } catch {
    // Nothing was remembered.
  }
}

/** Whether this attempt waits to be handed in. */
export function isWaiting(owner: string, taskId: string, attempt: number): boolean {
  try {
    return localStorage.getItem(nameOf(owner, taskId)) === String(attempt)
  } catch {
    return false
  }
}
