import type { Locator, Page } from '@playwright/test'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

interface Made {
  courseId: string
  lessonIds: string[]
}

async function call<T>(page: Page, action: string, data: object): Promise<T> {
  const answer = await page.evaluate(
    async ({ action, data: body }) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const sent = await fetch(`/v1/module/course/${action}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: sent.status, body: await sent.json() }
    },
    { action, data },
  )
  expect(answer.status, `${action}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body
}

/** Creates a course of two modules with lessons of these titles, and opens the hydrated outline as its owner. */
async function outline(page: Page, first = ['Перший', 'Другий', 'Третій'], second = ['Четвертий']): Promise<Made> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses'))
  const { courseId } = await call<{ courseId: string }>(page, 'create', { title: `План ${Date.now()}` })
  const lessonIds: string[] = []
  for (const [title, titles] of [
    ['Модуль А', first],
    ['Модуль Б', second],
  ] as const) {
    const { moduleId } = await call<{ moduleId: string }>(page, 'addModule', { courseId, title })
    if (titles.length === 0) continue
    lessonIds.push(...(await call<Made>(page, 'addLessons', { moduleId, titles })).lessonIds)
  }
  await open(page, courseId)
  return { courseId, lessonIds }
}

async function open(page: Page, courseId: string) {
  await page.goto(addressOf('demo', `/course/edit/${courseId}`))
  await expect(page.locator('[data-outline-live]')).toBeVisible()
}

const lessons = (page: Page) => page.locator('[data-lesson] .outline-title')
const row = (page: Page, title: string) => page.getByRole('link', { name: title })
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Вибрати: ${title}` })
const bar = (page: Page) => page.getByRole('region', { name: 'Дії з вибраними уроками' })
const answered = (page: Page, action: string) =>
  page.waitForResponse((response) => response.url().endsWith(`/course/${action}`))

async function afresh(page: Page, order: string[]) {
  await page.reload()
  await expect(lessons(page)).toHaveText(order)
}

test('adds many lessons by their titles, one after another and pasted', async ({ page }) => {
  await outline(page, [], [])
  await page.getByText('Додати урок').first().click()
  const field = page.getByRole('textbox', { name: 'Назва уроку' }).first()
  await expect(field).toBeFocused()
  await field.fill('Вступ')
  await field.press('Enter')
  await page.waitForURL(/lesson=/)
  await expect(page.locator('[data-outline-live]')).toBeVisible()
  await page.getByText('Додати урок').first().click()
  await field.fill('1. План\n- Звук\n\n  Світло  ')
  await field.press('Enter')
  await expect(lessons(page)).toHaveText(['Вступ', 'План', 'Звук', 'Світло'])
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await field.press('Enter')
  await expect(page.getByText('Напишіть назву')).toBeVisible()
  await afresh(page, ['Вступ', 'План', 'Звук', 'Світло'])
})

test('changes many lessons with one request each, and undoes each change', async ({ page }) => {
  const { lessonIds } = await outline(page)
  const requests: string[] = []
  page.on('request', (request) => request.method() === 'POST' && requests.push(request.url()))
  await box(page, 'Перший').check()
  await box(page, 'Третій').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('Вибрано 3 уроки')
  const hidden = answered(page, 'changeLessons')
  await bar(page).getByRole('button', { name: 'Приховати' }).click()
  await expect(row(page, 'Другий').getByText('Приховано від студентів')).toBeAttached()
  await hidden
  await page.getByRole('button', { name: 'Повернути' }).click()
  await expect(page.getByText('Приховано від студентів')).toHaveCount(0)
  await bar(page).getByRole('button', { name: 'Видалити' }).click()
  await expect(lessons(page)).toHaveText(['Четвертий'])
  await expect(page.getByText('У кошику 3 уроки')).toBeVisible()
  await page.getByRole('button', { name: 'Повернути' }).last().click()
  await expect(lessons(page)).toHaveText(['Перший', 'Другий', 'Третій', 'Четвертий'])
  expect(requests.filter((url) => url.includes('/course/')).map((url) => url.split('/').at(-1))).toEqual([
    'changeLessons',
    'undoChange',
    'deleteLessons',
    'undoChange',
  ])
  expect(lessonIds).toHaveLength(4)
})

test('is navigated, moved, selected, renamed, deleted and restored by keyboard only', async ({ page }) => {
  await outline(page)
  await row(page, 'Перший').focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Другий')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(lessons(page)).toHaveText(['Другий', 'Перший', 'Третій', 'Четвертий'])
  await expect(row(page, 'Другий')).toBeFocused()
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('Alt+ArrowDown')
  await expect(page.locator('[data-module]').nth(1).locator('.outline-title')).toHaveText(['Другий', 'Четвертий'])
  await page.keyboard.press('Control+z')
  await expect(page.locator('[data-module]').nth(0).locator('.outline-title')).toHaveText([
    'Перший',
    'Третій',
    'Другий',
  ])
  await row(page, 'Перший').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar(page)).toContainText('Вибрано 2 уроки')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await page.keyboard.press('F2')
  const title = page.getByRole('textbox', { name: 'Назва уроку' })
  await title.fill('Новий третій')
  const renamed = answered(page, 'renameLesson')
  await title.press('Enter')
  await renamed
  await expect(row(page, 'Новий третій')).toBeFocused()
  const gone = answered(page, 'deleteLessons')
  await page.keyboard.press('Delete')
  await gone
  await expect(row(page, 'Другий')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(row(page, 'Новий третій')).toBeVisible()
  await row(page, 'Новий третій').focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Новий третій')).toBeFocused()
  // Tab leaves the outline after the row and its two controls, regardless of the number of rows.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-lesson] :focus, [data-lesson]:focus')).toHaveCount(0)
})

test('drags a lesson into another module, several at once, and a module', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  await outline(page)
  const moved = answered(page, 'placeLessons')
  await drag(page, row(page, 'Перший'), row(page, 'Четвертий'), 'top')
  await moved
  await expect(page.locator('[data-module]').nth(1).locator('.outline-title')).toHaveText(['Перший', 'Четвертий'])
  await box(page, 'Другий').check()
  await box(page, 'Третій').check()
  const both = answered(page, 'placeLessons')
  await drag(page, row(page, 'Третій'), row(page, 'Четвертий'), 'bottom')
  await both
  await expect(lessons(page)).toHaveText(['Перший', 'Четвертий', 'Другий', 'Третій'])
  const swapped = answered(page, 'placeModule')
  await drag(
    page,
    page.getByRole('heading', { name: 'Модуль Б' }),
    page.getByRole('heading', { name: 'Модуль А' }),
    'top',
  )
  await swapped
  await page.reload()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([/Модуль Б/, /Модуль А/])
})

test('configures when lessons open, and shows it in the row', async ({ page }) => {
  await outline(page)
  await box(page, 'Перший').check()
  await box(page, 'Другий').check()
  await bar(page).getByRole('button', { name: 'Коли відкривається…' }).click()
  const window = page.getByRole('dialog', { name: 'Коли відкриються 2 уроки' })
  await window.getByLabel('Коли відкривається').selectOption('Через кілька днів після початку')
  await window.getByLabel('Через скільки днів').fill('3')
  await window.getByLabel('О котрій годині').fill('18:30')
  await expectAccessible(page)
  const saved = answered(page, 'changeLessons')
  await window.getByRole('button', { name: 'Зберегти' }).click()
  await saved
  await expect(row(page, 'Другий').getByText('через 3 дні після початку, 18:30 за Києвом')).toBeAttached()
  await page.getByRole('button', { name: 'Дії: Третій' }).click()
  await page.getByRole('menuitem', { name: 'Налаштування уроку…' }).click()
  const settings = page.getByRole('dialog', { name: 'Налаштування уроку' })
  await settings.getByLabel('Тривалість, хвилин').fill('дві')
  await settings.getByRole('button', { name: 'Зберегти' }).click()
  await expect(settings.getByText('Ціле число від 1 до 600')).toBeVisible()
  await settings.getByLabel('Тривалість, хвилин').fill('15')
  await settings.getByLabel('Коли урок завершено').selectOption('Відео переглянуто')
  await settings.getByLabel('Приховати від студентів').check()
  await expectAccessible(page)
  const set = answered(page, 'changeLessons')
  await settings.getByRole('button', { name: 'Зберегти' }).click()
  expect((await set).request().postDataJSON()).toMatchObject({
    change: { durationMinutes: 15, hidden: true, completionRule: { mode: 'watched', percent: 90 } },
  })
  await expect(row(page, 'Третій').getByText('Приховано від студентів')).toBeAttached()
})

test('moves lessons with a dialog where dragging is impossible', async ({ page }) => {
  await outline(page)
  await page.getByRole('button', { name: 'Дії: Перший' }).click()
  await page.getByRole('menuitem', { name: 'Перемістити…' }).click()
  const window = page.getByRole('dialog', { name: 'Перемістити 1 урок' })
  await window.getByLabel('У який модуль').selectOption('Модуль Б')
  await window.getByLabel('На яке місце').selectOption('Після «Четвертий»')
  const moved = answered(page, 'placeLessons')
  await window.getByRole('button', { name: 'Перемістити' }).click()
  await moved
  await afresh(page, ['Другий', 'Третій', 'Четвертий', 'Перший'])
})

test('shows changes of another author at once, and refuses to overwrite their text', async ({ page, browser }) => {
  const { courseId, lessonIds } = await outline(page)
  const other = await browser.newPage()
  await other.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await other.goto(addressOf('demo', '/courses'))
  await call(other, 'renameLesson', { lessonId: lessonIds[1], title: 'Назва колеги' })
  await expect(row(page, 'Назва колеги')).toBeVisible()
  // An outdated page of the other author, without live updates.
  await open(other, courseId)
  await other.context().setOffline(true)
  await other.context().setOffline(false)
  const stale = call(other, 'renameLesson', { lessonId: lessonIds[1], title: 'Пізно', previousTitle: 'Другий' })
  await expect(stale).rejects.toThrow(/409/)
  await other.close()
})

test('copies a lesson, and the course for a new cohort', async ({ page }) => {
  const { courseId, lessonIds } = await outline(page)
  await call(page, 'changeLessons', {
    courseId,
    lessonIds: [lessonIds[0]],
    change: { availability: { mode: 'date', at: '2026-11-02T07:00:00.000Z' } },
  })
  await open(page, courseId)
  await page.getByRole('button', { name: 'Дії: Другий' }).click()
  await page.getByRole('menuitem', { name: 'Дублювати' }).click()
  await expect(lessons(page)).toHaveText(['Перший', 'Другий', 'Другий (копія)', 'Третій', 'Четвертий'])
  await page.getByRole('button', { name: 'Дії з курсом' }).click()
  await page.getByRole('menuitem', { name: 'Новий потік із новими датами…' }).click()
  const window = page.getByRole('dialog', { name: 'Новий потік' })
  await expect(window.getByText('Цей потік починався: 2 листопада 2026')).toBeVisible()
  await window.getByLabel('Назва курсу').fill('Зимовий потік')
  await window.getByRole('button', { name: 'Створити потік' }).click()
  await expect(window.getByText('Виберіть перший день нового потоку')).toBeVisible()
  await window.getByLabel('Перший день нового потоку').fill('2026-12-07')
  await expectAccessible(page)
  await window.getByRole('button', { name: 'Створити потік' }).click()
  await expect(page.getByRole('heading', { name: 'Зимовий потік', level: 1 })).toBeVisible()
  await expect(row(page, 'Перший').getByText(/7 груд. 2026/)).toBeAttached()
})

test('restores lessons from the trash', async ({ page }) => {
  const { courseId, lessonIds } = await outline(page)
  await call(page, 'deleteLessons', { courseId, lessonIds: lessonIds.slice(0, 2) })
  await page.getByRole('link', { name: 'Кошик' }).click()
  await expect(page.getByText('ще 30 днів')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Вибрати: Перший' }).check()
  await page.getByRole('button', { name: 'Відновити вибране' }).click()
  await expect(page.getByText('Відновлено в плані курсу.')).toBeVisible()
  await page.getByRole('button', { name: 'Відновити: Другий' }).click()
  await expect(page.getByText('Кошик порожній')).toBeVisible()
  await open(page, courseId)
  await expect(lessons(page)).toHaveText(['Перший', 'Другий', 'Третій', 'Четвертий'])
})

test('reverts the row and reports it when the school is unreachable', async ({ page, context }) => {
  await outline(page)
  await row(page, 'Перший').focus()
  await page.keyboard.press('ArrowDown')
  await context.setOffline(true)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('Сталася помилка, спробуйте ще раз!')).toBeVisible()
  await context.setOffline(false)
  await expect(lessons(page)).toHaveText(['Перший', 'Другий', 'Третій', 'Четвертий'])
})

test('in a course of 300 lessons each key press moves a lesson, and axe finds nothing', async ({ page }) => {
  const titles = (part: string) => Array.from({ length: 100 }, (_, at) => `${part}${at + 1}`)
  const { courseId } = await outline(page, titles('А'), titles('Б'))
  const { moduleId } = await call<{ moduleId: string }>(page, 'addModule', { courseId, title: 'Модуль В' })
  await call(page, 'addLessons', { moduleId, titles: titles('В') })
  await open(page, courseId)
  await expect(lessons(page)).toHaveCount(300)
  await row(page, 'Б50').first().focus()
  for (let n = 0; n < 10; n += 1) await page.keyboard.press('Alt+ArrowUp')
  await expect(lessons(page).nth(139)).toContainText('Б50')
  await page.keyboard.press('Control+a')
  await expect(bar(page)).toContainText('Вибрано 300 уроків')
  await expectAccessible(page)
})

test('a curator reads the outline and has no editing controls', async ({ page }) => {
  const { courseId } = await outline(page)
  await page.context().clearCookies()
  await page.context().addCookies(await getSignInCookies(page, staffEmail('curator')))
  await page.goto(addressOf('demo', `/course/edit/${courseId}`))
  await expect(page.getByRole('button', { name: 'Згорнути: Модуль А' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Дії/ })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByText('Додати урок')).toHaveCount(0)
})

/** With the mouse, in steps, because a drag starts with a movement. */
async function drag(page: Page, from: Locator, to: Locator, edge: 'top' | 'bottom') {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + 40, start.y + start.height / 2)
  await page.mouse.down()
  const y = edge === 'top' ? end.y + 4 : end.y + end.height - 4
  await page.mouse.move(end.x + 40, y - 2, { steps: 8 })
  await page.mouse.move(end.x + 42, y, { steps: 4 })
  await page.mouse.up()
}
