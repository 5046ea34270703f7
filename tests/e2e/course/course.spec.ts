import { addressOf, expect, expectAccessible, getSignInCookies, STUDENT, staffEmail, test } from '../support/test.ts'

const origin = (host: string, path: string) => addressOf(host, path)
// Courses of other tests may have no lesson.
const DEMO_COURSE = '/courses?q=Перший+вебінар&status=published'

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a course is created, filled and published with plain forms', async ({ page, browser }) => {
    const signed = await (await browser.newContext({ javaScriptEnabled: true })).newPage()
    await page.context().addCookies(await getSignInCookies(signed, staffEmail('expert')))
    await page.goto(origin('demo', '/course/create'))
    await page.getByRole('button', { name: 'Створити курс' }).click()
    await expect(page.getByText("Це поле є обов'язковим")).toBeVisible()
    await page.getByLabel('Назва', { exact: true }).fill('Без сценаріїв')
    await page.getByRole('button', { name: 'Створити курс' }).click()
    await page.getByRole('textbox', { name: 'Назва модуля' }).fill('Модуль')
    await page.getByRole('button', { name: 'Додати модуль' }).click()
    await page.getByText('Додати урок').first().click()
    await page.getByRole('textbox', { name: 'Назва уроку' }).fill('Урок для видалення')
    await page.getByRole('button', { name: 'Додати урок' }).click()
    await expect(page.getByRole('link', { name: /Урок для видалення/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Опублікувати курс' })).toBeDisabled()
    await page.getByRole('button', { name: 'Дії: Урок для видалення' }).click()
    await page.getByRole('button', { name: 'Видалити', exact: true }).click()
    await expect(page.getByText('Урок видалено.')).toBeVisible()
    await page.getByRole('button', { name: 'Повернути' }).click()
    await expect(page.getByRole('link', { name: /Урок для видалення/ })).toBeVisible()
    await page.goto(origin('demo', '/courses?q=Без+сценаріїв&status=draft'))
    await expect(page.getByRole('link', { name: 'Без сценаріїв' }).first()).toBeVisible()
  })
})

test('a lesson is completed immediately, and the completion is queued on the device while the server is unreachable', async ({
  page,
  context,
}) => {
  await context.addCookies(await getSignInCookies(page, STUDENT))
  await page.goto(origin('go', '/courses'))
  // Other tests create more courses for this student.
  await page.locator('a[href*="/course/view/"]', { hasText: 'Перший вебінар' }).first().click()
  const open = page.locator('main a[href*="/course/lesson/"]').filter({ has: page.locator('use[href="#state-open"]') })
  await open.first().click()
  await page.waitForURL(/\/course\/lesson\//)
  await expect(page.locator('[data-study][data-ready]')).toBeAttached()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Завершити урок' }).click()
  await expect(page.getByText('Урок завершено')).toBeVisible()
  await expect(page.getByText('Надішлемо його, щойно з’явиться мережа')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Надішлемо його, щойно з’явиться мережа')).toBeHidden()
  await page.reload()
  await expect(page.getByText('Урок завершено')).toBeVisible()
})

test('a curator reads the content and sees who can see the students', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('curator')))
  await page.goto(origin('demo', DEMO_COURSE))
  await expect(page.getByRole('link', { name: 'Новий курс' })).toHaveCount(0)
  await page.locator('a[href*="/course/edit/"]').first().click()
  await expect(page.getByText('Ви бачите зміст, але змінюють його')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Редагувати текст уроку' })).toHaveCount(0)
})

test('the editor has no axe findings, and is operated by keyboard', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(origin('demo', DEMO_COURSE))
  await page.locator('a[href*="/course/edit/"]').first().click()
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Текст уроку' })).toBeFocused()
  await expectAccessible(page)
  const tools = page.getByRole('toolbar', { name: 'Оформлення тексту' })
  await tools.getByRole('button').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(tools.getByRole('button', { name: 'Повторити дію' })).toBeFocused()
})

test('the URL of an unknown course is a missing page', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  for (const path of [
    '/course/edit/none',
    '/course/edit/00000000-0000-7000-8000-000000000000',
    '/course/edit/..%2f..',
  ]) {
    expect((await page.goto(origin('demo', path)))?.status()).toBe(404)
  }
})
