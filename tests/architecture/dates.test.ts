import { expect, test } from 'vitest'
import { exportedDates, WRITES_TABLE } from './checks/exports.ts'
import { nativeFields } from './checks/shared-components.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  '<input type="date" name="from" />',
  '<FormField name="startAt" type="datetime-local" />',
  "<Field type={'time'} />",
  "const field = { type: 'month' }",
])('%j is a date field in the language of the browser', (source) => {
  expect(nativeFields(file('src/pages/a.astro', `---\n---\n${source}`))).toHaveLength(1)
})

test('other fields may be native', () => {
  expect(nativeFields(file('src/pages/a.astro', '<input type="datetime" /><p>type="dates"</p>'))).toEqual([])
})

test('dates and times are entered in DateField', () => {
  expect(report(readCode('src').flatMap(nativeFields))).toEqual([])
})

test.each(['formatDateTime(row.at, zone, locale)', 'row.at.toISOString()', 'new Intl.DateTimeFormat()'])(
  'an export may not write %s',
  (date) => {
    expect(exportedDates(file('src/lib/a.ts', `writeCsv([], [[${date}]])`))).toHaveLength(1)
  },
)

test('all exports write ISO dates with their zone', () => {
  const files = readCode('src')
  expect(files.filter(({ source }) => WRITES_TABLE.test(source)).length).toBeGreaterThan(8)
  expect(report(files.flatMap(exportedDates))).toEqual([])
})
