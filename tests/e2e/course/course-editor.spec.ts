import type { Page } from '@playwright/test'
import { addressOf, expect, getSignInCookies, staffEmail, test } from '../support/test.ts'

/** Creates a course with one empty lesson through the API as the owner of the demo school. */
async function newLesson(page: Page): Promise<{ courseId: string; lessonId: string }> {
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
  const { courseId = '' } = await call('create', { title: `Курс ${Date.now()}` })
  const { moduleId = '' } = await call('addModule', { courseId, title: 'Модуль' })
  const { lessonId = '' } = await call('addLesson', { moduleId, title: 'Урок' })
  await page.goto(addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`))
  return { courseId, lessonId }
}

async function openEditor(page: Page) {
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
  const text = page.getByRole('textbox', { name: 'Текст уроку' })
  await expect(text).toBeFocused()
  return text
}

/** The draft on the server. */
function savedText(page: Page, lessonId: string): Promise<string> {
  return page.evaluate(async (id) => (await fetch(`/v1/module/course/getLesson?lessonId=${id}`)).text(), lessonId)
}

const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()

test('keeps keys pressed before the editor has loaded', async ({ page }) => {
  await newLesson(page)
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/LessonEditor/, async (route) => {
    await typed
    await route.continue()
  })
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
  // Playwright sends key events only for letters of its own layout.
  await page.keyboard.type('No waiting')
  release()
  await expect(page.getByRole('textbox', { name: 'Текст уроку' })).toHaveText('No waiting')
  await saved(page)
})

test('keeps typed text after a reload', async ({ page }) => {
  await newLesson(page)
  const text = await openEditor(page)
  await text.pressSequentially('Перші слова')
  await saved(page)
  await page.reload()
  await expect(page.getByText('Перші слова')).toBeVisible()
})

test('loses no text when the tab is killed while typing', async ({ page, context }) => {
  await newLesson(page)
  await openEditor(page)
  await page.keyboard.type('Слово, яке ще не встигло')
  const url = page.url()
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto(url)
  await expect(again.getByText('Слово, яке ще не встигло')).toBeVisible()
})

test('keeps typing without a network and sends it when the network is back', async ({ page, context }) => {
  await newLesson(page)
  await openEditor(page)
  await context.setOffline(true)
  await page.keyboard.type('Написано в тунелі')
  await expect(page.getByText('Тільки на цьому пристрої')).toBeVisible()
  await context.setOffline(false)
  await saved(page)
  await page.reload()
  await expect(page.getByText('Написано в тунелі')).toBeVisible()
})

test('keeps text when the session ends while the author types', async ({ page, context }) => {
  const { lessonId } = await newLesson(page)
  await openEditor(page)
  const cookies = (await context.cookies()).filter(({ name }) => name === 'token')
  await context.clearCookies({ name: 'token' })
  await page.keyboard.type('Сеанс уже скінчився')
  await expect(page.getByText('Сеанс завершився', { exact: false })).toBeVisible()
  await context.addCookies(cookies)
  await page.reload()
  await expect(page.getByText('Сеанс уже скінчився')).toBeVisible()
  await expect.poll(() => savedText(page, lessonId)).toContain('Сеанс уже скінчився')
})

test('writes headings, lists, links and tables by toolbar and keyboard', async ({ page }) => {
  await newLesson(page)
  await openEditor(page)
  await page.getByRole('button', { name: 'Заголовок', exact: true }).click()
  await page.keyboard.type('План')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- перше')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Посилання', exact: true }).click()
  await page.getByRole('textbox', { name: 'Адреса посилання' }).fill('example.com/page')
  await page.getByRole('button', { name: 'Застосувати' }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Блок', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Таблиця', exact: true }).click()
  await saved(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'План', exact: true, level: 2 })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'перше' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'https://example.com/page' })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveCount(3)
})
