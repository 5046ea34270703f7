import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipTexts } from '../../setup/unzip.ts'
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

const storage = (query = '') => addressOf('demo', `/storage${query}`)
const fileGrid = (page: Page) => page.getByRole('grid', { name: 'Файли й теки' })
const row = (page: Page, name: string) => fileGrid(page).getByRole('row').filter({ hasText: name })
const toast = (page: Page, text: string) => page.locator('.toast-card').filter({ hasText: text })

async function signedIn(page: Page, role: 'owner' | 'expert' = 'owner') {
  await page.context().addCookies(await getSignInCookies(page, staffEmail(role)))
}

/** Calls a procedure from the page's own origin. */
async function call<T>(page: Page, action: string, body: object): Promise<T> {
  return page.evaluate(
    async ([path, input]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/v1/module/storage/${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    [action, body] as const,
  )
}

/** Creates and opens a folder with subfolders for a test. */
async function openFolder(page: Page, name: string, inside: string[] = []): Promise<string> {
  await signedIn(page)
  await page.goto(storage())
  const { folderId } = await call<{ folderId: string }>(page, 'createFolder', {
    parentId: null,
    name: `${name} ${Date.now()}`,
  })
  for (const name of inside) await call(page, 'createFolder', { parentId: folderId, name: name })
  await page.goto(storage(`?folder=${folderId}`))
  await alive(page)
  return folderId
}

const alive = (page: Page) => expect(page.locator('[data-storage-live]')).toBeVisible()

async function upload(page: Page, files: { name: string; mimeType: string; text: string }[]) {
  const payload = files.map(({ name, mimeType, text }) => ({ name, mimeType, buffer: Buffer.from(text) }))
  await page.locator('[data-storage-live] [data-upload=files]').setInputFiles(payload)
  for (const { name } of files) await expect(row(page, name)).toBeVisible({ timeout: 20_000 })
}

test('folders open and files are named without JavaScript', async ({ browser, page }) => {
  await signedIn(page)
  const context = await browser.newContext({ javaScriptEnabled: false })
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  const still = await context.newPage()
  await still.goto(storage())
  await still.getByRole('link', { name: 'Роздаткові матеріали' }).click()
  await expect(still.getByRole('heading', { name: 'Роздаткові матеріали' })).toBeVisible()
  await expect(still.getByRole('link', { name: 'План вебінару.pdf' })).toBeVisible()
  await expect(still.getByRole('button', { name: 'Додати файли', exact: true })).toBeHidden()
  await still.getByLabel('Пошук за назвою').fill('ефіром')
  await still.getByRole('button', { name: 'Знайти' }).click()
  await expect(still.getByText('Перед ефіром.txt')).toBeVisible()
  await context.close()
})

test('everything is operated by keyboard only', async ({ page }) => {
  await openFolder(page, 'Клавіші', ['Альфа', 'Бета', 'Вега'])
  await fileGrid(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Альфа')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('F2')
  await page.getByLabel('Нова назва').fill('Арфа')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Арфа')).toBeVisible()
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Бета' })).toBeVisible()
  await alive(page)
  await page.keyboard.press('Control+v')
  await expect(row(page, 'Арфа')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('heading', { name: 'Клавіші' })).toBeVisible()
  await alive(page)
  await expect(row(page, 'Арфа')).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await expect(page.getByText('Вибрано 2 елементи')).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(page.getByText('У цій теці порожньо')).toBeVisible()
  await toast(page, 'У кошику 2 елементи').getByRole('button', { name: 'Повернути' }).press('Enter')
  await expect(row(page, 'Бета')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Клавіші' }).getByText('Перейменувати', { exact: true })).toBeVisible()
})

test('files are uploaded, renamed, moved, deleted and restored', async ({ page }) => {
  await openFolder(page, 'Шлях файлу', ['Куди'])
  await upload(page, [{ name: 'нотатки.txt', mimeType: 'text/plain', text: `перше ${Date.now()}` }])
  await row(page, 'нотатки.txt').getByRole('button', { name: 'Дії: нотатки.txt' }).click()
  await page.getByRole('menuitem', { name: 'Перейменувати' }).click()
  await page.getByLabel('Нова назва').fill('Конспект')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Конспект.txt')).toBeVisible()
  await row(page, 'Конспект.txt').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Перемістити…' }).click()
  const window = page.getByRole('dialog', { name: 'Куди перемістити 1 елемент?' })
  await window.getByRole('button', { name: 'Куди', exact: true }).click()
  await expect(window.getByText('Тут тек немає')).toBeVisible()
  await window.getByRole('button', { name: 'Перемістити сюди' }).click()
  await expect(row(page, 'Конспект.txt')).toHaveCount(0)
  await toast(page, 'Переміщено 1 елемент').getByRole('button', { name: 'Повернути' }).click()
  await expect(row(page, 'Конспект.txt')).toBeVisible()
  await row(page, 'Конспект.txt').dragTo(row(page, 'Куди'))
  await expect(row(page, 'Конспект.txt')).toHaveCount(0)
  await fileGrid(page).getByRole('link', { name: 'Куди' }).click()
  await expect(page.getByRole('heading', { name: 'Куди' })).toBeVisible()
  await alive(page)
  await row(page, 'Конспект.txt').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Видалити' }).click()
  await expect(page.getByText('У цій теці порожньо')).toBeVisible()
  await page.getByRole('link', { name: 'Кошик' }).click()
  await alive(page)
  await expect(row(page, 'Конспект.txt')).toContainText('30 днів')
  await row(page, 'Конспект.txt').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Відновити' }).click()
  await expect(toast(page, 'Відновлено 1 елемент')).toBeVisible()
  await expect(row(page, 'Конспект.txt')).toHaveCount(0)
})

test('a file in use is not deleted without confirmation', async ({ page }) => {
  await signedIn(page)
  await page.goto(storage('?use=used'))
  await alive(page)
  const first = fileGrid(page).getByRole('row').nth(1)
  await first.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Видалити' }).click()
  const window = page.getByRole('dialog', { name: '1 елемент використано' })
  await expect(window.getByRole('link').first()).toBeVisible()
  await window.getByRole('button', { name: 'Залишити' }).click()
  await expect(first).toBeVisible()
})

test('a selection is downloaded as one ZIP', async ({ page }) => {
  const folderId = await openFolder(page, 'Архів', ['Порожня'])
  // Unique bytes, because for known ones the existing file would be offered instead of an upload.
  const [first, two] = [`один ${Date.now()}`, `два ${Date.now()}`]
  await upload(page, [
    { name: 'перший.txt', mimeType: 'text/plain', text: first },
    { name: 'другий.txt', mimeType: 'text/plain', text: two },
  ])
  await page.keyboard.press('Control+a')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Завантажити ZIP' }).click()
  const bytes = await readFile(await (await coming).path())
  expect(unzipTexts(bytes)).toEqual({ 'Порожня/': '', 'перший.txt': first, 'другий.txt': two })
  expect(page.url()).toContain(folderId)
})

test('filters search all folders and have a shareable URL', async ({ page }) => {
  await signedIn(page)
  await page.goto(storage())
  await alive(page)
  await page.getByLabel('Тип').selectOption('doc')
  await page.waitForURL(/kind=doc/)
  await expect(row(page, 'План вебінару.pdf')).toContainText('Роздаткові матеріали')
  await expect(row(page, 'cover.png')).toHaveCount(0)
  await alive(page)
  await page.keyboard.press('/')
  await page.keyboard.type('ПЕРЕД ЕФ')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=/)
  await expect(fileGrid(page).getByRole('row')).toHaveCount(2)
})

test('an image, a PDF, a text and a video can be previewed', async ({ page }) => {
  await signedIn(page)
  const window = page.getByRole('dialog')
  // Found by its name, because other tests add more files than one page shows.
  const look = async (name: string) => {
    await page.goto(storage(`?q=${encodeURIComponent(name)}`))
    await alive(page)
    await fileGrid(page).getByRole('link', { name, exact: true }).click()
    await expect(window).toContainText(name)
  }
  await look('Афіша.png')
  await expect(window.getByRole('img', { name: 'Афіша.png' })).toHaveJSProperty('complete', true)
  await page.keyboard.press('Escape')
  await look('План вебінару.pdf')
  await expect(window.getByText('Сторінка 1 з 2')).toBeVisible({ timeout: 20_000 })
  await window.getByRole('button', { name: 'Наступна сторінка' }).click()
  await expect(window.getByText('Сторінка 2 з 2')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await look('Перед ефіром.txt')
  await expect(window.getByRole('textbox')).toHaveValue(/Поставити воду/)
  await page.keyboard.press('Escape')
  await look('Проба камери.mp4')
  await expect(window.locator('media-controller, video, button').first()).toBeVisible()
})

test('ten thousand rows are rendered in small portions', async ({ page }) => {
  test.setTimeout(120_000)
  const folderId = await openFolder(page, 'Багато')
  await call(page, 'ensureFolders', { parentId: folderId, names: ['Тека'] })
  let ids = (await list(page, folderId)).slice(0, 1)
  for (let many = 1; many < 10_000; ) {
    const { copies } = await call<{ copies: string[] }>(page, 'copy', { fileIds: ids, folderId })
    many += copies.length
    ids = [...ids, ...copies].slice(0, 1000)
  }
  await page.goto(storage(`?folder=${folderId}`))
  await alive(page)
  await fileGrid(page).focus()
  const usual = await page.evaluate(async () => {
    const frames: number[] = []
    let before = performance.now()
    for (let n = 0; n < 90; n++) {
      window.scrollBy(0, 400)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frames.push(now - before)
      before = now
    }
    return frames.sort((a, b) => a - b)[45] ?? 0
  })
  expect(usual, 'milliseconds of a frame while scrolling').toBeLessThan(100)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(5000)
  expect(await fileGrid(page).locator('.file-line').count()).toBeLessThan(60)
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Вибрати все в теці' }).click()
  await expect(page.getByText(/Вибрано 1\d{4} елемент/)).toBeVisible({ timeout: 60_000 })
  expect(await fileGrid(page).locator('.file-line').count()).toBeLessThan(60)
})

for (const theme of ['day', 'night'] as const) {
  test(`has no axe findings in the ${theme} theme, as a list, as tiles, with details`, async ({ page }) => {
    await applyAppearance(page, { locale: 'uk', theme, width: 1440 })
    await signedIn(page)
    await page.goto(storage())
    await alive(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Плитка' }).click()
    await page
      .getByRole('button', { name: /^Дії: / })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Докладно' }).click()
    await expect(page.getByRole('complementary').getByText('Хто додав')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Список' }).click()
  })
}

test('is limited to those who manage files of this school', async ({ page }) => {
  const folderId = await openFolder(page, 'Чуже')
  for (const email of [staffEmail('curator'), staffEmail('mentor')]) {
    await become(page, email)
    await page.goto(storage())
    expect(new URL(page.url()).pathname).toBe('/')
  }
  await become(page, STUDENT)
  await page.goto(addressOf('go', '/storage'))
  expect(new URL(page.url()).pathname).toBe('/profile')
  await become(page, 'owner@sonata.test')
  expect((await page.goto(addressOf('sonata', `/storage?folder=${folderId}`)))?.status()).toBe(404)
  expect((await page.goto(addressOf('sonata', '/storage?folder=none')))?.status()).toBe(404)
  expect((await page.goto(addressOf('sonata', '/storage')))?.status()).toBe(200)
})

async function become(page: Page, email: string): Promise<void> {
  // A pending response for the previous page could clear the cookie of the next user.
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'token' })
  await page.context().addCookies(await getSignInCookies(page, email))
}

async function list(page: Page, folderId: string): Promise<string[]> {
  return page.evaluate(async (id) => {
    const answer = await fetch(`/v1/module/storage/list?folderId=${id}`)
    const { rows }: { rows: { id: string }[] } = await answer.json()
    return rows.map((row) => row.id)
  }, folderId)
}
