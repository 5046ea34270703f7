import Papa from 'papaparse'
import { isoWithOffset } from '../shared/time-zone.ts'

export type CsvCell = string | number | null | undefined

/** The byte order mark lets Excel recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
// A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. A cell that already starts
// with such an apostrophe is prefixed too, so that reading always removes exactly one.
const FORMULA_START = /^'*[=+\-@\t\r]/
const FORMULA_ESCAPE = /^'(?='*[=+\-@\t\r])/

const DECLARED_DELIMITER = /^\ufeff?"?sep=([,;\t|:])"?[,;\t]*(?:\r\n|\n|\r)/i

/**
 * Formats a table as a CSV file (RFC 4180) that Excel opens directly. The header row is always included. `delimiter` is
 * a comma by default.
 */
export function writeCsv(
  heading: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  { delimiter = ',' }: { delimiter?: string } = {},
): string {
  return `${BYTE_ORDER_MARK}${formatCsvRows([heading, ...rows], { delimiter })}`
}

/** Rows of a CSV file without the byte order mark and the header, for files that are written in parts. */
export function formatCsvRows(
  rows: readonly (readonly CsvCell[])[],
  { delimiter = ',' }: { delimiter?: string } = {},
): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map((cell) => cell ?? ''))
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA_START, newline: '\r\n', delimiter })}\r\n`
}

/**
 * Rows of a CSV file or of cells pasted from a spreadsheet, with the prefixes of `writeCsv` removed; empty rows are
 * skipped. Stops after `maxRows`. The delimiter is detected by default, or read from a first line `sep=;`, which Excel writes.
 */
export function readCsv(
  text: string,
  { maxRows = 0, delimiter = '' }: { maxRows?: number; delimiter?: string } = {},
): string[][] {
  const [first, declared] = DECLARED_DELIMITER.exec(text) ?? []
  const table = text.slice(first?.length ?? 0).replace(BYTE_ORDER_MARK, '')
  const { data } = Papa.parse<string[]>(table, {
    skipEmptyLines: 'greedy',
    preview: maxRows,
    delimiter: delimiter || declared || delimiterOfHeading(table),
    delimitersToGuess: DELIMITERS,
  })
  return data.map((row) => row.map((cell) => cell.replace(FORMULA_ESCAPE, '')))
}

const DELIMITERS = [',', ';', '\t']
const GUESSED_ROWS = 20

/**
 * The only delimiter that divides both the first row and most of the next ones; empty when there is none or several,
 * so that the widths of all rows decide. In a short table, characters within cells can outnumber the delimiters.
 */
function delimiterOfHeading(table: string): string {
  const possible = DELIMITERS.filter((delimiter) => {
    const { data } = Papa.parse<string[]>(table, { delimiter, preview: GUESSED_ROWS, skipEmptyLines: 'greedy' })
    const [heading, ...rows] = data.map(({ length }) => length > 1)
    return heading === true && rows.filter(Boolean).length * 2 >= rows.length
  })
  return possible.length === 1 ? (possible[0] ?? '') : ''
}

/**
 * Formats an instant for exports: ISO 8601 with the offset of a zone, `2026-10-25T19:00:00+02:00`; an empty string for
 * null.
 */
export const formatCsvInstant = (at: Date | null | undefined, zone: string): string =>
  at ? isoWithOffset(at, zone) : ''

/** A response with a CSV file that is saved under this name and never cached. */
export function createCsvResponse(body: BodyInit, fileName: string): Response {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'private, no-store',
  }
  return new Response(body, { headers })
}
