import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { addressOf, expect, getSignInCookies, staffEmail, test } from '../support/test.ts'

/** Creates a published course of two lessons with two students of the demo school through the API. */
async function taughtCourse(page: Page) {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses'))
  const call = async (action: string, data: object) => {
    const answer = await page.evaluate(
      async ({ action, data: body }) => {
        const sent = { 'content-type': 'application/json', accept: 'application/json' }
        const options = { method: 'POST', headers: sent, body: JSON.stringify(body) }
        return (await fetch(`/v1/module/course/${action}`, options)).json()
      },
      { action, data },
    )
    return answer as Record<string, string>
  }
  const { courseId = '' } = await call('create', { title: `Доступ ${Date.now()}` })
  const { moduleId = '' } = await call('addModule', { courseId, title: 'Модуль' })
  const text = (words: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  })
  for (const title of ['Перший урок', 'Другий урок']) {
    await call('addLesson', { moduleId, title, blocks: text(`Зміст: ${title}`) })
  }
  await call('publish', { courseId })
  const stamp = Date.now()
  for (const name of ['Віра', 'Надія']) {
    await call('invite', { courseId, email: `${stamp}-${name === 'Віра' ? 'vira' : 'nadiia'}@access.test`, name })
  }
  return { courseId, access: addressOf('demo', `/course/edit/${courseId}?tab=access`), call }
}

const pick = (page: Page, name: string) =>
  page
    .getByRole('checkbox', { name: `Вибрати студента: ${name}` })
    .locator('visible=true')
    .check()

test('closes a lesson for two students after a preview of the effect, explains it, and undoes it', async ({ page }) => {
  const { access } = await taughtCourse(page)
  await page.goto(access)
  await pick(page, 'Віра')
  await pick(page, 'Надія')
  await page.getByRole('checkbox', { name: 'Вибрати урок: Другий урок' }).check()
  await page.getByLabel('Що зробити').selectOption({ label: 'Закрити уроки' })
  await page.getByRole('button', { name: 'Показати наслідки' }).click()
  const dialog = page.getByRole('dialog', { name: 'Закрити уроки' })
  await expect(dialog.getByText('Закриється: «Другий урок»')).toHaveCount(2)
  await expectAccessible(page)
  await dialog.getByLabel('Нотатка для колег').fill('Помилка в тексті')
  await dialog.getByRole('button', { name: 'Застосувати до 2 студентів' }).click()
  const row = page.getByRole('row', { name: /Віра/ })
  await expect(row.getByRole('cell').nth(1)).toHaveText('·')
  await row.getByRole('cell').nth(1).click()
  await expect(page.getByRole('heading', { name: 'Віра не бачить уроку «Другий урок»' })).toBeVisible()
  await expect(page.getByText('Нотатка: Помилка в тексті')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Повернути', exact: true }).click()
  await expect(page.getByText('Доступ знову такий, як був.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Віра бачить урок «Другий урок»' })).toBeVisible()
})

test('moves between cells with the arrow keys and explains one with Enter', async ({ page }) => {
  const { access } = await taughtCourse(page)
  await page.goto(access)
  await page.getByRole('row', { name: /Надія/ }).getByRole('cell').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Віра бачить урок «Другий урок»' })).toBeVisible()
})

test('removes one grant and leaves the other, without JavaScript', async ({ browser, page }) => {
  const { access, courseId } = await taughtCourse(page)
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'uk' })
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  const plain = await context.newPage()
  await plain.goto(addressOf('demo', `/course/edit/${courseId}?tab=groups`))
  await plain.getByLabel('Назва').fill('Вечірня група')
  await plain.getByLabel('Початок').fill('2026-10-24T09:00')
  await plain.getByLabel('Часовий пояс').selectOption('Europe/Kyiv')
  await plain.getByRole('button', { name: 'Створити групу' }).click()
  await expect(plain.getByText('Групу створено.')).toBeVisible()
  await expect(plain.getByText('з 24 жовт. 2026 р., 09:00 (за Києвом)')).toBeVisible()
  await plain.goto(access)
  await plain.getByRole('link', { name: 'Віра', exact: true }).click()
  await plain.getByRole('button', { name: 'Надати доступ вручну' }).click()
  await plain.getByRole('button', { name: 'Закрити: запрошення' }).click()
  await expect(plain.getByText('Доступ змінено.')).toBeVisible()
  await expect(plain.getByText('доступ закрито')).toBeVisible()
  await expect(plain.getByText('відкрито')).toHaveCount(2)
  await plain.goto(addressOf('demo', `/course/edit/${courseId}?tab=access&part=changes`))
  await expect(plain.getByText('Закрити доступ · 1 студент')).toBeVisible()
  await context.close()
})

