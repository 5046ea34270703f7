import { expect, test } from 'vitest'
import { bannedIdentifiers } from './checks/identifiers.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  ['function comerOf() {}', 'comerOf'],
  ['const UPLOAD_PATIENCE = 1', 'UPLOAD_PATIENCE'],
  ['const send = (what: string) => what', 'what'],
  ['interface Asked { id: string }', 'Asked'],
  ['const { flaw } = row', 'flaw'],
  ['const openDesk = () => {}', 'openDesk'],
  ['const ids = rows.map((one) => one.id)', 'one'],
])('%j declares a banned name', (source, name) => {
  expect(report(bannedIdentifiers(file('src/lib/course/course.ts', source))).join()).toContain(`declares ${name}`)
})

test.each(['const vaultedCeiling = 1', 'const whatever = 1', 'row.asked = 1'])('%j declares none', (source) => {
  expect(report(bannedIdentifiers(file('src/lib/course/course.ts', source)))).toEqual([])
})

test('reads the frontmatter and the template of an .astro file', () => {
  const source = "---\nconst said = 'x'\n---\n<p>{rows.map((one) => <b>{one}</b>)}</p>"
  const found = report(bannedIdentifiers(file('src/pages/index.astro', source)))
  expect(found.map((text) => /declares (\w+)/.exec(text)?.[1])).toEqual(['said', 'one'])
})

test.each(['src', 'tests', 'scripts'])('no name in %s is banned', (folder) => {
  const sources = readCode(folder)
  expect(sources.length).toBeGreaterThan(50)
  expect(report(sources.flatMap(bannedIdentifiers))).toEqual([])
})
