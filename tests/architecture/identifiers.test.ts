import { expect, test } from 'vitest'
import { bannedIdentifiers } from './checks/identifiers.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  ['function comerOf() {}', 'comerOf'],
  ['const UPLOAD_PATIENCE = 1', 'UPLOAD_PATIENCE'],
  ['const send = (what: string) => what', 'what'],
  ['interface Asked { id: string }', 'Asked'],
  ['const { flaw } = row', 'flaw'],
])('%j declares a banned name', (source, name) => {
  expect(report(bannedIdentifiers(file('src/lib/course/course.ts', source))).join()).toContain(`declares ${name}`)
})

test.each(['const vaultedCeiling = 1', 'const whatever = 1', 'row.asked = 1'])('%j declares none', (source) => {
  expect(report(bannedIdentifiers(file('src/lib/course/course.ts', source)))).toEqual([])
})

test('no name of the source is banned', () => {
  const sources = readCode('src').filter(({ path }) => /\.tsx?$/.test(path))
  expect(report(sources.flatMap(bannedIdentifiers))).toEqual([])
})