test('previews the course as a group on a future date, and writes nothing', async ({ page }) => {
  const { access, courseId, call } = await taughtCourse(page)
  const dates = { startAt: '2027-10-30T06:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  await call('createGroup', { courseId, name: 'Нічна', ...dates })
  await page.goto(addressOf('demo', `/course/preview/${courseId}`))
  await page.getByLabel('Як бачить').selectOption({ label: 'Нічна' })
  await page.getByLabel('Станом на').fill('2027-10-30T08:59')
  await page.getByLabel('Ширина').selectOption({ label: 'Телефон' })
  await page.getByRole('button', { name: 'Показати' }).click()
  await expect(page.getByText('Доступ почнеться 30 жовт. 2027 р., 09:00 (за Києвом).').first()).toBeVisible()
  await page.getByLabel('Станом на').fill('2027-10-30T09:00')
  await page.getByRole('button', { name: 'Показати' }).click()
  await page.getByRole('link', { name: /Перший урок/ }).click()
  await expect(page.getByText('Зміст: Перший урок')).toBeVisible()
  expect((await page.getByRole('main').boundingBox())?.width).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  await page.getByRole('link', { name: /Другий урок/ }).click()
  await expect(page.getByText('Зміст: Другий урок')).toBeVisible()
  await page.goto(access)
  await expect(page.getByRole('row', { name: /Віра/ }).getByRole('cell').first()).toHaveText('○')
})

test('revokes a student’s access at once, offers undo, and lists the change', async ({ browser, page }) => {
  const { courseId, access } = await taughtCourse(page)
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'uk' })
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  const still = await context.newPage()
  await still.goto(addressOf('demo', `/course/edit/${courseId}?tab=students`))
  await still.getByRole('button', { name: 'Закрити доступ: Віра' }).click()
  await expect(still.getByText('Доступ до курсу закрито')).toBeVisible()
  await expect(still.locator('[data-student]')).toHaveCount(1)
  await still.getByRole('button', { name: 'Повернути', exact: true }).click()
  await expect(still.getByText('Доступ повернуто')).toBeVisible()
  await expect(still.locator('[data-student]')).toHaveCount(2)
  await still.goto(`${access}&part=changes`)
  await expect(still.getByText('повернуто', { exact: true })).toBeVisible()
  await context.close()
})

test('is shown as cards on a phone, with the same actions', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const { access } = await taughtCourse(page)
  await page.goto(access)
  await expect(page.getByRole('table')).toBeHidden()
  await pick(page, 'Надія')
  await page.getByLabel('Що зробити').selectOption({ label: 'Призупинити доступ' })
  await page.getByRole('button', { name: 'Показати наслідки' }).click()
  await page.getByRole('button', { name: 'Застосувати до 1 студента' }).click()
  await page.getByRole('link', { name: 'Доступ: Надія' }).click()
  await expect(page.getByText('призупинено', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('exports the matrix as a table for Excel', async ({ page }) => {
  const { access } = await taughtCourse(page)
  await page.goto(access)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Завантажити CSV' }).click(),
  ])
  const text = fs.readFileSync(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFFСтудент,Електронна пошта,Доступ до курсу,Перший урок,Другий урок\r\n')).toBe(true)
  expect(text).toContain('відкрито,відкрито,відкрито\r\n')
})
