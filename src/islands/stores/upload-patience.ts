import { CallError } from './call-error.ts'

/** What an upload waits for. */
export type Want = 'offline' | 'signedOut'

interface Patience {
  signal?: AbortSignal | undefined
  /** Called before each wait. */
  waits: (want: Want) => void
}

const LONGEST_MILLISECONDS = 30_000

/**
 * Tries again until it succeeds or is refused: a network that is gone, a server that starts and a session that has ended
 * are waited for as long as it takes. Throws refusals, and the signal's reason when it is called off.
 */
export async function persevere<T>(attempt: () => Promise<T>, { signal, waits }: Patience): Promise<T> {
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const want = wantOf(error)
      if (signal?.aborted || !want) throw error
      waits(want)
      await rest(Math.min(LONGEST_MILLISECONDS, 1000 * 2 ** failures), signal)
    }
  }
}

/** What would help, or null for a refusal that waiting does not change. */
function wantOf(error: unknown): Want | null {
  const { status } = CallError.from(error)
  if (status === 401) return 'signedOut'
  return status === 0 || status === 408 || status === 429 || status >= 500 ? 'offline' : null
}

/** Ends early when the network or the person comes back. Uneven, so that all tabs don't knock at once. */
function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      window.removeEventListener('focus', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds * (0.75 + Math.random() / 2))
    window.addEventListener('online', done)
    window.addEventListener('focus', done)
    signal?.addEventListener('abort', done)
  })
}
