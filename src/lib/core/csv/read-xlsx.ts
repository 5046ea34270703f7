import { buffer } from 'node:stream/consumers'
import { Parser } from 'htmlparser2'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../http/refusal.ts'

/** Maximum unpacked size of all parts that are read, and maximum number of parts of a workbook. */
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2
const MAX_ENTRIES = 1000
const MAX_COLUMNS = 200

/**
 * Rows of the first sheet of an XLSX workbook (ECMA-376, SpreadsheetML), with the saved values of formulas. Runs in a
 * worker process because the file is untrusted. Refuses with `unprocessable` (archive_damaged, archive_bomb,
 * table_too_long).
 */
export async function readXlsx(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true }).catch(() => null)
  if (!zip) throw sheetRefusal('archive_damaged')
  const parts = await readParts(zip)
  const sheetPath = firstSheetPath(parts.get('xl/workbook.xml') ?? '', parts.get('xl/_rels/workbook.xml.rels') ?? '')
  const sheet = parts.get(sheetPath)
  if (sheet === undefined) throw sheetRefusal('archive_damaged')
  return readSheet(sheet, readSharedStrings(parts.get('xl/sharedStrings.xml') ?? ''), maxRows)
}

const NEEDED = /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/

// yauzl rejects entries that unpack to more than they declare, so the declared sizes can be trusted.
async function readParts(zip: ZipFile): Promise<Map<string, string>> {
  if (zip.entryCount > MAX_ENTRIES) throw sheetRefusal('archive_bomb')
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) if (NEEDED.test(entry.fileName)) entries.push(entry)
  } catch {
    throw sheetRefusal('archive_damaged')
  }
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (unpacked > MAX_UNPACKED_BYTES) throw sheetRefusal('archive_bomb')
  const parts = new Map<string, string>()
  for (const entry of entries) {
    const content = await zip
      .openReadStreamPromise(entry)
      .then(buffer)
      .catch(() => {
        throw sheetRefusal('archive_damaged')
      })
    parts.set(entry.fileName, content.toString('utf8'))
  }
  return parts
}

function firstSheetPath(workbook: string, relations: string): string {
  let relation: string | undefined
  parseXml(workbook, (name, attributes) => {
    if (name === 'sheet') relation ??= attributes['r:id'] ?? attributes.id
  })
  let target = 'worksheets/sheet1.xml'
  parseXml(relations, (name, attributes) => {
    if (name === 'Relationship' && attributes.Id === relation && attributes.Target) target = attributes.Target
  })
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** The shared strings by index; phonetic hints are excluded. */
function readSharedStrings(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  parseXml(
    xml,
    (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    (name) => {
      if (name === 'si') strings.push(text)
      if (name === 'rPh') isPhonetic = false
      isText = false
    },
    (data) => {
      if (isText) text += data
    },
  )
  return strings
}

function readSheet(xml: string, strings: readonly string[], maxRows: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let column = 0
  let type = ''
  let value = ''
  let isValue = false
  parseXml(
    xml,
    (name, attributes) => {
      if (name === 'row') {
        row = []
        column = 0
      }
      if (name === 'c') {
        column = attributes.r ? columnOf(attributes.r) : column
        type = attributes.t ?? 'n'
        value = ''
      }
      isValue = name === 'v' || name === 't'
    },
    (name) => {
      isValue = false
      if (name === 'c') {
        if (column < MAX_COLUMNS) row[column] = type === 's' ? (strings[Number(value)] ?? '') : value
        column += 1
      }
      if (name === 'row' && row.some((cell) => cell?.trim())) {
        rows.push(Array.from(row, (cell) => cell ?? ''))
        if (rows.length > maxRows) throw sheetRefusal('table_too_long', maxRows)
      }
    },
    (data) => {
      if (isValue) value += data
    },
  )
  return rows
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function parseXml(
  xml: string,
  open: (name: string, attributes: Record<string, string>) => void,
  close: (name: string) => void = () => {},
  text: (data: string) => void = () => {},
): void {
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(local(name), attributes),
      onclosetag: (name) => close(local(name)),
      ontext: text,
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}

const sheetRefusal = (field: string, max = 0): Refusal =>
  new Refusal('unprocessable', { fields: { file: [field] }, variables: { max } })
