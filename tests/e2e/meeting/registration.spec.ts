import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import {
  addressOf,
  applyAppearance,
  expect,
  expectAccessible,
  getSignInCookies,
  STUDENT,
  staffEmail,
  test,
} from '../support/test.ts'

let people = 0
const fresh = (name: string): string => `${name}-${Date.now().toString(36)}-${++people}@visitor.test`

/** The page of the demo school's next webinar, from the link in its staff's tab. */
async function pageOf(page: Page): Promise<string> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/workshops?search=Голос'))
  const event = page.locator('a[href*="/workshops/webinar/"]', { hasText: 'Голос без втоми' }).first()
  const href = (await event.getAttribute('href')) ?? ''
  await page.context().clearCookies()
  const id = /[0-9a-f-]{36}/.exec(href)?.[0] ?? ''
  return addressOf('demo', `/workshops/register/${id}`)
}

async function visitor(browser: Browser, more: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...more })
  return context.newPage()
}

test('a visitor without JavaScript registers, gets the link by email, and cancels the registration', async ({
  page,
  browser,
}) => {
  const address = await pageOf(page)
  const plain = await visitor(browser, { javaScriptEnabled: false })
  await plain.goto(address)
  const email = fresh('plain')
  // The error is shown next to the field, and the typed values are kept.
  await plain.getByLabel('Ваше ім’я').fill('Олена Без Скрипту')
  await plain.getByLabel('Електронна пошта').first().fill('не адреса')
  await plain.getByRole('button', { name: 'Зареєструватися' }).click()
  await expect(plain.getByLabel('Ваше ім’я')).toHaveValue('Олена Без Скрипту')
  await expect(plain.getByLabel('Електронна пошта').first()).toHaveAttribute('aria-invalid', 'true')
  await plain.getByLabel('Електронна пошта').first().fill(email)
  await plain.getByRole('button', { name: 'Зареєструватися' }).click()
  await expect(plain.getByRole('heading', { name: 'Ви зареєстровані' })).toBeVisible()
  expect(plain.url()).not.toContain('key=')

  const letter = await waitForEmail(page, email)
  expect(letter.text).toContain('за Києвом')
  const link = new URL(firstLinkIn(letter.text))
  expect(link.pathname).toContain('/meeting/join/')
  await plain.goto(`${address}?key=${link.searchParams.get('key')}`)
  await expect(plain.getByText('Місце за вами')).toBeVisible()
  await plain.getByText('Скасувати реєстрацію').click()
  await plain.getByRole('button', { name: 'Так, скасувати' }).click()
  await expect(plain.locator('[data-state]')).toHaveAttribute('data-state', 'canceled')
  expect((await waitForEmail(page, email, { after: letter.id })).subject).toContain('Скасовано')
  await plain.context().close()
})

test('a visitor in another time zone sees both local times, and the email uses the visitor’s zone', async ({
  page,
  browser,
}) => {
  const address = await pageOf(page)
  const far = await visitor(browser, { timezoneId: 'Asia/Kathmandu' })
  await far.goto(`${address}?utm_source=news`)
  await expect(far.locator('[data-start]')).toContainText('за Києвом')
  await expect(far.locator('[data-here]')).toContainText('за часом у Непалі')
  const email = fresh('far')
  await far.getByLabel('Ваше ім’я').fill('Далека Гостя')
  await far.getByLabel('Електронна пошта').first().fill(email)
  await far.getByRole('button', { name: 'Зареєструватися' }).click()
  await expect(far.getByRole('heading', { name: 'Ви зареєстровані' })).toBeVisible()
  expect((await waitForEmail(page, email)).text).toContain('за часом у Непалі')
  await far.context().close()
})

