import { expect, test } from 'vitest'
import { type PageModules, renderPage } from '../../setup/render-page.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/{login,registration}.astro', { eager: true })
const open = (offeredLocale: 'uk' | 'en' | null, { path = '/login', locale = 'uk' as 'uk' | 'en' } = {}) =>
  renderPage(PAGES['../../../src/pages/login.astro'], {
    path,
    actor: null,
    host: { kind: 'school', subdomain: 'demo' },
    locale,
    offeredLocale,
  })

const offerIn = (html: string) => /<aside[^>]*data-language-offer[\s\S]*?<\/aside>/.exec(html)?.[0] ?? ''

test('a public page is offered in the language of the browser, above everything else and in that language', async () => {
  const { html } = await open('en')
  const offer = offerIn(html)
  expect(offer).toMatch(/<a href="\?locale=en"[^>]* lang="en"[^>]*>\s*Read this page in English\s*<\/a>/)
  expect(offer).toMatch(/<a href="\?locale=uk"[^>]*>\s*Залишити українську\s*<\/a>/)
  expect(html.indexOf('data-language-offer')).toBeLessThan(html.indexOf('<main'))
  expect(offerIn((await open('uk', { locale: 'en' })).html)).toMatch(/lang="uk"[^>]*>\s*Читати цю сторінку українською/)
})

test('the offer keeps the query of the page', async () => {
  const offer = offerIn((await open('en', { path: '/login?return=%2Fcourses' })).html)
  expect(offer).toContain('href="?return=%2Fcourses&amp;locale=en"')
})

test('a page without an offer has none', async () => {
  expect(offerIn((await open(null)).html)).toBe('')
})
