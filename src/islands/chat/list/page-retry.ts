const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000
/** Requests without the button after the first one has failed, until the network returns or one succeeds. */
const MAX_RETRIES = 5

/** Decides when a page that could not be loaded is requested again without the button. */
interface PageRetry {
  recordSuccess(): void
  recordFailure(): void
  /** The network has returned: the page may be requested immediately, and the number of retries starts again. */
  recordOnline(): void
  /** Whether the page may be requested again because the person has scrolled. */
  canRetry(): boolean
}

export function createPageRetry(now: () => number = Date.now): PageRetry {
  let failures = 0
  let retryAt = 0
  const reset = () => {
    failures = 0
    retryAt = 0
  }
  return {
    recordSuccess: reset,
    recordOnline: reset,
    recordFailure() {
      failures += 1
      retryAt = now() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
    },
    canRetry: () => failures <= MAX_RETRIES && now() >= retryAt,
  }
}
