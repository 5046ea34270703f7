/** Seconds as «1:02:03» or «2:03», in every language. */
export function formatClock(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const pair = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(wholeSeconds / 60)
  if (minutes < 60) return `${minutes}:${pair(wholeSeconds % 60)}`
  return `${Math.floor(minutes / 60)}:${pair(minutes % 60)}:${pair(wholeSeconds % 60)}`
}
