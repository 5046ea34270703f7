const PART = /\{(TENANT|YYYY|YY|MM|COURSE|SEQ[1-9])\}/g

/** Whether a format of numbers has exactly one sequence and nothing else in braces. */
export function isNumberFormat(format: string): boolean {
  const sequences = format.match(/\{SEQ[1-9]\}/g) ?? []
  return sequences.length === 1 && !/[{}]/.test(format.replace(PART, ''))
}

export interface NumberParts {
  subdomain: string
  courseSlug: string
  /** The day of issue in the time zone of the school, `2026-11-23`. */
  day: string
}

/**
 * The text before and after the sequence of a number. Both identify the counter: a sequence restarts when they change,
 * e.g. with the year.
 */
export function numberSides(format: string, parts: NumberParts): { before: string; after: string; digits: number } {
  const values: Record<string, string> = numberPartValues(parts)
  const filled = format.replace(PART, (whole, name: string) => values[name] ?? whole)
  const [sequence = '{SEQ5}'] = filled.match(/\{SEQ[1-9]\}/) ?? []
  const [before = '', after = ''] = filled.split(sequence)
  return { before, after, digits: Number(sequence.at(-2)) }
}

/** The values of the parts of a number other than its sequence, by their names. */
export function numberPartValues({ subdomain, courseSlug, day }: NumberParts) {
  const [year = '', month = ''] = day.split('-')
  return { TENANT: subdomain.toUpperCase(), COURSE: courseSlug.toUpperCase(), YYYY: year, YY: year.slice(2), MM: month }
}

/** A number with its sequence, padded to the number of digits; longer ones are not truncated. */
export function formatCertificateNumber(
  { before, after, digits }: ReturnType<typeof numberSides>,
  place: number,
): string {
  return `${before}${String(place).padStart(digits, '0')}${after}`
}
