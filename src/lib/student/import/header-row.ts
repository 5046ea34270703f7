import { headingMeaning } from './headings.ts'

/** Rows above the heading: a title, a date, empty rows. */
const MAX_TITLE_ROWS = 30
const ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/

/**
 * Index of the heading of a table: above the first address, the row with the most known headings, else the widest one.
 * Null for a table that begins with its data.
 */
export function findHeaderRow(rows: readonly (readonly string[])[]): number | null {
  const firstData = rows.findIndex((row) => row.some((cell) => ADDRESS.test(cell)))
  const above = rows.slice(0, Math.min(firstData < 0 ? 1 : firstData, MAX_TITLE_ROWS))
  if (above.length === 0) return null
  const known = above.map((row) => row.filter((cell) => cell !== '' && headingMeaning(cell) !== null).length)
  const best = Math.max(...known)
  if (best > 0) return known.indexOf(best)
  const widths = above.map((row) => row.filter((cell) => cell !== '').length)
  return widths.indexOf(Math.max(...widths))
}
