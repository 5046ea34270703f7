import Papa from 'papaparse'
import { isoWithOffset } from '../shared/time-zone.ts'

export type CsvCell = string | number | null | undefined

/** The byte order mark tells Excel that the letters are UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
// A cell that a spreadsheet would take for a formula is written with an apostrophe before it, and so is one that begins
// with such an apostrophe already, so that reading takes exactly one away.
const FORMULA_START = /^'*[=+\-@\t\r]/
const FORMULA_ESCAPE = /^'(?='*[=+\-@\t\r])/

/**
 * A table as a CSV file (RFC 4180) that Excel opens by itself, the heading always included.
 * `delimiter`: a comma unless said otherwise.
 */
export function writeCsv(
  heading: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  { delimiter = ',' }: { delimiter?: string } = {},
): string {
  return `${BYTE_ORDER_MARK}${formatCsvRows([heading, ...rows], { delimiter })}`
}

/** Lines of such a file without its beginning, for files that are written in parts. */
export function formatCsvRows(
  rows: readonly (readonly CsvCell[])[],
  { delimiter = ',' }: { delimiter?: string } = {},
): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map((cell) => cell ?? ''))
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA_START, newline: '\r\n', delimiter })}\r\n`
}

/**
 * Rows of a CSV file or of cells pasted from a spreadsheet, as they were before `writeCsv`; empty rows are left out. Stops
 * after `maxRows`. The delimiter is guessed unless said.
 */
export function readCsv(
  text: string,
  { maxRows = 0, delimiter = '' }: { maxRows?: number; delimiter?: string } = {},
): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(BYTE_ORDER_MARK, ''), {
    skipEmptyLines: 'greedy',
    preview: maxRows,
    delimiter,
    delimitersToGuess: [',', ';', '\t'],
  })
  return data.map((row) => row.map((cell) => cell.replace(FORMULA_ESCAPE, '')))
}

/** An instant as exports write it: ISO 8601 with the offset of a zone, `2026-10-25T19:00:00+02:00`; '' for none. */
export const formatCsvInstant = (at: Date | null | undefined, zone: string): string =>
  at ? isoWithOffset(at, zone) : ''

/** An answer with a CSV file that is saved under this name and never cached. */
export function createCsvResponse(body: BodyInit, fileName: string): Response {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'private, no-store',
  }
  return new Response(body, { headers })
}
