import { expect, test } from 'vitest'
import { file, readCode, readTree, report } from './checks/source-tree.ts'
import { sharedClasses, undefinedClasses } from './checks/style-scope.ts'

const sheets = (...sources: string[]) => sources.map((css, index) => file(`src/styles/${index}.css`, css))

test.each([
  ['.bar { display: none; }', '@layer overrides { .bar { display: flex; } }'],
  ['@layer components { .bar, .tab { color: red; } }', '@media (width >= 40rem) { .tab { color: blue; } }'],
])('a class may not be defined in two stylesheets: %j and %j', (first, second) => {
  expect(sharedClasses(sheets(first, second))).toHaveLength(1)
})

test.each([
  ['.bar { display: none; }', '.list > .bar { display: flex; }'],
  ['.bar { display: none; }', '.list { .bar { display: flex; } }'],
  ['.bar { color: red; } .bar { color: blue; }', '/* .bar { } */ .tab { color: red; }'],
])('a class may be scoped by another, or have several rules in its file: %j and %j', (first, second) => {
  expect(sharedClasses(sheets(first, second))).toEqual([])
})

test('no class of the project is defined in two stylesheets', () => {
  expect(report(sharedClasses(readTree('src', /\.css$/)))).toEqual([])
})

test('a class that is defined nowhere is found, but none of Tailwind, a stylesheet, or the style of the file', async () => {
  const sources = [
    file('src/pages/a.astro', '<a class="link mt-4 sm:w-1/2 own">…</a><style>.own { color: red; }</style>'),
    file('src/islands/a.tsx', '<p className="bar" />'),
  ]
  expect(report(await undefinedClasses(sources, [file('src/a.css', '.list > .bar { color: red; }')]))).toEqual([
    'src/pages/a.astro: the class link is defined nowhere',
  ])
})

test('every class of the pages and islands is defined', async () => {
  const code = ['src/pages', 'src/layouts', 'src/islands'].flatMap((folder) => readCode(folder))
  expect(report(await undefinedClasses(code, readTree('src', /\.css$/)))).toEqual([])
})
