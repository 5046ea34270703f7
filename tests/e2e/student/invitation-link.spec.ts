import { randomBytes } from 'node:crypto'
import { callApi } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, test } from '../support/test.ts'

const PASSWORD = 'Probna-2026!'

test('an owner creates a link for a course, and a new student joins through it on a phone with the answers that the school requires', async ({
  page,
  browser,
}) => {
  const mark = randomBytes(4).toString('hex')
  await page.context().addCookies(await getSignInCookies(page, 'owner@sonata.test'))
  await page.goto(addressOf('sonata', '/team?tab=school'))
  const settings = page.locator('form#registration')
  await settings.getByLabel('Поле 1', { exact: true }).fill('Місто')
  await settings.getByLabel('Обов’язкове поле').first().check()
  await settings.getByLabel('Текст згоди').fill(`Погоджуюся на обробку даних ${mark}`)
  await settings.getByLabel('Адреса документа').fill('https://sonata.test/terms')
  await settings.getByRole('button', { name: 'Зберегти реєстрацію' }).click()
  await expect(page.getByText('Реєстрацію студентів збережено.')).toBeVisible()
  await expect(settings.getByLabel('Поле 1', { exact: true })).toHaveValue('Місто')
  await expectAccessible(page)

  const title = `Сольфеджіо ${mark}`
  const { courseId } = await callApi(page, 'course/create', { title })
  await page.goto(addressOf('sonata', `/course/edit/${courseId}?tab=students`))
  const links = page.locator('[data-invitation-links]')
  await links.getByText('Створити посилання').first().click()
  await links.getByLabel('Назва для команди').fill('Канал')
  await links.getByLabel('Скільки людей може долучитися').fill('1')
  await links.getByRole('button', { name: 'Створити посилання' }).click()
  await expect(page.getByText('Посилання створено.')).toBeVisible()
  await expect(links.locator('[data-facts]')).toHaveText('Долучилися: 0 з 1')
  await links.getByText('QR-код', { exact: true }).click()
  await expect(links.getByRole('img', { name: 'QR-код посилання «Канал»' }).locator('svg')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await links.getByRole('button', { name: 'Скопіювати' }).click()
  await expect(links.getByRole('button', { name: 'Скопійовано' })).toBeVisible()
  const url = await links.locator('[data-url]').inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  await expectAccessible(page)

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'uk-UA' })
  const newcomer = await phone.newPage()
  const email = `newcomer-${mark}@kafedra.test`
  await newcomer.goto(url)
  await expect(newcomer.getByText(`Музична школа «Соната» запрошує вас на курс «${title}».`)).toBeVisible()
  await expectAccessible(newcomer)
  await newcomer.getByLabel('Електронна пошта').fill(email)
  await newcomer.getByRole('button', { name: 'Надіслати лист' }).click()
  await expect(newcomer.getByRole('heading', { name: 'Перевірте пошту' })).toBeVisible()
  await newcomer.goto(firstLinkIn((await waitForEmail(newcomer, email)).text))
  await newcomer.getByLabel('Ім’я').fill('Ірина')
  await newcomer.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await newcomer.getByRole('button', { name: 'Почати навчання' }).click()
  await expect(newcomer.getByText('Щоб продовжити, потрібна ваша згода')).toBeVisible()
  await expect(newcomer.getByLabel('Ім’я')).toHaveValue('Ірина')
  await expectAccessible(newcomer)
  await newcomer.getByLabel('Місто').fill('Львів')
  await newcomer.getByLabel(`Погоджуюся на обробку даних ${mark}`).check()
  await newcomer.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await newcomer.getByRole('button', { name: 'Почати навчання' }).click()
  await newcomer.waitForURL(addressOf('go', '/courses'))
  await newcomer.goto(url)
  await newcomer.waitForURL(addressOf('go', '/courses'))
  await phone.close()

  const stranger = await browser.newContext({ locale: 'en-US' })
  const late = await stranger.newPage()
  const response = await late.goto(url)
  expect(response?.status()).toBe(410)
  await expectAccessible(late)
  await stranger.close()

  await page.reload()
  await page.getByText('Посилання, що вже не діють (1)').click()
  await expect(links.locator('[data-facts]')).toHaveText('Долучилися: 1 з 1')
  await page.goto(addressOf('sonata', `/students?q=${email}`))
  await page.getByRole('link', { name: 'Ірина' }).click()
  await expect(page.locator('[data-registration]')).toContainText('Львів')
  await expect(page.locator('[data-registration]')).toContainText(`Погоджуюся на обробку даних ${mark}`)
  await expectAccessible(page)
})
