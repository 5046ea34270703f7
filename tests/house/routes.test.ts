import { expect, test } from 'vitest'
import { ROUTES } from '#lib/core/access/routes.ts'
import missing from './missing-routes.json' with { type: 'json' }
import { unrouted } from './routes.ts'
import { readTree, report } from './tree.ts'

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

test('the rules find nothing where all is well', () => {
  expect(unrouted(facts)).toEqual([])
})

test('the rules find a page without a row, a row without a page, and what is missing no more', () => {
  expect(unrouted({ ...facts, pages: [...facts.pages, 'src/pages/secret.astro'] })).toHaveLength(1)
  expect(unrouted({ ...facts, missing: [] })).toHaveLength(1)
  expect(unrouted({ ...facts, missing: ['/chat', '/courses'] })).toHaveLength(1)
  expect(unrouted({ ...facts, missing: ['/chat', '/nowhere'] })).toHaveLength(1)
})

test('every page has its row in the route table, and every row its page unless it is listed as missing', () => {
  const pages = readTree('src/pages').map(({ path }) => path)
  expect(report(unrouted({ routes: ROUTES.map(({ pattern }) => pattern), pages, missing }))).toEqual([])
})
