import type { Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import {
  addressOf,
  applyAppearance,
  expect,
  expectAccessible,
  getSignInCookies,
  staffEmail,
  test,
} from '../support/test.ts'

const TITLE = 'Голос без напруги'

/** The URL of the demo school's masterclass, from the link on its edit page. */
async function masterclassOf(page: Page): Promise<string> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/workshops?type=masterclass'))
  const edit = await page.locator('a[href*="/workshops/masterclass/"]', { hasText: TITLE }).first().getAttribute('href')
  await page.context().clearCookies()
  return addressOf('demo', `/masterclass/${edit?.split('?')[0]?.split('/').at(-1)}`)
}

test('a visitor opens the page, registers, watches, clicks the button that appears, and returns by the email’s link', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const address = await masterclassOf(page)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Програма' })).toBeVisible()
  await page.getByRole('button', { name: 'Дивитися' }).click()
  await expect(page.getByText("Це поле є обов'язковим").first()).toBeVisible()
  const email = `voice-${Date.now()}@example.com`
  await page.getByLabel('Ім’я').fill('Олена')
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByRole('button', { name: 'Дивитися' }).click()
  await expect(page.getByText('Добрий день! Приємного перегляду.')).toBeVisible()
  await expect(page.getByText(/відкриється/).first()).toBeVisible()

  const button = page.getByRole('link', { name: /Записатися на курс/ })
  await expect(button).toBeHidden()
  const response = page.waitForResponse(
    (answer) => answer.url().includes('/v1/masterclass/') && answer.request().postData()?.includes('"saw"') === true,
    { timeout: 60_000 },
  )
  await page
    .locator('video')
    .first()
    .evaluate((video: HTMLVideoElement) => {
      video.muted = true
      // The HLS rendition replaces the original file without interrupting playback.
      return video.play().catch(() => {})
    })
  await expect(button).toBeVisible({ timeout: 60_000 })
  await button.scrollIntoViewIfNeeded()
  expect((await response).status()).toBe(204)

  const letter = await waitForEmail(page, email)
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 } })
  const again = await phone.newPage()
  await again.goto(firstLinkIn(letter.text))
  await expect(again.getByText('Добрий день! Приємного перегляду.')).toBeVisible()
  await phone.close()

  // A registered visitor is recognized on this device without the link.
  await page.goto(address)
  await expect(page.getByText('Добрий день! Приємного перегляду.')).toBeVisible()
})

test('a visitor without JavaScript can register, and keeps the typed values after a refusal', async ({
  page,
  browser,
}) => {
  const address = await masterclassOf(page)
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const visitor = await plain.newPage()
  await visitor.goto(address)
  await visitor.getByLabel('Ім’я').fill('Тарас')
  await visitor.getByLabel('Електронна пошта').fill('taras@')
  await visitor.getByRole('button', { name: 'Дивитися' }).click()
  await expect(visitor.getByText('Введіть дійсну електронну адресу')).toBeVisible()
  await expect(visitor.getByLabel('Ім’я')).toHaveValue('Тарас')
  await visitor.getByLabel('Електронна пошта').fill(`taras-${Date.now()}@example.com`)
  await visitor.getByRole('button', { name: 'Дивитися' }).click()
  await expect(visitor.getByText('Добрий день! Приємного перегляду.')).toBeVisible()
  await expect(visitor.locator('video').first()).toBeVisible()
  await plain.close()
})

test('the page is accessible in both themes and fits a phone', async ({ page }) => {
  const address = await masterclassOf(page)
  for (const look of [
    { locale: 'uk', theme: 'day', width: 1440 },
    { locale: 'en', theme: 'night', width: 390 },
  ] as const) {
    await applyAppearance(page, look)
    await page.goto(address)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  }
})

test('an expert writes the page of a new masterclass and sees it as visitors will', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await page.goto(addressOf('demo', '/workshops/masterclass'))
  const title = `Майстер-клас ${Date.now()}`
  await page.getByLabel('Назва').fill(title)
  await page.getByRole('button', { name: 'Створити', exact: true }).last().click()
  await expect(page).toHaveURL(/\/workshops\/masterclass\/[0-9a-f-]{36}/)
  await page.getByRole('link', { name: 'Сторінка' }).click()
  await page.getByLabel('Коротко про головне').fill('Одна думка на годину')
  await page.getByLabel('Програма, рядок 1: Тема').fill('Кінець')
  const program = page.getByRole('group', { name: 'Програма' })
  await program.getByRole('button', { name: 'Додати рядок' }).click()
  await page.getByLabel('Програма, рядок 2: Тема').fill('Початок')
  await page.getByLabel('Програма, рядок 2: Про що йтиметься').fill('навіщо ми тут')
  await page.getByRole('button', { name: 'Програма: рядок 2 вище' }).click()
  await expect(page.getByLabel('Програма, рядок 1: Тема')).toHaveValue('Початок')
  await page.getByLabel('Назва частини').fill('Перша')
  await page.getByLabel('Розділи відео, рядок 1: Назва').fill('Розігрів')
  await page.getByRole('button', { name: 'Зберегти' }).click()
  // An incomplete row is reported, and its values are kept.
  await expect(page.getByText("Це поле є обов'язковим")).toBeVisible()
  await expect(page.getByLabel('Програма, рядок 2: Тема')).toHaveValue('Кінець')
  await page.getByLabel('Розділи відео, рядок 1: Час').fill('1:30')
  await page.getByRole('button', { name: 'Зберегти' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Збережено' })).toBeVisible()
  await page.getByRole('link', { name: 'Відкрити сторінку' }).click()
  await expect(page.getByText('Одна думка на годину')).toBeVisible()
  await expect(page.getByText('навіщо ми тут')).toBeVisible()
  await expect(page.getByText('Чернетка: сторінку бачить лише команда')).toBeVisible()
  const workshopId = page.url().split('/').at(-1)
  const { content, version } = await callApi<{ content: object; version: number }>(page, 'masterclass/get', {
    workshopId,
  })
  const openFrom = '2027-03-01T17:00:00.000Z'
  await callApi(page, 'masterclass/save', { workshopId, version, content: { ...content, openFrom } })
  await page.reload()
  await expect(page.getByText(/^Відкриється .*19:00 за Києвом$/)).toBeVisible()
})
