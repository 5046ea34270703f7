import type { Page } from '@playwright/test'
import { addressOf, expect, getSignInCookies, STUDENT, signIn, staffEmail, test } from './support/test.ts'

/** A marker in the document, which a full page load removes. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { theDocument: true }))
const isSame = (page: Page) => page.evaluate(() => 'theDocument' in window)

/** Violations of the Content-Security-Policy in this tab, without zod's test whether it may compile. */
async function watchPolicy(page: Page): Promise<() => string[]> {
  const blocked: string[] = []
  await page.exposeFunction('noteBlocked', (text: string) => void blocked.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      if (blockedURI !== 'eval') Reflect.get(window, 'noteBlocked')(`${violatedDirective} ${blockedURI}`)
    })
  })
  return () => blocked
}

async function enter(page: Page, email: string, host: string, path: string): Promise<void> {
  await page.context().addCookies(await getSignInCookies(page, email))
  await page.goto(addressOf(host, path))
  await mark(page)
}

const DEMO_COURSE = 'Перший вебінар: від ідеї до запису'

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Головне меню' }).getByRole('link', { name })

test('cabinet pages replace each other in one document without policy violations', async ({ page }) => {
  const blocked = await watchPolicy(page)
  await enter(page, staffEmail('owner'), 'demo', '/')
  await menu(page, 'Курси').click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toHaveTitle(/Курси/)
  await expect(page.locator('.astro-route-announcer')).toHaveText(/Курси/)
  await expect(menu(page, 'Курси')).toHaveAttribute('aria-current', 'page')

  // Other tests add courses, so the demo course is found by its title.
  await page.getByRole('search').getByRole('searchbox').fill(DEMO_COURSE)
  await page.getByRole('search').getByRole('button').click()
  await expect(page.getByRole('search').getByRole('searchbox')).toHaveValue(DEMO_COURSE)
  await page.waitForURL(/[?&]q=/)
  await page.locator('main').getByRole('link', { name: DEMO_COURSE, exact: true }).first().click()
  await page.waitForURL(/\/course\/edit\//)
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
  await expect(page.getByRole('textbox', { name: 'Текст уроку' })).toBeFocused()
  await menu(page, 'Профіль').click()
  await page.waitForURL(/\/profile/)
  await page.getByRole('button', { name: 'Показати пароль' }).first().click()
  await expect(page.locator('[data-password] input').first()).toHaveAttribute('type', 'text')
  // Hydrated islands have inline scripts.
  for (const time of ['first', 'second']) {
    await menu(page, 'Файли').click()
    // The island loads its modules only after the page is shown.
    await expect(page, time).toHaveTitle(/Файли/)
    await expect(page.locator('[data-storage-live]'), time).toBeVisible()
    await menu(page, 'Курси').click()
    await expect(page).toHaveTitle(/Курси/)
  }
  expect(await isSame(page)).toBe(true)
  expect(blocked()).toEqual([])
})

test('shortcuts and buttons of the layout work once on every page', async ({ page }) => {
  await enter(page, staffEmail('owner'), 'demo', '/')
  await menu(page, 'Курси').click()
  await menu(page, 'Профіль').click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Клавіші' })).toBeVisible()
  await page.keyboard.press('Escape')
  const turn = page.getByRole('button', { name: 'Згорнути меню' })
  await turn.click()
  await expect(page.locator('[data-cabinet]')).toHaveAttribute('data-menu', 'narrow')
  await page.getByRole('link', { name: 'Курси' }).first().click()
  await page.waitForURL(/\/courses/)
  await expect(page.locator('[data-cabinet]')).toHaveAttribute('data-menu', 'narrow')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Огл')
  await page.keyboard.press('Enter')
  await page.waitForURL(addressOf('demo', '/'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  expect(await isSame(page)).toBe(true)
})

test('forms are submitted without a full page load: refusals, redirects and an image upload', async ({ page }) => {
  await enter(page, staffEmail('owner'), 'demo', '/courses')
  await page.getByRole('link', { name: 'Новий курс' }).first().click()
  await expect(page.getByLabel('Назва', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await expect(page.getByLabel('Назва', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Назва', { exact: true })).toBeFocused()
  await page.getByLabel('Назва', { exact: true }).fill(`Без перезавантаження ${Date.now()}`)
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await page.waitForURL(/\/course\/edit\//)
  await page.getByRole('link', { name: 'Налаштування', exact: true }).click()
  await page.waitForURL(/tab=settings/)
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const cover = { name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
  await page.locator('input[type=file][name=cover]').setInputFiles(cover)
  await page.getByRole('button', { name: 'Зберегти' }).first().click()
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: /[Зз]бережено/ })
      .first(),
  ).toBeVisible()
  expect(await isSame(page)).toBe(true)
})

test('a form with a file shows its progress, can be canceled and survives a lost connection', async ({ page }) => {
  await enter(page, staffEmail('owner'), 'demo', '/students?tab=import')
  const file = page.locator('input[type=file][name=file]')
  const send = page.getByRole('button', { name: 'Далі', exact: true })
  const chosen = () => file.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)
  const network = await page.context().newCDPSession(page)
  const setNetwork = (options: { offline: boolean; uploadThroughput: number }) =>
    network.send('Network.emulateNetworkConditions', { latency: 0, downloadThroughput: -1, ...options })
  const rows = Array.from({ length: 4000 }, (_, row) => `slow${Date.now()}.${row}@example.com;Повільна ${row}`)
  const buffer = Buffer.from(`email;name\n${rows.join('\n')}`)
  await file.setInputFiles({ name: 'slow.csv', mimeType: 'text/csv', buffer })

  await setNetwork({ offline: false, uploadThroughput: 60_000 })
  await send.click()
  const progress = page.getByRole('progressbar', { name: 'Надсилання файлу:' })
  await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(10)
  await expect(page.getByRole('status').filter({ hasText: /^Надсилання файлу: \d+/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Скасувати' }).click()
  await expect(page.getByText('Надсилання скасовано')).toBeVisible()
  await expect(progress).toHaveCount(0)

  await send.click()
  await expect(progress).toBeVisible()
  await setNetwork({ offline: true, uploadThroughput: -1 })
  await expect(page.getByText(/Файл не надіслано/)).toBeVisible()
  expect(await chosen()).toBe('slow.csv')

  await setNetwork({ offline: false, uploadThroughput: -1 })
  await send.click()
  await page.waitForURL(/[?&]import=/)
  expect(await isSame(page)).toBe(true)
})

test('back and forward restore the page and its scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 400 })
  await enter(page, staffEmail('owner'), 'demo', '/profile')
  await page.evaluate(() => scrollTo(0, 600))
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
  const left = await page.evaluate(() => scrollY)
  await page.locator('.dock-item[href="/courses"]').click()
  await page.waitForURL(/\/courses/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await page.waitForURL(/\/profile/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
  await page.goForward()
  await page.waitForURL(/\/courses/)
  expect(await isSame(page)).toBe(true)
})

test('typed text is saved before navigation', async ({ page }) => {
  // A course of another test may have no lesson.
  await enter(page, staffEmail('owner'), 'demo', '/courses?q=Перший+вебінар&status=published')
  await page.locator('main a[href^="/course/edit/"]').first().click()
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
  const words = `Слова ${Date.now()}`
  const text = page.getByRole('textbox', { name: 'Текст уроку' })
  // The field is read-only until the draft of the device is restored.
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await text.pressSequentially(words)
  const address = page.url()
  await menu(page, 'Курси').click()
  await page.waitForURL(/\/courses$/)
  await page.goBack()
  await page.waitForURL(address)
  await expect(page.locator('#lesson-editor')).toContainText(words)
  expect(await isSame(page)).toBe(true)
})

test('without a network the page stays with its typed text', async ({ page, context }) => {
  await enter(page, staffEmail('owner'), 'demo', '/course/create')
  await page.getByLabel('Назва', { exact: true }).fill('Набране в тунелі')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await expect(page.getByText('немає зв’язку з сервером')).toBeVisible()
  await menu(page, 'Курси').click()
  await expect(page.getByLabel('Назва', { exact: true })).toHaveValue('Набране в тунелі')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await page.waitForURL(/\/course\/edit\//)
})

test('a form submitted after the login session has ended shows it and keeps the typed text', async ({
  page,
  context,
}) => {
  await enter(page, staffEmail('owner'), 'demo', '/course/create')
  await page.getByLabel('Назва', { exact: true }).fill('Сеанс скінчився')
  await context.clearCookies({ name: 'token' })
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await expect(page.getByText('Не надіслано: сеанс завершився')).toBeVisible()
  await expect(page.getByLabel('Назва', { exact: true })).toHaveValue('Сеанс скінчився')
})

test('other layouts, another language and signing out cause a full page load', async ({ page }) => {
  // Signing out ends the login session, so it must not be shared with other tests.
  await signIn(page, STUDENT)
  await page.goto(addressOf('go', '/profile'))
  await mark(page)
  await page.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<a href="/nowhere">геть</a>'),
  )
  await page.getByRole('link', { name: 'геть' }).click()
  await expect(page.getByText('404')).toBeVisible()
  await expect.poll(() => isSame(page).catch(() => null)).toBe(false)

  await page.goto(addressOf('go', '/profile'))
  await mark(page)
  await page.locator('.cabinet-menu details').last().locator('summary').click()
  await page.locator('.cabinet-menu').getByRole('link', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect.poll(() => isSame(page).catch(() => null)).toBe(false)
  await page.locator('.cabinet-menu details').last().locator('summary').click()
  await page.locator('.cabinet-menu').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
})
