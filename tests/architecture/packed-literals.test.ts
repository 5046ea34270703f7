import { expect, test } from 'vitest'
import { packedLiterals } from './checks/packed-literals.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  ['src/lib/a.ts', 'const a = { ...{ b, c }, ...{ d } }', 2],
  ['src/lib/a.ts', 'call(...[a, b])', 1],
  ['src/islands/course/A.tsx', 'export const A = () => <B {...{ c, d }} />', 1],
  ['src/pages/a.astro', '---\nconst a = { ...{ b, c } }\n---\n<p>{a}</p>', 1],
  ['src/lib/a.ts', 'const a = { ...b, ...(c ? { d } : {}), ...(e && { f }) }', 0],
])('%s: %s has %d spread literals', (path, source, count) => {
  expect(packedLiterals(file(path, source))).toHaveLength(count)
})

test('no literal is spread into another one', () => {
  expect(report(['src', 'scripts', 'tests'].flatMap(readCode).flatMap(packedLiterals))).toEqual([])
})
