import type { Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const at = (path: string) => addressOf('demo', path)

async function signIn(page: Page, who: Parameters<typeof staffEmail>[0]): Promise<void> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail(who)))
}

/** A day in the future, in the format of a date field. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an event is created, filled and published, and invalid input is kept next to its error', async ({
    page,
    browser,
  }) => {
    const signed = await (await browser.newContext()).newPage()
    await page.context().addCookies(await getSignInCookies(signed, staffEmail('expert')))
    await page.goto(at('/workshops/webinar'))
    await page.getByRole('button', { name: 'Створити', exact: true }).click()
    await expect(page.getByText("Це поле є обов'язковим")).toBeVisible()
    await page.getByLabel('Назва').fill('Вебінар без скриптів')
    await page.getByLabel('Дата').fill('2027-03-28')
    await page.getByLabel('Час початку').fill('03:30')
    await page.getByRole('button', { name: 'Створити', exact: true }).click()
    await expect(page.getByText('Такого часу цього дня немає')).toBeVisible()
    await expect(page.getByLabel('Назва')).toHaveValue('Вебінар без скриптів')
    await page.getByLabel('Дата').fill('2027-10-31')
    await page.getByRole('button', { name: 'Створити', exact: true }).click()
    await expect(page.getByText('Цей час буває двічі')).toBeVisible()
    await page.getByRole('radio', { name: /^другий/ }).check()
    await page.getByRole('button', { name: 'Створити', exact: true }).click()
    await page.waitForURL(/\/workshops\/webinar\/[0-9a-f-]{36}$/)
    await expect(page.getByRole('radio', { name: /^другий/ })).toBeChecked()
    await page.getByLabel('Опис', { exact: true }).fill('Про що говоритимемо')
    await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
    await expect(page.getByText('Збережено.')).toBeVisible()

    await page.getByRole('link', { name: 'Матеріали' }).click()
    await page.getByText('Додати кнопку').click()
    const fresh = page
      .locator('form')
      .filter({ has: page.locator('input[name=intent][value=addItem]') })
      .first()
    await fresh.getByLabel('Напис').fill('Записатися')
    await fresh.getByLabel('Посилання').fill('не посилання')
    await fresh.getByRole('button', { name: 'Додати' }).click()
    await expect(page.getByText('Перевірте формат введення!')).toBeVisible()
    await fresh.getByLabel('Посилання').fill('https://kafedra.test/course')
    await fresh.getByRole('button', { name: 'Додати' }).click()
    await expect(page.getByRole('button', { name: 'Видалити: Записатися' })).toBeVisible()
    await page.getByRole('button', { name: 'Видалити: Записатися' }).click()
    await page.getByRole('button', { name: 'Повернути' }).click()
    await expect(page.getByRole('button', { name: 'Видалити: Записатися' })).toBeVisible()

    await page.getByRole('link', { name: 'Подія', exact: true }).click()
    await page.getByRole('button', { name: 'Опублікувати' }).click()
    await expect(page.getByText('Подію опубліковано.')).toBeVisible()
  })
})

test('an event is created, gets its staff and its slides, and is published', async ({ page }) => {
  test.slow()
  await signIn(page, 'expert')
  await page.goto(at('/workshops/webinar'))
  await page.getByLabel('Назва').fill('Перевірка подій')
  await page.getByLabel('Дата').fill(dayIn(5))
  await page.getByLabel('Час початку').fill('19:00')
  await page.getByRole('button', { name: 'Створити', exact: true }).click()
  await page.waitForURL(/\/workshops\/webinar\/[0-9a-f-]{36}/)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Спікери' }).click()
  await page.getByRole('checkbox', { name: /^Марта.*спікер/ }).check()
  await page.getByRole('button', { name: 'Зберегти команду' }).click()
  await expect(page.getByText('Збережено.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: /^Марта.*спікер/ })).toBeChecked()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Презентація' }).click()
  await expect(page.getByRole('link', { name: 'Презентація' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: /^Вибрати з файлів/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Голос без втоми\.pdf/ })
    .click()
  await expect(page.getByText('Вибрано: Голос без втоми.pdf')).toBeVisible()
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(page.getByText('Сторінок: 5')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Сторінка 5' })).toBeVisible()
  await expectAccessible(page)

  const tabs = page.getByRole('navigation', { name: 'Розділи події' })
  for (const tab of ['Матеріали', 'Чат', 'Запис', 'Налаштування']) {
    await tabs.getByRole('link', { name: tab, exact: true }).click()
    await expect(tabs.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: 'Подія', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Подія', exact: true })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Опублікувати' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Подію опубліковано.')).toBeVisible()
  await page.goto(at('/workshops?search=Перевірка'))
  await expect(page.getByRole('listitem').filter({ hasText: 'Перевірка подій' }).getByText('Незабаром')).toBeVisible()
})

test('moving a published event asks whether to tell the registrants, as a question and not as an error', async ({
  page,
}) => {
  await signIn(page, 'owner')
  await page.goto(at('/'))
  const startAt = new Date(Date.now() + 6 * 86_400_000).toISOString()
  const event = { type: 'webinar', title: `Перенесена подія ${Date.now()}`, timeZone: 'Europe/Kyiv', startAt }
  const { workshopId = '' } = await callApi(page, 'workshop/create', event)
  await callApi(page, 'workshop/publish', { workshopId })
  await callApi(page, 'registration/add', { workshopId, email: `moved-${Date.now()}@visitor.test`, name: 'Олена' })
  await page.goto(at(`/workshops/webinar/${workshopId}`))
  await page.getByLabel('Час початку').fill('20:15')
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  const question = page.getByRole('region', { name: /Повідомити/ })
  await expect(question).toBeVisible()
  const errors = page.locator('[role=alert], [aria-invalid=true], .border-s-error, .text-error')
  await expect(errors.filter({ visible: true })).toHaveCount(0)
  await expectAccessible(page)
  await question.getByRole('button').last().click()
  await expect(page.getByText('Збережено.')).toBeVisible()
  await expect(page.getByLabel('Час початку')).toHaveValue('20:15')
})

test('a draft survives a closed tab', async ({ page, context }) => {
  await signIn(page, 'expert')
  await page.goto(at('/workshops/webinar'))
  await page.getByLabel('Назва').fill('Незбережена подія')
  await page.getByRole('button', { name: 'Створити', exact: true }).click()
  await page.waitForURL(/\/workshops\/webinar\/[0-9a-f-]{36}/)
  const address = page.url()
  await page.getByLabel('Опис', { exact: true }).fill('Ще не збережено')
  await expect(page.locator('form[data-draft-key][data-draft-stored]')).toHaveCount(1)
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Повернули зміни, які ви не встигли зберегти.')).toBeVisible()
  await expect(again.getByLabel('Опис', { exact: true })).toHaveValue('Ще не збережено')
})

test('an ambiguous start time shows a warning while it is typed', async ({ page }) => {
  await signIn(page, 'expert')
  await page.goto(at('/workshops/webinar'))
  await page.getByLabel('Дата').fill('2027-03-28')
  await page.getByLabel('Час початку').fill('03:30')
  await expect(page.getByRole('status').filter({ hasText: 'Такого часу цього дня немає' })).toBeVisible()
})

test('roles with permission see the edit page of an event, others the list or nothing', async ({ page, browser }) => {
  await signIn(page, 'owner')
  await page.goto(at('/workshops?search=Голос без втоми'))
  const href = (await page.getByRole('link', { name: /^Голос без втоми/ }).getAttribute('href')) ?? ''
  expect(href).toMatch(/^\/workshops\/webinar\//)
  for (const [who, edits, lists] of [
    ['presenter', true, true],
    ['moderator', false, true],
    ['curator', false, false],
    ['mentor', false, false],
  ] as const) {
    const other = await (await browser.newContext()).newPage()
    await signIn(other, who)
    await other.goto(at(href))
    expect(await other.getByRole('link', { name: 'Презентація' }).count(), who).toBe(edits ? 1 : 0)
    await other.goto(at('/workshops'))
    expect(await other.getByRole('heading', { name: /^Голос без втоми/ }).count(), who).toBe(lists ? 1 : 0)
    await other.goto(at('/workshops/webinar'))
    expect(await other.getByRole('button', { name: 'Створити', exact: true }).count(), who).toBe(0)
    await other.context().close()
  }
})
