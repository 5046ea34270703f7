import type { SourceFile, Violation } from './source.ts'

/** Calls that write a CSV or XLSX file. */
export const WRITES_TABLE = /\b(?:writeCsv|formatCsvRows|writeXlsx)\(/
const FORMATS_DATE = /\b(?:format\w*(?:Date|Day|Time)\w*|toISOString|toLocale\w*|toUTCString)\(|\bIntl\./

/** Dates in exports that are not formatted by `formatCsvInstant`: ISO 8601 with the offset of the reader's zone. */
export function exportedDates({ path, source }: SourceFile): Violation[] {
  const found = WRITES_TABLE.test(source) ? FORMATS_DATE.exec(source) : null
  return found ? [{ path, message: `writes a date by ${found[0]}; use formatCsvInstant` }] : []
}
