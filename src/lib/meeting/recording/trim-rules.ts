import { formatClock } from '#lib/core/shared/text/clock.ts'

/** Parses a time (1:02:03, 2:03, 123) to seconds; null if invalid. */
export function parseTrimTime(text: string): number | null {
  const parts = text.trim().split(':')
  if (parts.length > 3 || !parts.every((part) => /^\d{1,5}$/.test(part))) return null
  const [first = 0, ...rest] = parts.map(Number)
  if (rest.some((part) => part > 59)) return null
  return rest.reduce((sum, part) => sum * 60 + part, first)
}

/** Seconds as h:mm:ss, or m:ss below an hour. */
export const formatTrimTime = (seconds: number): string => formatClock(Math.round(seconds))

/** Whether the range is within a video of this length and lasts a second or more. Seconds. */
export const isValidRange = ({ from, to }: { from: number; to: number }, lengthSeconds: number): boolean =>
  from >= 0 && to - from >= 1 && to <= Math.ceil(lengthSeconds)
