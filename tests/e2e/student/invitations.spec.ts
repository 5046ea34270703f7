import { randomBytes } from 'node:crypto'
import { callApi } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

test('an owner follows an invitation on its tab, sends it again and cancels it', async ({ page }) => {
  const email = `invited-${randomBytes(4).toString('hex')}@tab.test`
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/students'))
  await callApi(page, 'student/invite', { email })
  await page.goto(addressOf('demo', `/students?tab=invitations&q=${email}`))
  const row = page.locator(`[data-invitation="${email}"]`)
  await expect(row).toContainText(/створено|надіслано/)
  await expectAccessible(page)
  await page.getByRole('button', { name: `Надіслати ще раз запрошення на ${email}` }).click()
  await expect(page.getByText('Нове запрошення надіслано')).toBeVisible()
  await page.goto(addressOf('demo', `/students?tab=invitations&q=${email}`))
  await page.getByRole('button', { name: `Скасувати запрошення на ${email}` }).click()
  await expect(page.getByText('Запрошення скасовано.')).toBeVisible()
  await page.goto(addressOf('demo', `/students?tab=invitations&state=revoked&q=${email}`))
  await expect(row).toContainText('скасовано')
  await page.goto(addressOf('demo', `/students?tab=invitations&state=accepted&q=${email}`))
  await expect(page.getByText('Запрошень не знайдено')).toBeVisible()
  await expectAccessible(page)
})
