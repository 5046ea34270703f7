import fs from 'node:fs'
import path from 'node:path'
import { ROUTES } from '../../src/lib/core/access/routes.ts'
import { findConsoleErrors, pagesToOpen } from './support/console-errors.ts'
import { crawlEveryPage } from './support/every-page.ts'
import { findHtmlErrors } from './support/html-checker.ts'
import { expect, staffEmail, test } from './support/test.ts'

test.setTimeout(600_000)
// Both tests use the same crawl, which runs once per process.
test.describe.configure({ mode: 'default' })

test('no page fails, no form accepts empty required fields, and the Nu HTML checker finds no error', async ({
  browserName: _,
}, info) => {
  const pages = await crawlEveryPage()
  const seen = new Set(pages.map(({ pattern }) => pattern))
  const missed = ROUTES.filter(({ pattern }) => hasPage(pattern) && !seen.has(pattern)).map(({ pattern }) => pattern)
  expect(missed, 'routes without a page to check').toEqual([])
  const failed = pages.filter(({ status, url }) => status >= 500 && url.pathname !== '/500')
  expect(
    failed.map(({ name }) => name),
    'pages that failed',
  ).toEqual([])
  const accepted = pages.filter(({ method, status }) => method === 'POST' && status < 400)
  expect(
    accepted.map(({ name }) => name),
    'forms that were accepted although they are empty',
  ).toEqual([])
  // A director sees the pages of the owner.
  const different = pages.filter(({ crawler }) => crawler.name !== staffEmail('director'))
  expect(await findHtmlErrors(different, info.outputPath('html'))).toEqual([])
})

test('the console shows no error and no policy violation on any page of any role', async ({ browser }) => {
  const pages = pagesToOpen(await crawlEveryPage())
  expect(await findConsoleErrors(browser, pages)).toEqual([])
})

function hasPage(pattern: string): boolean {
  const source = path.join('src/pages', pattern.replace(/\{(\w+)\}/g, '[$1]'))
  return fs.existsSync(`${source}.astro`) || fs.existsSync(path.join(source, 'index.astro'))
}
