import { backoffMs } from '#lib/core/shared/backoff.ts'

const RETRY_DELAYS = { firstMs: 300, maxMs: 5000 }

export interface Retry {
  /** Runs `act` after the pause that is due; sooner when the network comes back. A later call takes its place. */
  schedule(act: () => void, atLeast?: number): void
  /** It worked: the next trouble is met at once. */
  reset(): void
  stop(): void
}

/** Patience of something that is to go on whatever happens to the network. */
export function createRetry(): Retry {
  let failed = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let due: (() => void) | null = null
  const now = (): void => {
    clearTimeout(timer)
    const act = due
    due = null
    act?.()
  }
  addEventListener('online', now)
  return {
    schedule(act, atLeast = 0) {
      clearTimeout(timer)
      due = act
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
