import { expect, test } from 'vitest'
import { type PageModules, renderPage } from '../../setup/render-page.ts'
import { createTestTenant } from '../../setup/tenants.ts'

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/workshops/webinar/index.astro', { eager: true })

test('the page of a new event tells about a missing plan before the form, not after it', async () => {
  const owner = (await createTestTenant()).as.OWNER
  const show = (actor: typeof owner) =>
    renderPage(Object.values(PAGES)[0], { path: '/workshops/webinar', actor, params: {} })
  expect((await show(owner)).html).toContain('name="title"')
  const { html } = await show({ ...owner, plans: [] })
  expect(html).not.toContain('name="title"')
  for (const text of ['role="alert"', 'href="/billing"']) expect(html).toContain(text)
})
