import { HOUR_SECONDS } from '#lib/core/shared/time.ts'

/** Parses `12:30` or `1:02:30` to seconds; null if invalid. */
export function parseChapterTime(typed: string): number | null {
  const parts = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)$/.exec(typed.trim())
  if (!parts) return null
  const [, h = '0', m = '0', s = '0'] = parts
  return Number(h) * HOUR_SECONDS + Number(m) * 60 + Number(s)
}

/** Non-empty lines of a text. */
export const splitLines = (typed: string): string[] =>
  typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
