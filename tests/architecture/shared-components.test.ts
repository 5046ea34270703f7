import { describe, expect, test } from 'vitest'
import { ownMarkup } from './checks/shared-components.ts'
import { importsOf } from './checks/source.ts'
import { file, readCode, report } from './checks/source-tree.ts'

const HANDLER = 'src/pages/_request/form-outcome.ts'

test('forms of pages have one handler', () => {
  const violations = readCode('src/pages')
    .filter(({ path }) => path !== HANDLER)
    .flatMap((page) =>
      importsOf(page)
        .filter(({ names }) => names.includes('fieldErrors') || names.includes('ZodError'))
        .map(() => ({ path: page.path, message: `describes refusals itself: use runForm of ${HANDLER}` })),
    )
  expect(report(violations)).toEqual([])
})

describe('markup of pages', () => {
  test.each([
    ['<table class="data-table">', 'DataTable.astro'],
    ['<dialog id="delete">', 'Dialog.astro'],
    ['<input type="file" name="cover" />', 'FileField.astro'],
    ['<div role="tablist">', 'Tabs.astro'],
  ])('%s is rejected', (markup, component) => {
    expect(report(ownMarkup(file('src/pages/course/_Part.astro', markup))).join()).toContain(component)
  })

  test('a matrix is no list of rows', () => {
    expect(ownMarkup(file('src/pages/course/_Part.astro', '<table class="matrix" data-matrix>'))).toEqual([])
  })

  test('uses the shared components', () => {
    expect(report(readCode('src/pages').flatMap(ownMarkup))).toEqual([])
  })
})
