import fs from 'node:fs'
import {
  addressOf,
  applyAppearance,
  expect,
  expectAccessible,
  getSignInCookies,
  staffEmail,
  test,
} from '../support/test.ts'

/** The webinars of the demo school that took place. */
const PAST = 'Як утримати увагу годину'
const EARLIER = 'Перші п’ять хвилин ефіру'

test.beforeEach(async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  // Other tests create more events than one page shows.
  await page.goto(addressOf('demo', `/workshops/statistics?${new URLSearchParams({ search: PAST })}`))
  await page.getByRole('link', { name: PAST, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: PAST })).toBeVisible()
})

test('an owner reads the statistics of an event: cards, chart, one minute of it, and buttons', async ({ page }) => {
  const viewers = page.locator('dl > div', { hasText: 'Глядачів' }).first()
  await expect(viewers.locator('dd')).toHaveText(/^\s*42/)
  const means = page.getByText('Різні люди, які були в кімнаті', { exact: false })
  await expect(means).toBeHidden()
  await viewers.locator('[tabindex]').focus()
  await expect(means).toBeVisible()

  const minute = page.locator('svg a', { has: page.locator('title', { hasText: /^41\sхв:/ }) })
  await page.goto(new URL((await minute.getAttribute('href')) ?? '', page.url()).href)
  await expect(page.getByRole('heading', { name: 'Що було в цей час' })).toBeVisible()
  await expect(page.locator('#moments')).toContainText('Кнопка «Записатися на курс зі знижкою»')
  await expect(page.getByRole('row', { name: /Записатися на курс зі знижкою/ })).toBeVisible()
})

test('an owner lists the participants who saw a button without clicking, and downloads the list', async ({ page }) => {
  await page.getByRole('link', { name: 'Хто бачив і не натиснув' }).click()
  await expect(page.getByRole('combobox', { name: 'Кого показати' })).toHaveValue('sawOnly')
  const rows = page.locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  await expect(rows.first().locator('[data-label="Пристрій"]')).toHaveText(/телефон|комп’ютер|планшет/)
  const shown = await rows.count()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Завантажити CSV' }).click(),
  ])
  const lines = fs
    .readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines.length - 1).toBe(shown)
  expect(lines[0]).toContain('Пристрій')
})

test('the chat of an event can be searched, and the statistics are accessible in both themes', async ({ page }) => {
  for (const look of [
    { locale: 'uk', theme: 'day', width: 1440 },
    { locale: 'en', theme: 'night', width: 390 },
  ] as const) {
    await applyAppearance(page, look)
    await page.reload()
    await expectAccessible(page)
  }
  await page.goto(`${page.url()}&tab=chat&q=запис`)
  await expect(page.getByText('А запис буде?')).toBeVisible()
  await expect(page.getByText('Плюс')).toHaveCount(0)
})

test('two events are compared by their numbers and minute by minute', async ({ page }) => {
  await page.getByRole('link', { name: 'Порівняння' }).click()
  const other = page.getByLabel('Порівняти з')
  const option = other.locator('option', { hasText: EARLIER }).first()
  await other.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Порівняти' }).click()
  const viewers = page.getByRole('row', { name: /^Глядачів/ }).getByRole('cell')
  await expect(viewers.nth(1)).toHaveText('42')
  await expect(viewers.nth(2)).toHaveText('27')
  await expect(viewers.nth(3)).toHaveText('+15')
  // Percentages differ by percentage points.
  await expect(page.getByRole('cell', { name: /^[+−]?\d+\sв\.\sп\.$/ }).first()).toBeVisible()
  await expect(
    page
      .locator('svg')
      .filter({ has: page.locator('title') })
      .first(),
  ).toBeVisible()
  for (const look of [
    { locale: 'uk', theme: 'day', width: 390 },
    { locale: 'en', theme: 'night', width: 768 },
  ] as const) {
    await applyAppearance(page, look)
    await page.reload()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('a presenter is redirected from the statistics', async ({ page }) => {
  const href = page.url()
  await page.context().clearCookies()
  await page.context().addCookies(await getSignInCookies(page, staffEmail('presenter')))
  await page.goto(href)
  await expect(page).toHaveURL(addressOf('demo', '/'))
})
