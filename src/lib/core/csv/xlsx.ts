import { makeZip } from 'client-zip'
import { escapeXmlText } from '../shared/text/escape.ts'

/*
 * A workbook of one sheet (ECMA-376, SpreadsheetML) written as a stream. Cells are inline strings and numbers, so that
 * no table of shared strings has to be kept in memory and no text is interpreted as a formula.
 */

/** Content type of an XLSX file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Writes an XLSX file while its rows are read. */
export function writeXlsx(rows: AsyncIterable<readonly (string | number | null)[]>): ReadableStream<Uint8Array> {
  const lastModified = new Date()
  const part = (name: string, input: string | AsyncIterable<Uint8Array>) => ({ name, input, lastModified })
  return makeZip([
    part('[Content_Types].xml', CONTENT_TYPES),
    part('_rels/.rels', relations(['officeDocument', 'xl/workbook.xml'])),
    part('xl/workbook.xml', WORKBOOK),
    part('xl/_rels/workbook.xml.rels', relations(['worksheet', 'worksheets/sheet1.xml'])),
    part('xl/worksheets/sheet1.xml', sheetXml(rows)),
  ])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
const WORKBOOK = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="1" sheetId="1" r:id="r1"/></sheets></workbook>`

const relations = ([type, target]: [string, string]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

async function* sheetXml(rows: AsyncIterable<readonly (string | number | null)[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`${XML}<worksheet xmlns="${MAIN}"><sheetData>`)
  let chunk = ''
  for await (const row of rows) {
    chunk += `<row>${row.map(cellXml).join('')}</row>`
    if (chunk.length < CHUNK) continue
    yield encoder.encode(chunk)
    chunk = ''
  }
  yield encoder.encode(`${chunk}</sheetData></worksheet>`)
}

const CHUNK = 32_768

function cellXml(value: string | number | null): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXmlText(value)}</t></is></c>`
}
