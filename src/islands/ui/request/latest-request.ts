/** Runs requests of which only the newest is relevant, as in a search that starts with every keystroke. */
export interface LatestRequest {
  /**
   * Aborts the previous request and starts this one. `onResult` receives its result, and `onError` its error, unless
   * another one was started or canceled meanwhile: a late response to an older request is ignored.
   */
  run<T>(
    request: (signal: AbortSignal) => Promise<T>,
    onResult: (result: T) => void,
    onError?: (error: unknown) => void,
  ): Promise<void>
  /** Aborts the current request. */
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
