import { readCsv } from '#lib/core/csv/csv.ts'
import { decodeTable } from '#lib/core/csv/decode.ts'
import { readXlsxSheets } from '#lib/core/csv/read-xlsx.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findHeaderRow } from './header-row.ts'
import { MAX_IMPORT_ROWS } from './schema.ts'

export interface ParsedTable {
  /** Null: the first row is data. */
  heading: string[] | null
  rows: string[][]
}

const MAX_COLUMNS = 200
const MAX_CELL = 500

/**
 * Reads a table of students from a CSV or XLSX file or from pasted text, in a worker process. Refuses with unprocessable:
 * not_a_table, table_empty, table_too_long, import_no_email, archive_damaged, archive_bomb.
 */
export async function parseStudentTable({ bytes }: { bytes: Uint8Array }): Promise<ParsedTable> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
  const table = isZip ? await readSheet(bytes) : readTable(bytes)
  const rows = table.map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cleanCell(cell)))
  if (rows.length === 0) throw importRefusal('table_empty')
  const header = findHeaderRow(rows)
  const heading = header === null ? null : (rows[header] ?? [])
  const body = header === null ? rows : rows.slice(header + 1)
  if (body.length === 0) throw importRefusal('table_empty')
  if (body.length > MAX_IMPORT_ROWS) throw importRefusal('table_too_long')
  if (!body.some((row) => row.some((cell) => cell.includes('@')))) throw importRefusal('import_no_email')
  return { heading, rows: body }
}

/** The first sheet with addresses, else the first. */
async function readSheet(bytes: Uint8Array): Promise<string[][]> {
  const sheets = await readXlsxSheets(bytes, MAX_IMPORT_ROWS + 40)
  return sheets.find((rows) => rows.some((row) => row.some((cell) => cell.includes('@')))) ?? sheets[0] ?? []
}

function readTable(bytes: Uint8Array): string[][] {
  const text = decodeTable(bytes)
  if (text === null || /^\s*(<!doctype|<html|<\?xml|\{|%PDF)/i.test(text)) throw importRefusal('not_a_table')
  return readCsv(text, { maxRows: MAX_IMPORT_ROWS + 40 })
}

const cleanCell = (cell: string): string =>
  cell.toWellFormed().replaceAll('\u0000', '').replaceAll('\ufeff', '').trim().slice(0, MAX_CELL)

const importRefusal = (key: string): Refusal =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables: { max: MAX_IMPORT_ROWS } })
