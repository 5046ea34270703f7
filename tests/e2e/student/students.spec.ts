import { randomBytes } from 'node:crypto'
import { callApi } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

test('an owner finds students, tags and emails them after a preview, and exports the list', async ({ page }) => {
  const mark = randomBytes(4).toString('hex')
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/students'))
  for (const number of [1, 2, 3]) {
    await callApi(page, 'student/invite', {
      email: `list-${mark}-${number}@kafedra.test`,
      name: `Ім’я ${mark} ${number}`,
    })
  }
  await expect(page.getByRole('heading', { name: 'Студенти' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('searchbox', { name: 'Ім’я, пошта або телефон' }).fill(`ім'я ${mark}`)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-found]')).toHaveText('Знайдено 3 студентів')
  await expect(page).toHaveURL(new RegExp(`q=.*${mark}`))

  await page.getByLabel(`Вибрати: Ім’я ${mark} 1`).check()
  await page.getByLabel(`Вибрати: Ім’я ${mark} 2`).check()
  await page.getByLabel('Дія з вибраними').selectOption('tag')
  await page.locator('[data-bulk]').getByRole('button', { name: 'Далі' }).click()
  await expect(page.getByText('Стосується 2 студентів.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Мітка').fill(`мітка ${mark}`)
  await page.getByRole('button', { name: 'Додати мітку' }).click()
  await expect(page.getByText('Успішно: 2')).toBeVisible()
  await expectAccessible(page)

  await page.goto(addressOf('demo', `/students?${new URLSearchParams({ tag: `мітка ${mark}` })}`))
  await expect(page.locator('[data-found]')).toHaveText('Знайдено 2 студентів')
  await page.getByLabel('Дія для всіх знайдених').selectOption('email')
  await page.getByRole('button', { name: 'Далі' }).first().click()
  await page.getByLabel('Тема листа').fill('Новий розклад')
  await page.getByLabel('Текст листа').fill('Вітаємо! Заняття о 18:00.')
  await page.getByRole('button', { name: 'Переглянути лист' }).click()
  await expect(page.getByText('Вітаємо! Заняття о 18:00.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Надіслати 2 листи' }).click()
  await expect(page.getByText('Лист буде надіслано за хвилину.')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'заплановано' })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Відкликати' }).click()
  await expect(page.getByText('Лист відкликано.')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'відкликано' })).toHaveCount(2)

  await page.goto(addressOf('demo', `/students?q=${mark}&sort=name`))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Завантажити CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('students.csv')
})

test('an owner chooses columns, saves the view, shares its address and deletes it', async ({ page, browser }) => {
  const mark = randomBytes(4).toString('hex')
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/students?status=accepted&sort=name'))
  await page.locator('summary', { hasText: 'Вибрати стовпці' }).click()
  const chooser = page.getByRole('group', { name: 'Вибрати стовпці' })
  for (const box of await chooser.getByRole('checkbox').all()) await box.uncheck()
  await chooser.getByLabel('Телефон').check()
  await chooser.getByLabel('Прогрес').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Застосувати' }).click()
  const headings = page.locator('table thead th')
  await expect(headings.filter({ hasText: 'Телефон' })).toBeVisible()
  await expect(headings.filter({ hasText: 'Прогрес' })).toBeVisible()
  await expect(headings.filter({ hasText: 'Активність' })).toHaveCount(0)

  await page.locator('summary', { hasText: 'Зберегти вигляд' }).click()
  await page.getByLabel('Назва вигляду').fill(`Вигляд ${mark}`)
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  const view = page.getByRole('link', { name: `Вигляд ${mark}` })
  await expect(view).toHaveAttribute('aria-current', 'true')
  const address = new URL((await view.getAttribute('href')) ?? '', page.url()).href
  expect(address).toMatch(/status=accepted/)

  // Another member opens the address; the saved view is not theirs.
  const director = await (await browser.newContext({ locale: 'uk-UA' })).newPage()
  await director.context().addCookies(await getSignInCookies(director, staffEmail('director')))
  await director.goto(address)
  await expect(director.locator('table thead th').filter({ hasText: 'Телефон' })).toBeVisible()
  await expect(director.locator('select[name=status]')).toHaveValue('accepted')
  await expect(director.getByRole('link', { name: `Вигляд ${mark}` })).toHaveCount(0)
  await director.context().close()

  await page.getByRole('button', { name: 'Видалити вигляд' }).click()
  await expect(page.getByRole('link', { name: `Вигляд ${mark}` })).toHaveCount(0)
})

test('the list works without JavaScript and in English', async ({ browser, page }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' })
  await context.addCookies(await getSignInCookies(page, staffEmail('director')))
  await context.addCookies([
    { name: 'locale', value: 'en', domain: new URL(addressOf('demo', '/')).hostname, path: '/' },
  ])
  const plain = await context.newPage()
  await plain.goto(addressOf('demo', '/students?status=blocked'))
  await expect(plain.getByRole('heading', { name: 'Students' })).toBeVisible()
  await expect(plain.locator('[data-found]')).toHaveText('1 student found')
  await plain.getByLabel('Action for everyone found').selectOption('tag')
  await plain.getByRole('button', { name: 'Continue' }).first().click()
  await expect(plain.getByText('Applies to 1 student.')).toBeVisible()
  await context.close()
})

test('a curator is redirected from the list', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('curator')))
  await page.goto(addressOf('demo', '/students'))
  await expect(page).toHaveURL(addressOf('demo', '/'))
})
