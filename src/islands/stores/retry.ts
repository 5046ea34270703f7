import { type Backoff, backoffMs } from '#lib/core/shared/backoff.ts'
import { CallError } from './call-error.ts'

/** Why a call is waiting: for the network or server, or for a new sign-in. */
export type WaitReason = 'offline' | 'signedOut'

interface RetryContext {
  signal?: AbortSignal | undefined
  /** Called before each wait, with the error of the last attempt. */
  onWait: (reason: WaitReason, failure: CallError) => void
  /** False for calls with their own token, for which a missing session is a refusal. */
  waitsForSignIn?: boolean
  backoff?: Backoff
}

const DEFAULT_BACKOFF: Backoff = { firstMs: 1000, maxMs: 30_000, jitter: 0.25 }

/**
 * Calls `attempt` until it succeeds or is refused. Without a network, an available server or a session it retries with
 * backoff and no limit, and at once when the network or the focus returns; after `too_many` after the time given by the
 * server. Throws refusals, repeated faults of the server, and the signal's reason when it is aborted.
 */
export async function retryUntilAccepted<T>(
  attempt: () => Promise<T>,
  { signal, onWait, waitsForSignIn = true, backoff = DEFAULT_BACKOFF }: RetryContext,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const failure = CallError.from(error)
      const isSignedOut = failure.status === 401 && waitsForSignIn
      if (signal?.aborted || (!isSignedOut && !failure.mayRetry(failures))) throw error
      onWait(isSignedOut ? 'signedOut' : 'offline', failure)
      await waitBeforeRetry(failure, backoffMs(failures, backoff), signal)
    }
  }
}

/** Waits; ends early when the signal is aborted and, if the call did not reach a working server, when the network or the focus returns. */
function waitBeforeRetry(failure: CallError, backoffDelayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { retryAfterSeconds } = failure.data
  const isThrottled = failure.code === 'too_many' && typeof retryAfterSeconds === 'number'
  const waitMs = isThrottled ? retryAfterSeconds * 1000 : backoffDelayMs
  const endsEarly = !isThrottled && !failure.broken
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      window.removeEventListener('focus', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    if (endsEarly) window.addEventListener('online', done)
    if (endsEarly) window.addEventListener('focus', done)
    signal?.addEventListener('abort', done)
  })
}
