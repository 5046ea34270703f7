/** Requests of which only the newest counts, as in a search that asks again with each letter. */
export interface LatestRequest {
  /**
   * Aborts the request before and starts this one. `take` gets its result, and `failed` its error, only if no other was
   * started or cancelled meanwhile: a late answer to an older question is dropped.
   */
  run<T>(
    request: (signal: AbortSignal) => Promise<T>,
    onResult: (result: T) => void,
    onError?: (error: unknown) => void,
  ): Promise<void>
  /** Drops the request that is under way. */
  cancel(): void
}

export function createLatestRequest(): LatestRequest {
  let current: AbortController | undefined
  const cancel = () => {
    current?.abort()
    current = undefined
  }
  return {
    cancel,
    async run(request, take, failed = () => undefined) {
      cancel()
      const own = new AbortController()
      current = own
      let result: Awaited<ReturnType<typeof request>>
      try {
        result = await request(own.signal)
      } catch (error) {
        if (current === own) failed(error)
        return
      }
      if (current === own) take(result)
    },
  }
}
