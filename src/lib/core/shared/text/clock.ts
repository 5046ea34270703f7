/** A duration in seconds as `1:02:03` or `2:03`, in every language; `0:00` for a negative or unknown one. */
export function formatClock(seconds: number): string {
  const clock = formatLongClock(seconds)
  return clock.startsWith('0:') ? clock.slice(clock.startsWith('0:0') ? 3 : 2) : clock
}

/** A duration in seconds with hours: `0:02:03`. */
export function formatLongClock(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const twoDigits = (value: number) => String(value % 60).padStart(2, '0')
  const minutes = Math.floor(wholeSeconds / 60)
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes)}:${twoDigits(wholeSeconds)}`
}

/** An offset from the start of an event in milliseconds as `1:02:03` or `12:03`; before the start with a minus. */
export function formatClockOffset(offsetMs: number): string {
  const seconds = Math.floor(Math.abs(offsetMs) / 1000)
  return `${offsetMs < 0 && seconds > 0 ? '−' : ''}${formatClock(seconds)}`
}
