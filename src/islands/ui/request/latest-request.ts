/** Runs requests of which only the newest is relevant, as in a search that starts with every keystroke. */
export interface LatestRequest {
  /**
   * Aborts the request before and starts this one. `onResult` gets its result, and `onError` its error, only if no other was
   * started or cancelled meanwhile: a late response to an older request is dropped.
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
    async run(request, onResult, onError = () => undefined) {
      cancel()
      const controller = new AbortController()
      current = controller
      let result: Awaited<ReturnType<typeof request>>
      try {
        result = await request(controller.signal)
      } catch (error) {
        if (current === controller) onError(error)
        return
      }
      if (current === controller) onResult(result)
    },
  }
}
