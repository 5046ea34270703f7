import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, test } from '../support/test.ts'

const PASSWORD = 'Probna-2026!'

function newcomer() {
  const id = randomBytes(4).toString('hex')
  return { email: `owner-${id}@kafedra.test`, subdomain: `shkola-${id}`, organisation: `Школа ${id}` }
}
type Newcomer = ReturnType<typeof newcomer>

async function fillRegistration(page: Page, { email, subdomain, organisation }: Newcomer) {
  await page.goto(addressOf(null, '/register'))
  await page.getByLabel('Назва організації').fill(organisation)
  await page.getByLabel('Ім’я').fill('Олена')
  await page.getByLabel('Адреса школи').fill(subdomain)
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
}

async function register(page: Page, who: Newcomer) {
  await fillRegistration(page, who)
  await page.getByRole('button', { name: 'Створити школу' }).click()
  await expect(page.getByRole('heading', { name: 'Підтвердьте пошту' })).toBeVisible()
}

async function codeFor(page: Page, email: string) {
  return /\d{6}/.exec((await waitForEmail(page, email)).subject)?.[0] ?? ''
}

const isSchool = ({ subdomain }: Newcomer) => addressOf(subdomain, '/')
const awaiting = (page: Page) => page.evaluate(() => localStorage.getItem('awaitingEmailVerification'))

async function without(browser: Browser): Promise<Page> {
  return (await browser.newContext({ javaScriptEnabled: false, locale: 'uk-UA' })).newPage()
}

test('an organisation signs up, enters the code and is signed in on its own subdomain', async ({ page }) => {
  const who = newcomer()
  await register(page, who)
  await expect.poll(() => awaiting(page)).not.toBeNull()
  const { expire_date } = JSON.parse((await awaiting(page)) ?? '{}')
  expect(new Date(expire_date).getTime()).toBeGreaterThan(Date.now())

  await page.goto(addressOf(null, '/login'))
  await page.waitForURL('**/email-verify')

  // Typing may be faster than loading the scripts.
  const typed = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', (route) => typed.promise.then(() => route.continue()))
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('Код із листа').fill(await codeFor(page, who.email))
  typed.resolve()
  await page.waitForURL(isSchool(who))
})

test('the waiting tab signs in by itself when the link is opened elsewhere', async ({ page, browser }) => {
  const who = newcomer()
  await register(page, who)
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(firstLinkIn((await waitForEmail(page, who.email)).text))
  await elsewhere.waitForURL(isSchool(who))
  await page.waitForURL(isSchool(who))
  await elsewhere.context().close()
})

