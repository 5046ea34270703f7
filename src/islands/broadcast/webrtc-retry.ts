/**
 * Plans the next attempt of WebRTC while HLS is playing, `intervalMs` after the first playback. Playback starts again after
 * every stall of HLS and in every new HLS playback; the time of the attempt does not change.
 */
export function createWebrtcRetry(intervalMs: number) {
  let delayMs = intervalMs
  /** Time of the next attempt; null before it is known. */
  let at: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    schedule(run: () => void): void {
      at ??= Date.now() + Math.min(delayMs, intervalMs)
      delayMs = intervalMs
      clearTimeout(timer)
      timer = setTimeout(run, Math.max(0, at - Date.now()))
    },
    /** The first attempt follows after this time, at the latest. */
    shortenTo(milliseconds: number): void {
      delayMs = milliseconds
    },
    /** The planned attempt does not take place. */
    cancel(): void {
      clearTimeout(timer)
      at = null
    },
  }
}
