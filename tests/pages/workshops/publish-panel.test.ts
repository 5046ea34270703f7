import { expect, test } from 'vitest'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { type PageModules, renderPage } from '../../setup/render-page.ts'
import { createTestTenant } from '../../setup/tenants.ts'

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/workshops/webinar/[[]id].astro', {
  eager: true,
})

test('an event is published from a page that was opened before it was ready, and a refusal names what is missing', async () => {
  const owner = (await createTestTenant()).as.OWNER
  const { workshopId } = await createWorkshop(owner, { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv' })
  const show = (body?: Record<string, string>) =>
    renderPage(Object.values(PAGES)[0], {
      path: `/workshops/webinar/${workshopId}`,
      actor: owner,
      params: { id: workshopId },
      body,
    })
  const { html } = await show()
  expect(html.match(/<button[^>]*publish-heading[^>]*>/)?.[0]).not.toContain('disabled')
  const refused = await show({ intent: 'publish' })
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('role="alert"')
})
