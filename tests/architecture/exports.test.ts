import { expect, test } from 'vitest'
import type { SourceFile, Violation } from './checks/source.ts'
import { file, readCode, report } from './checks/source-tree.ts'

const WRITES_TABLE = /\b(?:writeCsv|formatCsvRows|writeXlsx)\(/
const FORMATS_DATE = /\b(?:format\w*(?:Date|Day|Time)\w*|toISOString|toLocale\w*|toUTCString)\(|\bIntl\./

/** Exports write instants by `formatCsvInstant`: ISO 8601 with the offset of the reader's zone. */
function otherDates({ path, source }: SourceFile): Violation[] {
  const found = WRITES_TABLE.test(source) ? FORMATS_DATE.exec(source) : null
  return found ? [{ path, message: `writes a date by ${found[0]}; use formatCsvInstant` }] : []
}

test.each(['formatDateTime(row.at, zone, locale)', 'row.at.toISOString()', 'new Intl.DateTimeFormat()'])(
  'an export may not write %s',
  (date) => {
    expect(otherDates(file('src/lib/a.ts', `writeCsv([], [[${date}]])`))).toHaveLength(1)
  },
)

test('all exports write ISO dates with their zone', () => {
  const files = readCode('src')
  expect(files.filter(({ source }) => WRITES_TABLE.test(source)).length).toBeGreaterThan(8)
  expect(report(files.flatMap(otherDates))).toEqual([])
})
