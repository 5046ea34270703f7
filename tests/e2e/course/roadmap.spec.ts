import type { Page } from '@playwright/test'
import { sendRequest } from '../../setup/media/http-request.ts'
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

/** The demo school's road map, by the link in its author's tab. */
async function roadmapOf(page: Page): Promise<string> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses?q=Перший+вебінар&status=published'))
  const course = page.locator('a[href*="/course/edit/"]', { hasText: 'Перший вебінар' }).first()
  await page.goto(new URL(`${await course.getAttribute('href')}?tab=roadmap`, page.url()).href)
  const href = await page.getByRole('link', { name: 'Відкрити сторінку' }).getAttribute('href')
  await page.context().clearCookies()
  return href ?? ''
}

test('a visitor reads a roadmap without JavaScript, with metadata for networks and search engines', async ({
  page,
}) => {
  const href = await roadmapOf(page)
  // Avoids late requests of the previous page.
  await page.goto('about:blank')
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.goto(href)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(scripts).toEqual([])
  expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0)
  const structured = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(structured).toMatchObject({ '@type': 'Course', provider: { name: 'Школа «Лекторій»' } })
  const image = new URL((await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '')
  const answer = await sendRequest(Number(image.port), image.hostname, image.pathname)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, `pixels to scroll sideways at ${width}`).toBe(0)
  }
})

test('a roadmap is accessible in both themes and both languages', async ({ page }) => {
  const href = await roadmapOf(page)
  for (const look of [
    { locale: 'uk', theme: 'day', width: 1440 },
    { locale: 'en', theme: 'night', width: 390 },
  ] as const) {
    await applyAppearance(page, look)
    await page.goto(href)
    await expectAccessible(page)
  }
})

test('a student sees their own progress on it and continues from there', async ({ page }) => {
  const href = await roadmapOf(page)
  await page.context().addCookies(await getSignInCookies(page, STUDENT))
  await page.goto(href)
  await expect(page.getByText(/Ви пройшли \d+ із \d+/)).toBeVisible()
  await expect(page.locator('[data-mark=done]').first()).toBeVisible()
  await page.getByRole('link', { name: 'Продовжити навчання' }).click()
  await expect(page).toHaveURL(/\/course\/lesson\//)
})

test('an author edits a roadmap, typed text is never lost, and it becomes public once it is published', async ({
  page,
}) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await page.goto(addressOf('demo', '/course/create'))
  await page.getByLabel('Назва', { exact: true }).fill('Курс зі шляхом')
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await page.waitForURL(/\/course\/edit\//)
  await page.goto(`${page.url().split('?')[0]}?tab=roadmap`)
  await page.getByRole('button', { name: 'Створити дорожню карту' }).click()
  await page.getByLabel('Вступ').fill('Від першої думки до першого ефіру')
  await page.getByRole('button', { name: 'Додати етап' }).click()
  await page.getByLabel('Назва етапу').fill('Задум')
  await page.getByLabel('Назва зупинки').fill('Перша ідея')
  await page.getByRole('button', { name: 'Додати', exact: true }).click()
  await expect(page.getByText(/^Збережено/)).toBeVisible()
  const href = (await page.getByRole('link', { name: 'Переглянути' }).getAttribute('href')) ?? ''
  const { pathname, hostname, port } = new URL(href)
  expect((await sendRequest(Number(port), hostname, pathname)).status, 'a draft for a visitor').toBe(404)
  await page.getByRole('button', { name: 'Опублікувати' }).click()
  await expect(page.getByText('Карта опублікована.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(href)
  await expect(page.getByRole('heading', { name: 'Задум' })).toBeVisible()
  await expect(page.getByText('Перша ідея')).toBeVisible()
})
