import sharp from 'sharp'
import { callApi } from '../support/homework.ts'
import { createEvent } from '../support/meeting.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

test('an owner gives the school a color and a logo, and its sign-in, registration and event pages show them', async ({
  page,
  context,
}) => {
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/team?tab=school'))
  await expect(page.getByRole('heading', { name: 'Про школу' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Власний колір кнопок і посилань' }).check()
  await page.getByLabel('Колір школи', { exact: true }).fill('#ffd500')
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(page.getByText('Налаштування школи збережено.')).toBeVisible()
  await expect(page.getByText('Ми підібрали найближчий відтінок')).toBeVisible()
  const image = sharp({ create: { width: 300, height: 300, channels: 3, background: '#224488' } })
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await image.png().toBuffer() }
  await page.locator('input[name=logo]').setInputFiles(logo)
  await page.getByRole('button', { name: 'Додати логотип' }).click()
  await expect(page.getByText('Логотип збережено.')).toBeVisible()
  await expectAccessible(page)

  const { workshopId } = await createEvent(page)
  const email = `brand-${Date.now()}@kafedra.test`
  await callApi(page, 'student/invite', { email })
  const invitation = firstLinkIn((await waitForEmail(page, email)).text)
  await context.clearCookies()
  for (const address of [
    addressOf('demo', '/login?from=settings'),
    invitation,
    addressOf('demo', `/workshops/register/${workshopId}`),
    addressOf('demo', `/meeting/join/${workshopId}`),
  ]) {
    await page.goto(address)
    await expect(page.locator('.mark img').first(), address).toHaveJSProperty('naturalWidth', 256)
    await expect(page.locator('link[href="/v1/brand/ffd500.css"]'), address).toHaveCount(1)
    await expectAccessible(page)
  }
})
