import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../http/refusal.ts'
import { type DateStyle, type DateStyles, dateText, readDateStyles } from './xlsx-dates.ts'
import { readXmlEvents } from './xlsx-xml.ts'

/** Maximum unpacked size of all parts that are read, and maximum number of parts of a workbook. */
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2
const MAX_ENTRIES = 1000
const MAX_COLUMNS = 200

/**
 * Rows of the first visible sheet of an XLSX workbook (ECMA-376, SpreadsheetML), with the saved values of formulas: dates
 * as `2026-11-05` or `2026-11-05 19:30`, and addresses of links (`mailto:`) whose text is another. Runs in a worker process
 * because the file is untrusted. Refuses with `unprocessable` (archive_damaged, archive_bomb, table_too_long).
 */
export async function readXlsx(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const [first] = await openSheets(bytes)
  return first?.(maxRows) ?? []
}

/** As readXlsx, of all sheets: the visible ones first. */
export async function readXlsxSheets(bytes: Uint8Array, maxRows: number): Promise<string[][][]> {
  return (await openSheets(bytes)).map((read) => read(maxRows))
}

const MAX_SHEETS = 20

async function openSheets(bytes: Uint8Array): Promise<((maxRows: number) => string[][])[]> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true }).catch(() => null)
  if (!zip) throw sheetRefusal('archive_damaged')
  const parts = await readParts(zip)
  const part = (path: string): string => parts.get(path) ?? ''
  const workbook = part('xl/workbook.xml')
  const paths = sheetPaths(workbook, part('xl/_rels/workbook.xml.rels')).filter((path) => parts.has(path))
  if (paths.length === 0) throw sheetRefusal('archive_damaged')
  const strings = readSharedStrings(part('xl/sharedStrings.xml'))
  const dates = readDateStyles(part('xl/styles.xml'), workbook)
  return paths.slice(0, MAX_SHEETS).map((path) => (maxRows) => {
    const nameStart = path.lastIndexOf('/') + 1
    const links = readLinks(part(`${path.slice(0, nameStart)}_rels/${path.slice(nameStart)}.rels`))
    return readSheet(part(path), { strings, dates, links }, maxRows)
  })
}

const NEEDED =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml|worksheets\/_rels\/[^/]+\.xml\.rels)$/

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

/** Paths of the sheets in the order of the workbook, hidden ones last. */
function sheetPaths(workbook: string, relations: string): string[] {
  const targets = new Map<string, string>()
  readXmlEvents(relations, (name, { Id, Target }) => {
    if (name === 'Relationship' && Id && Target) targets.set(Id, Target)
  })
  const [visible, hidden]: [string[], string[]] = [[], []]
  readXmlEvents(workbook, (name, attributes) => {
    if (name !== 'sheet') return
    const target = targets.get(attributes['r:id'] ?? attributes.id ?? '') ?? 'worksheets/sheet1.xml'
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (attributes.state?.toLowerCase().includes('hidden')) hidden.push(path)
    else visible.push(path)
  })
  const paths = [...new Set([...visible, ...hidden])]
  return paths.length > 0 ? paths : ['xl/worksheets/sheet1.xml']
}

/** The shared strings by index; phonetic hints are excluded. */
function readSharedStrings(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  readXmlEvents(
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

interface SheetContext {
  strings: readonly string[]
  dates: DateStyles
  /** Addresses of links by relationship id. */
  links: ReadonlyMap<string, string>
}

function readSheet(xml: string, { strings, dates, links }: SheetContext, maxRows: number): string[][] {
  const rows: string[][] = []
  const rowByNumber = new Map<number, string[]>()
  let row: string[] = []
  let rowNumber = 0
  let column = 0
  let type = ''
  let style = 0
  let value = ''
  let formula = ''
  let reads: 'value' | 'formula' | null = null
  readXmlEvents(
    xml,
    (name, attributes) => {
      if (name === 'row') {
        row = []
        column = 0
        rowNumber = Number(attributes.r ?? rowNumber + 1)
      }
      if (name === 'c') {
        column = attributes.r ? columnOf(attributes.r) : column
        type = attributes.t ?? 'n'
        style = Number(attributes.s ?? 0)
        value = ''
        formula = ''
      }
      if (name === 'hyperlink') writeLink(rowByNumber, attributes, links)
      reads = name === 'v' || name === 't' ? 'value' : name === 'f' ? 'formula' : null
    },
    (name) => {
      reads = null
      if (name === 'c') {
        if (column < MAX_COLUMNS) row[column] = linkOfFormula(formula) ?? cellText(type, value, strings, dates(style))
        column += 1
      }
      if (name === 'row' && row.some((cell) => cell?.trim())) {
        const cells = Array.from(row, (cell) => cell ?? '')
        rows.push(cells)
        rowByNumber.set(rowNumber, cells)
        if (rows.length > maxRows) throw sheetRefusal('table_too_long', maxRows)
      }
    },
    (data) => {
      if (reads === 'value') value += data
      if (reads === 'formula') formula += data
    },
  )
  return rows
}

function cellText(type: string, value: string, strings: readonly string[], date: DateStyle): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'e') return ''
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  if (date && number >= 1 && number < 2_958_466) return dateText(number + date.epochDays)
  // A long number in scientific notation: a phone or a contract.
  return /e/i.test(value) && Number.isSafeInteger(number) ? String(number) : value
}

/** A link to an address replaces a text that is another: «написати». */
function writeLink(
  rows: ReadonlyMap<number, string[]>,
  attributes: Record<string, string>,
  links: ReadonlyMap<string, string>,
): void {
  const address = addressOf(links.get(attributes['r:id'] ?? '') ?? '')
  const reference = /^([A-Z]{1,3})(\d{1,7})/.exec(attributes.ref ?? '')
  const row = reference ? rows.get(Number(reference[2])) : undefined
  const column = columnOf(attributes.ref ?? '')
  if (address && row && !row[column]?.includes('@')) row[column] = address
}

const linkOfFormula = (formula: string): string | null =>
  addressOf(/^HYPERLINK\("([^"]{1,500})"/i.exec(formula.trim())?.[1] ?? '')

function addressOf(link: string): string | null {
  const address = /^mailto:([^?]{1,254})/i.exec(link)?.[1]
  return address?.includes('@') ? address : null
}

function readLinks(relations: string): Map<string, string> {
  const links = new Map<string, string>()
  readXmlEvents(relations, (name, { Id, Target }) => {
    if (name === 'Relationship' && Id && Target) links.set(Id, Target)
  })
  return links
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const sheetRefusal = (field: string, max = 0): Refusal =>
  new Refusal('unprocessable', { fields: { file: [field] }, variables: { max } })
