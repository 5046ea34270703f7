import { readXmlEvents } from './xlsx-xml.ts'

/** The style of a cell whose number is a date; null for any other. `epochDays` converts its day to that of 1900. */
export type DateStyle = { epochDays: number } | null
export type DateStyles = (style: number) => DateStyle

/** Number formats of dates and times (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])
/** From 1900-01-01 to 1904-01-01, with the leap day that spreadsheets count in 1900. */
const DAYS_TO_1904 = 1462

/** Which styles of a workbook are dates, by their number formats. */
export function readDateStyles(styles: string, workbook: string): DateStyles {
  const dateFormats = new Set(DATE_FORMATS)
  const isDate: boolean[] = []
  let isCellStyle = false
  readXmlEvents(
    styles,
    (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt' && isDateFormat(formatCode ?? '')) dateFormats.add(Number(numFmtId))
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) isDate.push(dateFormats.has(Number(numFmtId ?? 0)))
    },
    (name) => {
      if (name === 'cellXfs') isCellStyle = false
    },
  )
  let epochDays = 0
  readXmlEvents(workbook, (name, { date1904 }) => {
    if (name === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) epochDays = DAYS_TO_1904
  })
  return (style) => (isDate[style] ? { epochDays } : null)
}

/** Whether a format has a year or a day, outside quotes, escapes and colors. */
function isDateFormat(code: string): boolean {
  for (let at = 0; at < code.length; at += 1) {
    const sign = code.charAt(at)
    if (sign === '"' || sign === '[') {
      at = code.indexOf(sign === '"' ? '"' : ']', at + 1)
      if (at < 0) return false
    } else if ('\\_*'.includes(sign)) at += 1
    else if ('yYdD'.includes(sign)) return true
  }
  return false
}

/** A serial day as text: `2026-11-05`, with the time if there is one. Day 1 is 1900-01-01; 1900-02-29 is counted. */
export function dateText(serial: number): string {
  const days = serial < 60 ? serial + 1 : serial
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000).toISOString()
  const [day = '', time = ''] = text.split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`
}
