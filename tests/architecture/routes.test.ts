import { expect, test } from 'vitest'
import { ROUTES } from '#lib/core/access/routes.ts'
import { pagesWithoutRoute } from './checks/routes.ts'
import { readTree, report } from './checks/source-tree.ts'
import missing from './missing-routes.json' with { type: 'json' }

const facts = {
  routes: ['/', '/courses', '/course/edit/{id}', '/500', '/chat'],
  pages: [
    'src/pages/index.astro',
    'src/pages/courses/index.astro',
    'src/pages/course/edit/[id].astro',
    'src/pages/course/_Row.astro',
    'src/pages/500.astro',
    'src/pages/v1/live.ts',
  ],
  missing: ['/chat'],
}

test('the rules accept routes that agree with the pages', () => {
  expect(pagesWithoutRoute(facts)).toEqual([])
})

test('the rules report a page without a row, a row without a page, and a listed route that exists now', () => {
  expect(pagesWithoutRoute({ ...facts, pages: [...facts.pages, 'src/pages/secret.astro'] })).toHaveLength(1)
  expect(pagesWithoutRoute({ ...facts, missing: [] })).toHaveLength(1)
  expect(pagesWithoutRoute({ ...facts, missing: ['/chat', '/courses'] })).toHaveLength(1)
  expect(pagesWithoutRoute({ ...facts, missing: ['/chat', '/nowhere'] })).toHaveLength(1)
})

test('every page has its row in the route table, and every row its page unless it is listed as missing', () => {
  const pages = readTree('src/pages').map(({ path }) => path)
  expect(report(pagesWithoutRoute({ routes: ROUTES.map(({ pattern }) => pattern), pages, missing }))).toEqual([])
})
