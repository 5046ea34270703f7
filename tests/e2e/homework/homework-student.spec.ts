import type { Page } from '@playwright/test'
import { waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, STUDENT, staffEmail, test } from '../support/test.ts'

let known = ''

/** The demo student's lesson with the returned submission. */
async function openHomework(page: Page): Promise<void> {
  await page.context().addCookies(await getSignInCookies(page, STUDENT))
  if (!known) known = await findHomework(page)
  await page.goto(known)
  await expect(place(page)).toBeVisible()
}

async function findHomework(page: Page): Promise<string> {
  await page.goto(addressOf('go', '/courses'))
  await page.locator('main a[href*="/course/view/"]', { hasText: 'Перший вебінар' }).first().click()
  await page.waitForURL(/\/course\/view\//)
  const lessons = page.locator('main a[href*="/course/lesson/"]')
  const hrefs = new Set(await lessons.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '')))
  for (const href of hrefs) {
    await page.goto(addressOf('go', href))
    if ((await place(page).count()) > 0) return page.url()
  }
  throw new Error('no lesson of the demo school has homework')
}

const place = (page: Page) => page.locator('[data-homework]')
const answer = (page: Page) => place(page).getByRole('textbox', { name: 'Ваша відповідь' })

test.describe.configure({ mode: 'serial' })

test('a student reads the feedback of a returned submission', async ({ page }) => {
  await openHomework(page)
  await expect(place(page).getByText('Повернуто на доопрацювання').first()).toBeVisible()
  await expect(place(page).getByText('Тема жива, але слухач ще не видимий')).toBeVisible()
  await expect(place(page).getByText('Спроба 1', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('a submission made offline is stored and sent when the network is back, with a receipt', async ({
  page,
  context,
}) => {
  await openHomework(page)
  await answer(page).click()
  await expect(place(page).getByText('Зберігаємо').or(answer(page))).toBeVisible()
  await answer(page).fill('Мій слухач: вчителька, яка вперше веде вебінар.')
  await expect(place(page).getByText(/Збережено о? ?\d\d:\d\d/i)).toBeVisible()

  await context.setOffline(true)
  await answer(page).fill('Мій слухач: вчителька, яка вперше веде вебінар і вже не боїться.')
  // A long press: the message that appears on blur must not move the button.
  await place(page).getByRole('button', { name: 'Надіслати доопрацьоване' }).click({ delay: 200 })
  await expect(place(page).getByText('Мережі немає. Текст і файли збережено')).toBeVisible()
  await context.setOffline(false)
  await expect(place(page).getByText('Надіслано, чекає на перевірку')).toBeVisible({ timeout: 20_000 })
  await expect(place(page).getByText('і вже не боїться')).toBeVisible()
  await waitForEmail(page, STUDENT, { about: 'Роботу отримано' })
})

test('an unopened submission is withdrawn, gets a file and is submitted again', async ({ page }) => {
  await openHomework(page)
  await place(page).getByRole('button', { name: 'Забрати й дописати' }).click()
  await answer(page).click()
  const adding = page.waitForEvent('filechooser')
  await place(page).getByText('Додати файли').click()
  await (await adding).setFiles({
    name: 'План заняття.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('10 хвилин дії'),
  })
  await expect(place(page).getByText('завантажено')).toBeVisible()
  await place(page)
    .getByRole('button', { name: /Надіслати/ })
    .first()
    .dblclick()
  await expect(place(page).getByText('Надіслано, чекає на перевірку')).toBeVisible()
  await expect(place(page).getByRole('link', { name: 'Завантажити План заняття.txt' })).toBeVisible()
})

test('the conversation is separate from the answer', async ({ page }) => {
  await openHomework(page)
  await place(page).getByText('Розмова про роботу').click()
  await place(page).getByRole('textbox', { name: 'Повідомлення' }).fill('Чи можна замінити афішу пізніше?')
  // Before the script is loaded the form is submitted by the browser.
  const sent = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && /\/homework\/sendMessage$|\/course\/lesson\//.test(response.url()),
  )
  await place(page).getByRole('button', { name: 'Надіслати повідомлення' }).click()
  expect([200, 303]).toContain((await sent).status())
  await page.reload()
  await place(page).getByText('Розмова про роботу').click()
  await expect(
    place(page).locator('.homework-conversation').getByText('Чи можна замінити афішу пізніше?'),
  ).toBeVisible()
  await expect(place(page).getByText('Надіслано, чекає на перевірку')).toBeVisible()
  await expectAccessible(page)
})

test('staff do not find answers among the school’s files', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/storage?search=План'))
  await expect(page.getByText('План заняття.txt')).toHaveCount(0)
})
