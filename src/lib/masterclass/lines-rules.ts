/** `12:30`, or `1:02:30`, to seconds; null where it is no such time. */
export function secondsFrom(typed: string): number | null {
  const parts = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)$/.exec(typed.trim())
  if (!parts) return null
  const [, h = '0', m = '0', s = '0'] = parts
  return Number(h) * 3600 + Number(m) * 60 + Number(s)
}

/** Seconds to `12:30` or `1:02:30`. */
export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** Lines of a text that hold anything. */
export const linesOf = (typed: string): string[] =>
  typed
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
