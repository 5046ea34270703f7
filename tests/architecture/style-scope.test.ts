import { expect, test } from 'vitest'
import { file, readTree, report } from './checks/source-tree.ts'
import { sharedClasses } from './checks/style-scope.ts'

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
