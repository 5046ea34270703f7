import { backoffMs } from '#lib/core/shared/backoff.ts'

const RETRY_DELAYS = { firstMs: 300, maxMs: 5000 }

export interface Retry {
  /** Runs `action` after the current delay, or when the network is back. A later call replaces it. */
  schedule(action: () => void, atLeast?: number): void
  /** Success: the next retry is immediate. */
  reset(): void
  stop(): void
}

/** Retries with exponential backoff. */
export function createRetry(): Retry {
  let failed = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let due: (() => void) | null = null
  const now = (): void => {
    clearTimeout(timer)
    const action = due
    due = null
    action?.()
  }
  addEventListener('online', now)
  return {
    schedule(action, atLeast = 0) {
      clearTimeout(timer)
      due = action
      timer = setTimeout(now, Math.max(atLeast, failed === 0 ? 0 : backoffMs(failed, RETRY_DELAYS)))
      failed += 1
    },
    reset() {
      failed = 0
    },
    stop() {
      clearTimeout(timer)
      due = null
      removeEventListener('online', now)
    },
  }
}