test('a student registers with one click and gets the link', async ({ page }) => {
  const address = await pageOf(page)
  await page.context().addCookies(await getSignInCookies(page, STUDENT))
  await page.goto(address.replace('//demo.', '//go.'))
  const again = page.getByRole('link', { name: 'Моя реєстрація' })
  if (!(await again.isVisible())) await page.getByRole('button', { name: /^Зареєструватися як/ }).click()
  else await again.click()
  await expect(page.getByRole('link', { name: 'Увійти до кімнати' })).toHaveAttribute('href', /\/meeting\/join\/.+key=/)
})

test('the calendar file and one-click unsubscribe work for everybody with the key', async ({ page, browser }) => {
  const address = await pageOf(page)
  const email = fresh('keys')
  const guest = await visitor(browser, {})
  await guest.goto(address)
  await guest.getByLabel('Ваше ім’я').fill('Календарна Гостя')
  await guest.getByLabel('Електронна пошта').first().fill(email)
  await guest.getByRole('button', { name: 'Зареєструватися' }).click()
  await expect(guest.getByRole('heading', { name: 'Ви зареєстровані' })).toBeVisible()
  const key = new URL(firstLinkIn((await waitForEmail(page, email)).text)).searchParams.get('key') ?? ''
  const { origin } = new URL(address)
  const file = await guest.evaluate(async (path) => {
    const answer = await fetch(path)
    return { type: answer.headers.get('content-type'), text: await answer.text() }
  }, `${origin}/v1/calendar/${key}.ics`)
  expect(file.type).toContain('text/calendar')
  expect(file.text).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect(file.text).toContain('TZID:Europe/Kyiv')
  const status = await guest.evaluate(
    async (path) => (await fetch(path, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status,
    `${origin}/v1/reminders/${key}`,
  )
  expect(status).toBe(204)
  await guest.goto(`${address}?key=${key}`)
  await expect(guest.getByRole('button', { name: 'Нагадувати', exact: true })).toBeVisible()
  await guest.context().close()
})

test('staff see registrations, add a registrant, and read the emails', async ({ page }) => {
  const address = await pageOf(page)
  const id = address.split('/').at(-1)
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  const edit = addressOf('demo', `/workshops/webinar/${id}`)
  await page.goto(`${edit}?tab=people`)
  const email = fresh('hand')
  await page.getByText('Додати людину').click()
  await page.getByLabel('Електронна пошта').first().fill(email)
  await page.getByRole('button', { name: 'Додати', exact: true }).click()
  await expect(page.getByText('Додано, лист надіслано.')).toBeVisible()
  await page.goto(`${edit}?tab=people&q=${encodeURIComponent(email)}`)
  const row = page.locator('[data-registration]')
  await expect(row).toHaveCount(1)
  await expectAccessible(page)
  await row.locator('summary[aria-label]').click()
  await row.getByRole('button', { name: 'Скасувати' }).click()
  const question = page.getByRole('region', { name: 'Скасувати реєстрацію 1 людини?' })
  await expect(question).toBeVisible()
  await expect(row).not.toContainText('Скасовано')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Так, скасувати' }).click()
  await expect(row).toContainText('Скасовано')

  await page.goto(`${edit}?tab=emails`)
  await expect(page.locator('[data-reminder]')).toHaveCount(8)
  await expectAccessible(page)
  await page.locator('[data-reminder=hour]').getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Зберегти листи' }).click()
  await expect(page.locator('[data-reminder=hour]')).toContainText('вимкнено')
  await page.locator('[data-reminder=hour]').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Зберегти листи' }).click()
  await expect(page.locator('[data-reminder=hour]')).not.toContainText('вимкнено')
  await page.locator('[data-reminder=day]').getByRole('link').click()
  await expect(page.locator('pre')).toContainText('Голос без втоми')
})

for (const width of [390, 768, 1440]) {
  test(`the registration page fits ${width} px in both themes for everybody`, async ({ page }) => {
    const address = await pageOf(page)
    for (const theme of ['day', 'night'] as const) {
      for (const locale of ['uk', 'en'] as const) {
        await applyAppearance(page, { locale, theme, width })
        await page.goto(address)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(wide).toBe(0)
        await expectAccessible(page)
      }
    }
  })
}
