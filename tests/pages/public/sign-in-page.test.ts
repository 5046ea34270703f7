import { expect, test } from 'vitest'
import { type PageModules, renderPage } from '../../setup/render-page.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/{login,registration}.astro', { eager: true })
const open = (name: string, host: App.Locals['host'], locale: 'uk' | 'en' = 'uk') =>
  renderPage(PAGES[`../../../src/pages/${name}.astro`], { path: `/${name}`, actor: null, host, locale })

test.each([{ kind: 'go' }, { kind: 'school', subdomain: 'demo' }, { kind: 'custom', subdomain: 'demo' }] as const)(
  'students are not offered to create a school: $kind',
  async (host) => {
    for (const name of ['login', 'registration'])
      expect((await open(name, host)).html).not.toContain('href="/register"')
    expect((await open('login', host)).html).toContain('Студентів запрошує школа')
    expect((await open('login', host, 'en')).html).toContain('Students are invited by the school')
  },
)

test('a school can be created from the sign-in page of the product', async () => {
  expect((await open('login', { kind: 'base' })).html).toContain('href="/register"')
  expect((await open('registration', { kind: 'base' })).html).toContain('href="/register"')
})
