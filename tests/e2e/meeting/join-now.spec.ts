import type { Browser, Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { createEvent, finishEvent, waitForRoom } from '../support/meeting.ts'
import { getAuthToken, uploadClip, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

test.setTimeout(120_000)

/** Registers a new visitor for an event by its form. Returns the visitor's page with the response. */
async function registerVisitor(browser: Browser, workshopId: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  const visitor = await context.newPage()
  await visitor.goto(addressOf('demo', `/workshops/register/${workshopId}`))
  await visitor.getByLabel('Ваше ім’я').fill('Олена')
  await visitor.getByLabel('Електронна пошта').first().fill(`now-${crypto.randomUUID()}@visitor.test`)
  await visitor.getByRole('button', { name: 'Зареєструватися' }).click()
  await expect(visitor.getByRole('heading', { name: 'Ви зареєстровані' })).toBeVisible()
  return visitor
}

const joinNow = (visitor: Page) => visitor.getByRole('link', { name: 'Увійти зараз' })

test('a visitor who registers for an event in progress joins it from the page after the form', async ({
  page: host,
  browser,
}) => {
  const { workshopId, roomUrl } = await createEvent(host, { access: 'registration' })
  const early = await registerVisitor(browser, workshopId)
  await expect(joinNow(early)).toHaveCount(0)
  await early.context().close()

  await host.goto(roomUrl)
  await waitForRoom(host)
  await host.keyboard.press('Escape')
  await host.keyboard.press('g')
  await expect(host.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  const visitor = await registerVisitor(browser, workshopId)
  await expectAccessible(visitor)
  await joinNow(visitor).click()
  await waitForRoom(visitor)
  await expect(visitor.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  await finishEvent(host)
  await visitor.context().close()
})

test('an on-demand session is joined from the page after the form and starts when the visitor enters', async ({
  page,
  browser,
}) => {
  const authToken = await getAuthToken(page, staffEmail('owner'))
  const options = ['-movflags', '+faststart']
  const clip = { size: '160x90', rate: 5, seconds: 60, tone: 440, options }
  const fileId = await uploadClip(authToken, `На вимогу ${Date.now()}.mp4`, clip)
  await waitUntilEncoded(authToken, fileId)
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/'))
  const { workshopId = '' } = await callApi(page, 'autowebinar/makeFromVideo', {
    title: `На вимогу ${Date.now()}`,
    fileId,
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 5,
  })
  const { version } = await callApi<{ version: number }>(page, 'autowebinar/get', { workshopId })
  const schedule = { zone: 'Europe/Kyiv', onDemand: true }
  await callApi(page, 'autowebinar/savePlan', { workshopId, version, schedule })
  await callApi(page, 'workshop/publish', { workshopId })

  const visitor = await registerVisitor(browser, workshopId)
  const registeredAt = Date.now()
  await expect.poll(() => Date.now() - registeredAt).toBeGreaterThan(4000)
  const enteredAt = Date.now()
  await joinNow(visitor).click()
  const video = visitor.locator('video[data-auto-video][src]')
  const position = () => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)
  await expect.poll(position).toBeGreaterThan(0.5)
  expect(await position()).toBeLessThan((Date.now() - enteredAt) / 1000 + 0.5)
  await visitor.context().close()
})
