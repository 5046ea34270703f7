import type { Page } from '@playwright/test'
import { addressOf, expect, test } from '../support/test.ts'

const PASSWORD = 'Vesna-2026!'

/** The newest email to an address, from the outbox page, as plain text. */
async function letterTo(page: Page, email: string): Promise<string> {
  const outbox = await page.context().newPage()
  await expect(async () => {
    await outbox.goto(addressOf(null, '/dev/outbox'))
    await outbox.locator('[data-emails] a').filter({ hasText: email }).first().click({ timeout: 500 })
  }).toPass()
  await expect(outbox.locator('article')).toContainText(email)
  const text = await outbox.locator('[data-text]').textContent()
  await outbox.close()
  return text ?? ''
}

test('an organisation writes a course, invites a student and sees the progress', async ({ page, browser }) => {
  test.setTimeout(120_000)
  const run = Date.now().toString(36)
  const [owner, student] = [`owner-${run}@example.com`, `student-${run}@example.com`]
  const subdomain = `school-${run}`

  await test.step('signs up and verifies the email by the mailed code', async () => {
    await page.goto(addressOf(null, '/register'))
    await page.locator('[name="organisation"]').fill('Школа «Весна»')
    await page.locator('[name="firstName"]').fill('Олена')
    await page.locator('[name="subdomain"]').fill(subdomain)
    await page.locator('[name="email"]').fill(owner)
    await page.locator('[name="password"]').fill(PASSWORD)
    await page.locator('form:has([name="password"]) [type="submit"]').click()
    await page.waitForURL(/email-verify/)
    const code = /\b(\d{6})\b/.exec(await letterTo(page, owner))?.[1] ?? ''
    await page.locator('[name="code"]').fill(code)
    await page.waitForURL(addressOf(subdomain))
    await expect(page.getByRole('heading', { name: 'Перші кроки' })).toBeVisible()
  })

  await test.step('writes a course with a lesson', async () => {
    await page.getByRole('link', { name: 'Створити курс' }).click()
    await page.getByLabel('Назва', { exact: true }).fill('Перший вебінар')
    await page.getByRole('button', { name: 'Створити курс' }).click()
    await page.getByRole('textbox', { name: 'Назва модуля' }).fill('Підготовка')
    await page.getByRole('button', { name: 'Додати модуль' }).click()
    await page.getByText('Додати урок').first().click()
    await page.getByRole('textbox', { name: 'Назва уроку' }).fill('План на годину')
    await page.getByRole('button', { name: 'Додати урок' }).click()
    await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
    const text = page.getByRole('textbox', { name: 'Текст уроку' })
    await expect(text).toBeFocused()
    await text.pressSequentially('Почніть із того, що людина зможе зробити після вебінару.')
    await expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()
  })

  await test.step('publishes it', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Опублікувати курс' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Курс опубліковано' })).toBeVisible()
  })

  await test.step('invites a student', async () => {
    await page.getByRole('navigation', { name: 'Розділи курсу' }).getByRole('link', { name: 'Студенти' }).click()
    await page.getByLabel('Електронна пошта').fill(student)
    await page.getByRole('button', { name: 'Надіслати запрошення' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Запрошення надіслано' })).toBeVisible()
    await expect(page.locator('[data-student]')).toContainText('Пройдено 0 з 1')
  })

  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  const study = await context.newPage()
  await test.step('the student accepts by the mailed link and lands on go', async () => {
    const link = /https?:\/\/\S*invite-accept\?\S+/.exec(await letterTo(page, student))?.[0] ?? ''
    await study.goto(link)
    await study.locator('[name="firstName"]').fill('Марко')
    await study.locator('[name="password"]').fill(PASSWORD)
    await study.locator('form:has([name="password"]) [type="submit"]').click()
    await study.waitForURL(addressOf('go', '/profile'))
  })

  await test.step('reads the lesson and completes it', async () => {
    await study.getByRole('link', { name: 'Почати' }).click()
    await expect(study.getByRole('heading', { name: 'План на годину', level: 1 })).toBeVisible()
    await expect(study.getByText('що людина зможе зробити після вебінару')).toBeVisible()
    const response = study.waitForResponse(/completeLesson/)
    await study.getByRole('button', { name: 'Завершити урок' }).click()
    await expect(study.getByText('Урок завершено')).toBeVisible()
    expect((await response).status()).toBe(200)
  })

  await test.step('the owner sees it at once and on the dashboard', async () => {
    await expect(page.locator('[data-student]')).toContainText('Пройдено 1 з 1')
    await page.goto(addressOf(subdomain))
    await expect(page.locator('[data-number="completed"]')).toHaveText('1')
    await expect(page.getByText('Марко: «План на годину»')).toBeVisible()
  })
  await context.close()
})
