import { backoffMs } from '#lib/core/shared/backoff.ts'
import { CallError } from '../call-error.ts'

/** What an upload waits for. */
export type Want = 'offline' | 'signedOut'

interface Patience {
  signal?: AbortSignal | undefined
  /** Called before each wait. */
  waits: (want: Want) => void
}

const RETRY = { firstMs: 1000, longestMs: 30_000, jitter: 0.25 }

/**
 * Tries again until it succeeds or is refused: a network that is gone, a server that starts and a session that has ended
 * are waited for as long as it takes. Throws refusals, a fault of the server that comes back, and the signal's reason when it is called off.
 */
export async function persevere<T>(attempt: () => Promise<T>, { signal, waits }: Patience): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const want = wantOf(error, failures)
      if (signal?.aborted || !want) throw error
      waits(want)
      await rest(backoffMs(failures, RETRY), signal)
    }
  }
}

/** What would help, or null for a refusal that waiting does not change. */
function wantOf(error: unknown, tries: number): Want | null {
  const failure = CallError.from(error)
  if (failure.status === 401) return 'signedOut'
  return failure.mayRetry(tries) ? 'offline' : null
}

/** Ends early when the network or the person comes back. */
function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
