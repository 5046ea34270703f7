import { beforeAll, expect, test } from 'vitest'
import { type PageModules, renderPage } from '../../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/{invite-accept,registration,500}.astro', {
  eager: true,
})
const pageOf = (name: string) => PAGES[`../../../src/pages/${name}.astro`]

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

test.each([
  '',
  '?student=',
  '?student=x',
  '?student=x&tenant=demo',
  '?student=x&tenant=%27',
  '?tenant=demo',
  '?member=x',
  '?member=&tenant=demo',
  '?link=x',
  '?link=&tenant=none',
])('an invitation with missing or wrong parameters is refused with status 400: %s', async (query) => {
  for (const actor of [null, home.as.STUDENT]) {
    const opened = renderPage(pageOf('invite-accept'), { path: `/invite-accept${query}`, actor })
    await expect(opened).rejects.toMatchObject({ code: 'invalid_invitation', status: 400 })
  }
})

test.each(['?student=x', '?student=x&tenant=demo', '?join=x&tenant=demo', '?join='])(
  'a registration with wrong parameters is refused with status 400: %s',
  async (query) => {
    const opened = renderPage(pageOf('registration'), { path: `/registration${query}`, actor: null })
    await expect(opened).rejects.toMatchObject({ code: 'invalid_invitation', status: 400 })
  },
)

test('an invalid invitation has the message of the specification, and an explanation in both languages', async () => {
  const open = (locale: 'uk' | 'en') =>
    renderPage(pageOf('500'), { path: '/500?message=invalid_invitation', actor: null, locale })
  const [uk, en] = [await open('uk'), await open('en')]
  for (const { html } of [uk, en]) expect(html).toContain('Invalid invitation parameters')
  expect(uk.html).toContain('попросіть школу надіслати нове запрошення')
  expect(en.html).toContain('ask the school for a new invitation')
})
