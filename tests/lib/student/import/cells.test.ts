import { expect, test } from 'vitest'
import type { ImportTarget } from '#lib/core/shared/student-import.ts'
import { readEmailCell, readPhoneCell } from '#lib/student/import/cells.ts'
import { readRow } from '#lib/student/import/columns.ts'

test.each([
  [' olena@cells.test '],
  ['mailto:olena@cells.test'],
  ['MAILTO:Olena@Cells.test?subject=x'],
  ['Олена Коваль <olena@cells.test>'],
  ['"Коваль, Олена" <olena@cells.test>'],
  ['<olena@cells.test>'],
  ['olena@cells.test;'],
  ['olena@cells.test.'],
  ['[olena@cells.test](mailto:olena@cells.test)'],
  ['\u200bolena@cells.test\u00a0'],
])('the address of %j is read', (cell) => {
  expect(readEmailCell(cell)).toMatchObject({ email: 'olena@cells.test', isFirst: false, reason: null })
})

test.each([
  'olena@cells.test, ihor@cells.test',
  'olena@cells.test ; ihor@cells.test',
  'olena@cells.test\nihor@cells.test',
  'помилка@, olena@cells.test',
])('the first address of %j is read, and told to be one of several', (cell) => {
  expect(readEmailCell(cell)).toMatchObject({ email: 'olena@cells.test', isFirst: true })
})

test.each([
  ['', 'email_missing'],
  ['немає', 'email_invalid'],
  ['olena@cells', 'email_no_dot'],
  ['olena@сells.test', 'email_look_alike'],
  ['оlena@cells.test', 'email_look_alike'],
  ['olena@cells.сом', 'email_look_alike'],
  ['mailto:olena@сells.test', 'email_look_alike'],
  ['olena@@cells.test', 'email_invalid'],
])('the reason why %j is no address is reported', (cell, reason) => {
  expect(readEmailCell(cell)).toMatchObject({ email: null, reason })
})

test.each([
  ['+380 67 123-45-67', '+380 67 123-45-67', null],
  ["'0671234567", '0671234567', null],
  ['tel:+380671234567', '+380671234567', null],
  ['380671234567.0', '380671234567', null],
  ['3.80671234567E+11', '380671234567', null],
  ['3,80501E+11', null, 'phone_scientific'],
  ['3.805E11', null, 'phone_scientific'],
  ['501234567', '501234567', 'phone_unusual'],
  ['38050123', '38050123', 'phone_unusual'],
  ['067 123 45 67, 050 123 45 67', '067 123 45 67', 'phone_first'],
  ['немає', null, 'phone_unusual'],
  ['—', null, null],
  ['', null, null],
])('the phone %j is stored as %j', (cell, phone, code) => {
  const read = readPhoneCell(cell)
  expect([read.phone, read.warning?.code ?? null]).toEqual([phone, code])
})

const read = (mapping: ImportTarget[], ...cells: string[]) =>
  readRow(cells, mapping, { fields: new Map(), courses: new Map(), groups: new Map() }, new Set())

test('two given names next to a surname are kept', () => {
  const row = read(['lastName', 'firstName', 'email'], 'Гнатюк', 'Анна Марія', 'a@cells.test')
  expect(row).toMatchObject({ lastName: 'Гнатюк', firstName: 'Анна Марія', patronymic: '', warnings: [] })
})

test('the name before an address is taken when there is no other', () => {
  expect(read(['email'], 'Олена Коваль <a@cells.test>')).toMatchObject({ firstName: 'Олена', lastName: 'Коваль' })
  expect(read(['email', 'lastName'], 'Олена Коваль <a@cells.test>', 'Бондар')).toMatchObject({
    firstName: '',
    lastName: 'Бондар',
  })
})

test('a name in another order than its column, a long name and a long tag are reported', () => {
  const long = 'а'.repeat(90)
  const row = read(
    ['surnameFirst', 'email', 'patronymic', 'tags'],
    'Леся Українка',
    'a@cells.test',
    long,
    `${long}, VIP`,
  )
  expect(row).toMatchObject({ firstName: 'Леся', patronymic: 'а'.repeat(80), tags: ['VIP'], reason: null })
  expect(row.warnings.map(({ code }) => code)).toEqual(['name_order', 'name_cut', 'tag_invalid'])
})
