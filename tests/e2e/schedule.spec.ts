import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from './support/test.ts'

test('staff filter the schedule, move an event by keyboard, and read it on a phone', async ({ page, context }) => {
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(addressOf('demo', '/schedule?kind=webinar&view=agenda'))
  await expect(page.getByRole('heading', { level: 1, name: 'Розклад' })).toBeVisible()
  await expectAccessible(page)
  const event = page.getByRole('link', { name: /Голос без втоми/ }).first()
  await expect(event).toBeVisible()
  await event.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.locator('[data-schedule-status]')).toContainText('Голос без втоми')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^Перенести:/ })).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('button', { name: 'Перенести й повідомити' })
    .or(page.getByRole('button', { name: 'Перенести', exact: true }))
    .first()
    .click()
  await expect(page.getByText('Перенесено.')).toBeVisible()
  await page.getByRole('button', { name: 'Повернути' }).click()
  await expect(page.getByText('Перенесено.')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(addressOf('demo', '/schedule'))
  await expect(page.locator('.schedule-weekdays')).toBeHidden()
  await expectAccessible(page)
  await page.goto(addressOf('demo', '/schedule?panel=settings'))
  await page.getByRole('button', { name: 'Створити посилання' }).click()
  const address = await page.getByLabel('Посилання на календар').inputValue()
  // Node does not resolve the host of the school, the browser does.
  const feed = await page.evaluate(async (path) => {
    const response = await fetch(path)
    return { type: response.headers.get('content-type'), text: await response.text() }
  }, new URL(address).pathname)
  expect(feed.type).toContain('text/calendar')
  expect(feed.text).toContain('BEGIN:VCALENDAR')
})