test('everything works without JavaScript', async ({ browser }) => {
  const page = await without(browser)
  const who = newcomer()
  await fillRegistration(page, { ...who, subdomain: 'admin' })
  await page.getByRole('button', { name: 'Створити школу' }).click()
  await expect(page.getByText('Цю адресу залишено для самої платформи')).toBeVisible()
  await expect(page.getByLabel('Електронна пошта')).toHaveValue(who.email)
  await expect(page.getByLabel('Пароль', { exact: true })).toHaveValue('')
  await register(page, who)

  await page.getByLabel('Код із листа').fill('000000')
  await page.getByRole('button', { name: 'Підтвердити' }).click()
  await expect(page.getByText('Код не збігається. Перевірте цифри в листі.')).toBeVisible()
  await page.getByRole('button', { name: 'Надіслати новий код' }).click()
  await expect(page.getByText('Забагато спроб')).toBeVisible()
  await page.goto(firstLinkIn((await waitForEmail(page, who.email)).text))
  await page.getByRole('button', { name: 'Підтвердити пошту' }).click()
  await page.waitForURL(isSchool(who))

  await page.goto(addressOf(null, '/forgot-password'))
  await page.getByLabel('Електронна пошта').fill(who.email)
  await page.getByRole('button', { name: 'Надіслати посилання' }).click()
  await expect(page.getByRole('heading', { name: 'Перевірте пошту' })).toBeVisible()
  const first = await waitForEmail(page, who.email)
  const { text } = first.subject.startsWith('Новий пароль')
    ? first
    : await waitForEmail(page, who.email, { after: first.id })
  await page.goto(firstLinkIn(text))
  await page.getByLabel('Новий пароль', { exact: true }).fill('Nova-2026-parol!')
  await page.getByLabel('Новий пароль ще раз').fill('inshyi')
  await page.getByRole('button', { name: 'Зберегти пароль' }).click()
  await expect(page.getByText('Паролі повинні співпадати')).toBeVisible()
  await page.getByLabel('Новий пароль', { exact: true }).fill('Nova-2026-parol!')
  await page.getByLabel('Новий пароль ще раз').fill('Nova-2026-parol!')
  await page.getByRole('button', { name: 'Зберегти пароль' }).click()
  await expect(page.getByText('Пароль змінено. Увійдіть з новим.')).toBeVisible()

  await page.getByLabel('Електронна пошта').fill(who.email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Увійти' }).click()
  await expect(page.getByText('Облікові дані не знайдено в наших записах.').first()).toBeVisible()
  await page.getByLabel('Пароль', { exact: true }).fill('Nova-2026-parol!')
  await page.getByRole('button', { name: 'Увійти' }).click()
  await page.waitForURL(isSchool(who))
  await page.goto(firstLinkIn(text))
  await expect(page.getByText('Цим посиланням уже скористалися')).toBeVisible()
  await page.context().close()
})

test('a rate-limited user sees the reason and the duration, and may set a new password, without JavaScript', async ({
  browser,
}) => {
  const page = await without(browser)
  const { email } = newcomer()
  await page.goto(addressOf(null, '/login'))
  for (let attempt = 0; attempt < 6; attempt++) {
    await page.getByLabel('Електронна пошта').fill(email)
    await page.getByLabel('Пароль', { exact: true }).fill('Nepravylno-1')
    await page.getByRole('button', { name: 'Увійти' }).click()
  }
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('хтось вводив неправильні паролі до цього акаунта')
  await expect(alert).toContainText(/Спробуйте за \d+ секунд/)
  await alert.getByRole('link', { name: /новий пароль/ }).click()
  await expect(page).toHaveURL(addressOf(null, '/forgot-password'))
  await page.context().close()
})

test('forms show fulfilled password rules, typing errors, and a suggested and checked subdomain', async ({ page }) => {
  await page.goto(addressOf(null, '/register'))
  await page.getByLabel('Назва організації').fill('Школа Їжачок')
  await page.getByLabel('Електронна пошта').fill('olena@gmial.com')
  await expect(page.getByLabel('Адреса школи')).toHaveValue(/^shkola-yizhachok/)
  await page.getByLabel('Пароль', { exact: true }).fill('Abc')
  await expect(page.locator('.rules li[data-passed="true"]')).toHaveCount(2)
  await page.getByRole('button', { name: 'olena@gmail.com' }).click()
  await expect(page.getByLabel('Електронна пошта')).toHaveValue('olena@gmail.com')
  await page.getByLabel('Адреса школи').fill('api')
  await expect(page.getByText('Цю адресу залишено для самої платформи')).toBeVisible()
  await page.getByRole('button', { name: 'api-school' }).click()
  await expect(page.getByText('Адреса вільна')).toBeVisible()
  await page.getByRole('button', { name: 'Показати пароль' }).click()
  await expect(page.getByLabel('Пароль', { exact: true })).toHaveAttribute('type', 'text')
})

test('after sign-in the user gets to the requested page with query and hash', async ({ page }) => {
  const who = newcomer()
  await register(page, who)
  await page.getByLabel('Код із листа').fill(await codeFor(page, who.email))
  await page.waitForURL(isSchool(who))
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(addressOf(who.subdomain, '/profile?x=1#devices'))
  await page.waitForURL('**/login?**')
  await page.getByLabel('Електронна пошта').fill(who.email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Увійти' }).click()
  await page.waitForURL(addressOf(who.subdomain, '/profile?x=1#devices'))
  await expect(page.getByText('Цей пристрій')).toBeVisible()
})

for (const path of [
  '/login',
  '/register',
  '/forgot-password',
  '/registration',
  '/email-verify',
  '/reset-password?token=x',
]) {
  test(`${path} is accessible`, async ({ page }) => {
    await page.goto(addressOf(null, path))
    await expectAccessible(page)
  })
}

test('an invalid invitation shows the error page with the message of the specification', async ({ page }) => {
  for (const query of ['', '?student=x', '?student=x&tenant=demo']) {
    await page.goto(addressOf('go', `/invite-accept${query}`))
    await expect(page.getByText('Invalid invitation parameters')).toBeVisible()
  }
})

test('an awaited verification redirects to its page, an expired one is cleared', async ({ page }) => {
  await register(page, newcomer())
  await expect.poll(() => awaiting(page)).not.toBeNull()
  await page.goto(addressOf(null, '/login'))
  await page.waitForURL('**/email-verify')
  await page.evaluate(() => {
    const past = new Date(Date.now() - 60_000).toISOString()
    localStorage.setItem('awaitingEmailVerification', JSON.stringify({ expire_date: past }))
  })
  await page.goto(addressOf(null, '/login'))
  await expect(page.getByLabel('Електронна пошта')).toBeVisible()
  await expect.poll(() => awaiting(page)).toBeNull()
})
