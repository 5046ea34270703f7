import { beforeAll, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listOffers } from '#lib/offer/list.ts'
import { getOffer } from '#lib/offer/offer.ts'
import { setProviderEnabled } from '#lib/payment/provider-settings.ts'
import { publishedCourse } from '../setup/course/groups.ts'
import { createSoldOffer } from '../setup/offer/orders.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<PageModules[string]>(
  '../../src/pages/course/{edit/[[]id[]],[[]courseId[]]/offer/*}.astro',
  { eager: true },
)

let home: TestTenant
let owner: Actor
let courseId: string
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
  offerId = await createSoldOffer(owner, courseId, { name: 'Базовий' })
})

const editor = (body?: Record<string, string>, actor = owner) =>
  renderPage(PAGES['../../src/pages/course/[courseId]/offer/[offerId].astro'], {
    path: `/course/${courseId}/offer/${offerId}`,
    params: { courseId, offerId },
    actor,
    body,
  })
/** The part of the page that shows the offer as buyers will see it. */
const previewIn = (html: string) => html.slice(html.indexOf('data-offer-preview'), html.lastIndexOf('</aside>'))
const typed = { name: 'Зимовий набір', kind: 'once', currency: 'UAH', visibility: 'public', accessType: 'lifetime' }
const fields = { ...typed, price: '1 234,50', period: 'month', phone: 'optional', contents: 'course' }

test('the preview shows what is typed without saving it, and what is refused stays in its field', async () => {
  const shown = await editor({ ...fields, intent: 'previewOffer' })
  expect(shown.status).toBe(200)
  expect(previewIn(shown.html)).toContain('Зимовий набір')
  expect(previewIn(shown.html)).toContain('1 234,50 ₴')
  const refused = await editor({ ...fields, price: 'сто', intent: 'previewOffer' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('value="сто"')
  expect((await getOffer(owner, { offerId })).settings).toMatchObject({ name: 'Базовий', price: 150_000 })
})

test('the editor saves one version, and keeps what was typed when another one was saved meanwhile', async () => {
  const { version } = await getOffer(owner, { offerId })
  const saved = await editor({ ...fields, intent: 'saveOffer', version: String(version) })
  expect([saved.status, saved.to]).toEqual([303, `/course/${courseId}/offer/${offerId}?notice=saved`])
  const late = { ...fields, name: 'Інша назва', intent: 'saveOffer', version: String(version) }
  const conflict = await editor(late)
  expect(conflict.status).toBe(409)
  expect(conflict.html).toContain('value="Інша назва"')
  expect((await getOffer(owner, { offerId })).settings).toMatchObject({ name: 'Зимовий набір', price: 123_450 })
})

test('an offer is copied as a draft and archived from the list of the course', async () => {
  const tab = (view: string, body?: Record<string, string>) =>
    renderPage(PAGES['../../src/pages/course/edit/[id].astro'], {
      path: `/course/edit/${courseId}?tab=offers${view}`,
      params: { id: courseId },
      actor: owner,
      body,
    })
  const newOfferId = crypto.randomUUID()
  const copied = await tab('', { intent: 'copyOffer', offerId, newOfferId, name: 'Зимовий набір' })
  expect(copied.to).toBe(`/course/${courseId}/offer/${newOfferId}`)
  const archived = await tab('', { intent: 'archiveOffer', offerId })
  expect(archived.to).toContain('notice=offerArchived')
  expect((await listOffers(owner, { courseId })).map(({ id, state }) => [id, state])).toEqual([
    [offerId, 'archived'],
    [newOfferId, 'draft'],
  ])
  expect((await tab('')).html).not.toContain(`/offer/${offerId}"`)
  expect((await tab('&view=archived')).html).toContain(`/offer/${offerId}"`)
})

test('the editor is refused everyone who does not manage content, and another school', async () => {
  for (const role of ['CURATOR', 'MODERATOR', 'MEMBER', 'STUDENT'] as const)
    await expect(editor(undefined, home.as[role]), role).rejects.toMatchObject({ code: 'forbidden' })
  const other = await createTestTenant()
  await expect(editor(undefined, other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
})

test('the list of offers tells which ones on sale nobody can pay, and leads the owner to the settings', async () => {
  const school = await createTestTenant()
  const { OWNER, DIRECTOR } = school.as
  const course = (await publishedCourse(OWNER)).courseId
  await createSoldOffer(OWNER, course, { name: 'Платна' })
  await createSoldOffer(OWNER, course, { name: 'Безоплатна', kind: 'free', price: 0 })
  const list = async (actor = OWNER) =>
    (
      await renderPage(PAGES['../../src/pages/course/edit/[id].astro'], {
        path: `/course/edit/${course}?tab=offers`,
        params: { id: course },
        actor,
      })
    ).html
  expect(await list()).not.toContain('Немає оплати')
  await setProviderEnabled(OWNER, { provider: 'sandbox', isEnabled: false })
  const own = await list()
  expect(own.match(/>Немає оплати</g)).toHaveLength(1)
  expect(own).toContain('href="/team?tab=payments"')
  const directors = await list(DIRECTOR)
  expect(directors).toContain('Підключити її може власник школи.')
  expect(directors).not.toContain('>Налаштувати оплату<')
})
