/** A number within the limits of a setting; null for none, and for one that is below them. */
export function limited(value: number, min: number, max: number): number | null {
  return Number.isFinite(value) && value >= min ? Math.min(max, Math.round(value)) : null
}

/** An instant of another system as ours; Moodle counts seconds. Null for none. */
export function dateOf(text: string): string | null {
  if (text === '' || text === '0') return null
  const date = /^\d{1,11}$/.test(text)
    ? new Date(Number(text) * 1000)
    : new Date(text.endsWith('Z') ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** When a test is open; a pair that is not in order is ignored. */
export function pairOfDates(openAt: string | null, closeAt: string | null) {
  return openAt && closeAt && openAt >= closeAt ? { openAt: null, closeAt: null } : { openAt, closeAt }
}
