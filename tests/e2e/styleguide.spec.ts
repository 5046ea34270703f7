import { expectAccessible } from './support/accessible.ts'
import { addressOf } from './support/address.ts'
import { applyAppearance } from './support/appearance.ts'
import { expect, test } from './support/test.ts'

const STYLEGUIDE = addressOf(null, '/dev/styleguide')

test('the page parts are accessible in both themes, on a phone and on a desktop', async ({ page }) => {
  for (const look of [
    { locale: 'uk', theme: 'day', width: 1440 },
    { locale: 'en', theme: 'night', width: 390 },
  ] as const) {
    await applyAppearance(page, look)
    await page.goto(STYLEGUIDE)
    await expectAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(look.width)
  }
})

test('the confirmation is opened, read and left by keyboard, and the focus returns to its button', async ({ page }) => {
  await page.goto(STYLEGUIDE)
  const opener = page.locator('#page-parts').getByRole('button', { name: 'Видалити курс' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Видалити модуль «Підготовка»?' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the filter bar keeps the tab, omits empty fields from the URL and removes a filter by its chip', async ({
  page,
}) => {
  await page.goto(`${STYLEGUIDE}?tab=tabOffers`)
  await page.getByRole('combobox', { name: 'Стан', exact: true }).selectOption('invited')
  await page.getByRole('search').getByRole('button', { name: 'Показати' }).click()
  await expect(page).toHaveURL(`${STYLEGUIDE}?tab=tabOffers&state=invited`)
  await expect(page.getByRole('link', { name: 'Пропозиції' })).toHaveAttribute('aria-current', 'page')
  await expect(page.locator('#sample-students tbody tr')).toHaveCount(1)
  await page.getByRole('link', { name: /Стан: Запрошено/ }).click()
  await expect(page).toHaveURL(`${STYLEGUIDE}?tab=tabOffers`)
})

test('a selection shows the bulk actions and its size, and the page is selected at once', async ({ page }) => {
  await page.goto(STYLEGUIDE)
  const bar = page.getByRole('group', { name: 'Дії з вибраними' })
  await expect(bar).toBeHidden()
  await page.getByRole('checkbox', { name: 'Вибрати: Марія Шевчук' }).check()
  await expect(bar).toContainText('Вибрано: 1')
  await page.getByRole('checkbox', { name: 'Вибрати все на сторінці' }).check()
  await expect(bar).toContainText('Вибрано: 3')
})

test('the chart is one tab stop whose points are read with the arrow keys', async ({ page }) => {
  await page.goto(STYLEGUIDE)
  const chart = page.locator('[data-chart]').first()
  const points = chart.locator('[data-point]')
  await points.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(points.nth(1)).toBeFocused()
  await expect(chart.locator('[tabindex="0"]')).toHaveCount(1)
  await expect(chart.locator('[data-chart-readout]')).toHaveText((await points.nth(1).getAttribute('aria-label')) ?? '')
  await page.keyboard.press('End')
  await expect(points.last()).toBeFocused()
})
