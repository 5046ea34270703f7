import { expectAccessible } from './support/accessible.ts'
import { addressOf } from './support/address.ts'
import { expect, test } from './support/test.ts'

const styleguide = () => addressOf(null, '/dev/styleguide')

test.use({ locale: 'en-US', timezoneId: 'Europe/Kyiv' })

test('a date is typed in the language of the page or chosen in a calendar by keyboard', async ({ page }) => {
  await page.goto(styleguide())
  const day = page.getByRole('textbox', { name: 'Дата', exact: true })
  await day.fill('31.02.2026')
  await day.press('Tab')
  await expect(page.getByRole('alert').filter({ hasText: 'Такої дати немає' })).toBeVisible()
  await day.fill('22 листопада 2026')
  await day.press('Alt+ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Календар' })
  await expect(calendar.getByRole('button', { name: 'неділя, 22 листопада 2026' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(day).toHaveValue('21.12.2026')
  const values = await day.evaluate((input: HTMLInputElement) =>
    input.form ? new FormData(input.form).get('day') : '',
  )
  expect(values).toBe('2026-12-21')
})

test('a time that the clocks skip is refused, and one that occurs twice is explained', async ({ page }) => {
  await page.goto(styleguide())
  const start = page.getByRole('textbox', { name: 'Дата й час' })
  await start.fill('29.03.2026, 03:30')
  await start.press('Tab')
  await expect(page.getByText('Такого часу цього дня немає')).toBeVisible()
  await start.fill('25.10.2026, 03:30')
  await start.press('Tab')
  await expect(page.getByText('Цього дня такий час буває двічі')).toBeVisible()
})

test('a time zone is found by its name', async ({ page }) => {
  await page.goto(styleguide())
  const zone = page.getByRole('combobox', { name: 'Часовий пояс' })
  await zone.focus()
  await zone.press('ArrowDown')
  const search = page.getByRole('combobox', { name: 'Країна або місто' })
  await search.fill('нью-й')
  await expect(page.getByRole('dialog').getByRole('option', { name: /^Нью-Йорк/ })).toBeVisible()
  await expectAccessible(page)
  await search.press('Enter')
  await expect(zone).toHaveValue('America/New_York')
  await expect(zone).toBeFocused()
})

test('a file is chosen, refused when it does not fit, and removed', async ({ page }) => {
  await page.goto(styleguide())
  const file = page.getByLabel('Файл', { exact: true })
  await expect(page.getByText('Перетягніть файл сюди')).toBeVisible()
  await file.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect(page.getByText('Файл «note.txt» іншого типу')).toBeVisible()
  await file.setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: Buffer.alloc(2048) })
  await expect(page.getByText('cover.png · 2 КБ')).toBeVisible()
  await page.getByRole('button', { name: 'Прибрати: Файл' }).click()
  await expect(page.getByText('Перетягніть файл сюди')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Вибрати файл: Файл' })).toBeFocused()
})

test('a row is added, removed and restored', async ({ page }) => {
  await page.goto(styleguide())
  const rows = page.getByRole('group', { name: 'Посилання' })
  const names = () =>
    rows.getByRole('textbox').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  const [first = '', second = ''] = await names()
  await rows.getByRole('button', { name: 'Додати рядок' }).click()
  await expect(rows.getByRole('textbox')).toHaveCount(3)
  await page.keyboard.type('третій')
  await rows.getByRole('button', { name: 'Посилання: прибрати рядок 1' }).click()
  expect(await names()).toEqual([second, 'третій'])
  await expect(rows.getByText('Рядок 1 прибрано.')).toBeVisible()
  await expectAccessible(page)
  await rows.getByRole('button', { name: 'Повернути' }).click()
  expect(await names()).toEqual([first, second, 'третій'])
})
