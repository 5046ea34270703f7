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
  await page.getByLabel('Дія з усіма знайденими').selectOption('email')
  await page.getByRole('button', { name: 'Далі' }).first().click()
  await page.getByLabel('Тема листа').fill('Новий розклад')
  await page.getByLabel('Текст листа').fill('Вітаємо! Заняття о 18:00.')
  await page.getByRole('button', { name: 'Переглянути перед виконанням' }).click()
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
