import { randomBytes } from 'node:crypto'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const PASSWORD = 'Probna-2026!'

test('an owner invites a curator, who accepts and sees the homework queue', async ({ page }) => {
  const email = `curator-${randomBytes(4).toString('hex')}@kafedra.test`
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/team'))
  await expect(page.getByRole('heading', { name: 'Команда' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Запросити' }).click()
  await expectAccessible(page)
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByLabel('Ім’я та прізвище').fill('Зоя Лисак')
  await page.getByRole('checkbox', { name: /Куратор/ }).check()
  await page.getByRole('button', { name: 'Надіслати запрошення' }).click()
  await expect(page.getByText('Запрошення надіслано')).toBeVisible()
  await page.getByRole('link', { name: 'Зоя Лисак' }).click()
  await expect(page.getByRole('button', { name: 'Скасувати запрошення' })).toBeVisible()
  await expectAccessible(page)
  await page.goto(addressOf('demo', '/team?tab=log'))
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Запрошено до команди')
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto(firstLinkIn((await waitForEmail(page, email)).text))
  await expect(page.getByRole('heading', { name: 'Запрошення до команди' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Приєднатися до команди' }).click()
  await page.waitForURL(addressOf('demo', '/'))
  await page.goto(addressOf('demo', '/homework'))
  await expect(page.getByRole('heading', { name: 'Домашні завдання' })).toBeVisible()
})

test('the team page is accessible in English and closed to an expert', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('director')))
  await page.goto(addressOf('demo', '/team?locale=en'))
  await expectAccessible(page)
  await page.context().clearCookies()
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await page.goto(addressOf('demo', '/team'))
  await page.waitForURL(addressOf('demo', '/'))
})

test('a link without its parts shows the message of the specification', async ({ page }) => {
  await page.goto(addressOf('demo', '/invite-accept?member=wrong&tenant=demo'))
  await expect(page.getByText('Invalid invitation parameters')).toBeVisible()
})
