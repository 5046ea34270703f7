import { expect, test } from 'vitest'
import { moduleUrlsInCore } from './checks/core-urls.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  "const page = '/course/edit/'",
  'const page = `/meeting/join/${id}`',
  'const page = `${origin}/workshops/register/${id}`',
  "const action = '/v1/module/user/logout'",
])('refuses %s', (source) => {
  expect(moduleUrlsInCore(file('src/lib/core/http/example.ts', source))).toHaveLength(1)
  expect(moduleUrlsInCore(file('src/lib/course/example.ts', source))).toEqual([])
  expect(moduleUrlsInCore(file('src/lib/core/access/routes.ts', source))).toEqual([])
})

test.each([
  "const path = '/v1/media/'",
  "const isApi = path.startsWith('/v1/')",
  "const path = '/404'",
  "import { a } from './course/a.ts'",
  "const path = '/courses-of-others'",
])('accepts %s', (source) => {
  expect(moduleUrlsInCore(file('src/lib/core/http/example.ts', source))).toEqual([])
})

test('core contains no URL of a module outside the route table and the menu', () => {
  expect(report(readCode('src/lib/core').flatMap(moduleUrlsInCore))).toEqual([])
})
