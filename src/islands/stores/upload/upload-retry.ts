import { backoffMs } from '#lib/core/shared/backoff.ts'
import { CallError } from '../call-error.ts'

/** Why an upload waits: for the network or server, or for a new sign-in. */
export type WaitReason = 'offline' | 'signedOut'

interface RetryContext {
  signal?: AbortSignal | undefined
  /** Called before each wait. */
  onWait: (reason: WaitReason) => void
}

const RETRY = { firstMs: 1000, maxMs: 30_000, jitter: 0.25 }

/**
 * Calls `attempt` until it succeeds or is refused. Without a network, an available server or a session it retries with
 * backoff and no limit. Throws refusals, repeated faults of the server, and the signal's reason when it is aborted.
 */
export async function retryUntilAccepted<T>(
  attempt: () => Promise<T>,
  { signal, onWait: waits }: RetryContext,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const reason = waitReasonOf(error, failures)
      if (signal?.aborted || !reason) throw error
      waits(reason)
      await waitOrResume(backoffMs(failures, RETRY), signal)
    }
  }
}

/** The reason to wait; null for a refusal, which a later attempt would get again. */
function waitReasonOf(error: unknown, tries: number): WaitReason | null {
  const failure = CallError.from(error)
  if (failure.status === 401) return 'signedOut'
  return failure.mayRetry(tries) ? 'offline' : null
}

/** Waits; ends early when the network or the focus returns or the signal is aborted. */
function waitOrResume(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      window.removeEventListener('focus', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    window.addEventListener('focus', done)
    signal?.addEventListener('abort', done)
  })
}
