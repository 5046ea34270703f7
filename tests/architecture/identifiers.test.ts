import { expect, test } from 'vitest'
import { bannedIdentifiers, bannedMarkupNames, repeatedFunctionNames, sharedExportNames } from './checks/identifiers.ts'
import { file, readCode, readTree, report } from './checks/source-tree.ts'

test.each([
  ['function comerOf() {}', 'comerOf'],
  ['const UPLOAD_PATIENCE = 1', 'UPLOAD_PATIENCE'],
  ['const send = (what: string) => what', 'what'],
  ['interface Asked { id: string }', 'Asked'],
  ['const { flaw } = row', 'flaw'],
  ['const openDesk = () => {}', 'openDesk'],
  ['const ids = rows.map((one) => one.id)', 'one'],
  ['const nameIn = (of: Tenant) => of.name', 'of'],
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

test.each([
  ['src', 2000],
  ['tests', 500],
  ['scripts', 50],
  ['public', 1],
])('no name in %s is banned', (folder, minFiles) => {
  const sources = readTree(folder, /\.(ts|tsx|astro|js)$/)
  expect(sources.length).toBeGreaterThan(minFiles)
  expect(report(sources.flatMap(bannedIdentifiers))).toEqual([])
})

test('a data attribute or a CSS class with a banned word is rejected', () => {
  expect(report(bannedMarkupNames(file('src/pages/index.astro', '<p data-says data-text>'))).join()).toContain('says')
  expect(report(bannedMarkupNames(file('src/styles/a.css', '.file-shelf { color: red }'))).join()).toContain(
    'file-shelf',
  )
  expect(bannedMarkupNames(file('src/styles/a.css', '.file-list .row { opacity: 0.5 }'))).toEqual([])
})

test('no data attribute and no CSS class has a banned word', () => {
  expect(report(readTree('src', /\.(astro|tsx|css)$/).flatMap(bannedMarkupNames))).toEqual([])
})

test('two modules may not export one name', () => {
  const files = [
    file('src/lib/course/transfer/transfer.ts', 'export interface TransferView { id: string }'),
    file('src/lib/team/ownership.ts', 'export type TransferView = string'),
    file('src/islands/course/move.ts', 'export const moveLessons = 1\nexport function move() {}'),
    file('src/islands/storage/move.ts', 'export async function move() {}'),
  ]
  expect(report(sharedExportNames(files))).toEqual([
    'src/lib/team/ownership.ts: exports TransferView, like src/lib/course/transfer/transfer.ts: name the domain in one of them',
    'src/islands/storage/move.ts: exports move, like src/islands/course/move.ts: name the domain in one of them',
  ])
})

test('the layers of a module may, and names that are not exported', () => {
  const files = [
    file('src/lib/course/schema.ts', 'export const CourseText = z.object({})\nexport type CourseText = string'),
    file('src/islands/course/course.ts', 'export interface CourseText {}\nfunction move() {}'),
    file('src/islands/storage/move.ts', 'function move() {}\ninterface CourseText {}'),
    file('src/pages/v1/live.ts', 'export const GET = 1'),
    file('src/pages/v1/meeting/live.ts', 'export const GET = 1'),
  ]
  expect(sharedExportNames(files)).toEqual([])
})

test('each exported name belongs to one module', () => {
  const files = readCode('src')
  expect(files.length).toBeGreaterThan(2000)
  expect(report(sharedExportNames(files))).toEqual([])
})

test('a fourth function of one name is refused, exported or not', () => {
  const files = [
    file('src/lib/course/course.ts', 'function send() {}'),
    file('src/lib/chat/chat.ts', 'export async function send() {}'),
    file('src/islands/chat/chat.ts', 'const send = () => {}'),
    file('src/pages/chat/index.astro', '---\nconst send = () => {}\n---'),
    file('src/lib/team/team.ts', 'const team = { send: () => {} }'),
  ]
  expect(repeatedFunctionNames(files)).toEqual([])
  const fourth = file('src/lib/inbox/inbox.ts', 'const send = async () => {}')
  expect(report(repeatedFunctionNames([...files, fourth])).join()).toContain('declares the function send')
})

test('no name belongs to more than three functions', () => {
  expect(report(repeatedFunctionNames(readCode('src')))).toEqual([])
})
