import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import {
  addressOf,
  DEMO_PASSWORD,
  expect,
  expectAccessible,
  getSignInCookies,
  staffEmail,
  test,
} from '../support/test.ts'

async function openPlainPage(browser: Browser, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage()
}

test('an owner corrects the email of a student, who joins from the right mailbox, and views as the student', async ({
  browser,
  page,
}) => {
  const mark = randomBytes(4).toString('hex')
  const [wrong, right] = [`wrong-${mark}@kafedra.test`, `right-${mark}@kafedra.test`]
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/students'))
  const { studentId = '' } = await callApi(page, 'student/invite', { email: wrong, name: `Олена ${mark}` })
  await page.goto(addressOf('demo', `/student/${studentId}`))
  await expect(page.getByRole('heading', { name: 'Електронна пошта і вхід' })).toBeVisible()

  await page.getByText('Виправити адресу').click()
  await page.getByLabel('Правильна адреса').fill(staffEmail('owner'))
  await page.getByRole('button', { name: 'Надіслати підтвердження' }).click()
  await expect(page.getByText('Ця електронна пошта вже зареєстрована!')).toBeVisible()
  await expect(page.getByLabel('Правильна адреса')).toHaveValue(staffEmail('owner'))
  await page.getByLabel('Правильна адреса').fill(right)
  await page.getByRole('button', { name: 'Надіслати підтвердження' }).click()
  await expect(page.getByText(`Нова адреса ${right} чекає на підтвердження`)).toBeVisible()
  await expectAccessible(page)

  const student = await openPlainPage(browser)
  await student.goto(firstLinkIn((await waitForEmail(page, right)).text))
  await expect(student.getByRole('heading', { name: 'Підтвердження адреси' })).toBeVisible()
  await expectAccessible(student)
  await student.getByRole('button', { name: 'Підтвердити адресу' }).click()
  await expect(student).toHaveURL(/\/registration\?student=/)
  await student.locator('input[name="firstName"]').fill('Олена')
  await student.locator('input[name="password"]').fill(DEMO_PASSWORD)
  await student.locator('form:has(input[name="password"]) button[type="submit"]').click()
  await expect(student).toHaveURL(addressOf('go', '/profile'))

  await page.reload()
  await expect(page.getByText(right).first()).toBeVisible()
  await page.getByRole('button', { name: 'Створити посилання' }).click()
  const link = await page.getByLabel('Посилання для входу', { exact: true }).inputValue()
  await expectAccessible(page)
  await page.goto(addressOf('demo', `/student/${studentId}`))
  await expect(page.getByLabel('Посилання для входу', { exact: true })).toHaveCount(0)

  // Without JavaScript; opening the link does not use it.
  const phone = await openPlainPage(browser, { javaScriptEnabled: false })
  for (const _ of ['preview', 'visit']) await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Вхід за посиланням' })).toBeVisible()
  await phone.getByRole('button', { name: 'Увійти', exact: true }).click()
  await expect(phone).toHaveURL(addressOf('go', '/profile'))
  const stranger = await openPlainPage(browser)
  await stranger.goto(link)
  await expect(stranger.getByText('Цим посиланням уже скористалися.')).toBeVisible()
  await expectAccessible(stranger)

  await page.getByRole('button', { name: 'Переглянути очима студента' }).click()
  await expect(page.locator('[data-view-banner]')).toContainText('Олена')
  await page.goto(addressOf('go', '/profile'))
  await expect(page.getByRole('heading', { name: 'Мої дані' })).toHaveCount(0)
  await page.locator('[data-view-banner]').getByRole('button').click()
  await expect(page.locator('[data-view-banner]')).toHaveCount(0)

  // The page about personal data, as the student.
  await student.reload()
  await student.getByRole('button', { name: 'Підготувати архів' }).click()
  await expect(student.getByText('Архів готується.').first()).toBeVisible()
  await waitForEmail(page, right, { about: 'Архів ваших даних готовий' })
  await student.goto(addressOf('go', '/profile'))
  const [download] = await Promise.all([
    student.waitForEvent('download'),
    student.getByRole('link', { name: /Завантажити архів/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('my-data.zip')

  await student.getByText('Видалити мої дані').click()
  await student.getByLabel('Ваш пароль').fill('wrong')
  await student.getByRole('button', { name: 'Надіслати запит на видалення' }).click()
  await expect(student.locator('#field-deletion-password-error')).toBeVisible()
  await expectAccessible(student)
  await student.getByLabel('Ваш пароль').fill(DEMO_PASSWORD)
  await student.getByRole('button', { name: 'Надіслати запит на видалення' }).click()
  await expect(student.getByText('Ваші дані буде видалено')).toBeVisible()
  await page.goto(addressOf('demo', `/student/${studentId}`))
  await expect(page.getByText('Студент просить видалити свої дані.')).toBeVisible()
  await student.getByRole('button', { name: 'Скасувати видалення' }).click()
  await expect(student.getByText('Видалення скасовано.')).toBeVisible()
  for (const opened of [student, phone, stranger]) await opened.context().close()
})

test('a school adds a field, fills it on the card and filters by it; two directors do not overwrite each other', async ({
  page,
}) => {
  const mark = randomBytes(4).toString('hex')
  await page.context().addCookies(await getSignInCookies(page, staffEmail('director')))
  await page.goto(addressOf('demo', '/team?tab=school'))
  const section = page.locator('section[aria-labelledby="student-fields"]')
  await section.locator('#new-field-name').fill(`Потік ${mark}`)
  await section.getByLabel('Тип').selectOption('choice')
  await section.getByRole('button', { name: 'Додати поле' }).click()
  await expect(section.locator('#new-field-options-error')).toBeVisible()
  await expect(section.locator('#new-field-name')).toHaveValue(`Потік ${mark}`)
  await section.locator('#new-field-options').fill('Ранковий\nВечірній')
  await section.getByRole('button', { name: 'Додати поле' }).click()
  await expect(page.getByText('Поля збережено.')).toBeVisible()
  await expectAccessible(page)

  const { studentId = '' } = await callApi(page, 'student/invite', { email: `field-${mark}@kafedra.test` })
  const card = addressOf('demo', `/student/${studentId}`)
  const second = await page.context().newPage()
  await second.goto(card)
  await page.goto(card)
  await page.getByLabel(`Потік ${mark}`).selectOption('Вечірній')
  await page.getByRole('button', { name: 'Зберегти поля' }).click()
  await expect(page.getByText('Поля збережено.')).toBeVisible()
  await expect(page.getByLabel(`Потік ${mark}`)).toHaveValue('Вечірній')
  await expectAccessible(page)
  await second.getByLabel(`Потік ${mark}`).selectOption('Ранковий')
  await second.getByRole('button', { name: 'Зберегти поля' }).click()
  await expect(second.getByText('Поки ви редагували, поля змінив хтось інший.')).toBeVisible()
  await expect(second.getByText('Зараз: Вечірній')).toBeVisible()

  await page.goto(addressOf('demo', '/students?cols=fields'))
  const option = page.locator('select[name="field"] option', { hasText: `Потік ${mark}: Вечірній` })
  await page.goto(
    addressOf(
      'demo',
      `/students?${new URLSearchParams({ field: (await option.getAttribute('value')) ?? '', cols: 'fields' })}`,
    ),
  )
  await expect(page.locator('[data-found]')).toHaveText('Знайдено 1 студента')
  await expect(page.getByRole('cell', { name: `Потік ${mark}: Вечірній` })).toBeVisible()

  await page.goto(addressOf('demo', '/team?tab=school'))
  await page.getByRole('button', { name: `Видалити поле «Потік ${mark}»` }).click()
  await expect(page.getByText('Поле видалено.')).toBeVisible()
  await page.getByRole('button', { name: 'Повернути' }).click()
  await expect(page.getByText('Поле повернуто.')).toBeVisible()
  await page.getByRole('button', { name: `Видалити поле «Потік ${mark}»` }).click()
  await expect(page.getByText('Поле видалено.')).toBeVisible()
})
