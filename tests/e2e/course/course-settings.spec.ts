import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { docxOf, paragraph, zipOf } from '../../setup/course/packages.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const at = (path: string) => addressOf('demo', path)
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Creates a draft of the expert. Returns its id. */
async function draft(page: Page, title: string): Promise<string> {
  await page.goto(at('/course/create'))
  await page.getByLabel('Назва', { exact: true }).fill(title)
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await page.waitForURL(/\/course\/edit\/[0-9a-f-]{36}/)
  return page.url().match(/[0-9a-f-]{36}/)?.[0] ?? ''
}

const settings = (page: Page, id: string) => page.goto(at(`/course/edit/${id}?tab=settings`))

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a course is configured, its staff is assigned, and refused values stay in the form', async ({
    page,
    browser,
  }) => {
    const signed = await (await browser.newContext()).newPage()
    await page.context().addCookies(await getSignInCookies(signed, staffEmail('expert')))
    const id = await draft(page, 'Налаштований курс')
    await settings(page, id)
    await page.getByLabel('Категорія').fill('Голос і сцена')
    await page.getByLabel('Мітки').fill('голос, ефір ,, голос')
    await page.getByLabel('Курс відкривається').fill('28.03.2027, 04:30')
    await page.getByLabel('Курс закривається').fill('28 березня 2027 о 04:00')
    await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
    await expect(page.getByText('Курс має закриватися пізніше, ніж відкривається').first()).toBeVisible()
    await expect(page.getByLabel('Категорія')).toHaveValue('Голос і сцена')
    await page.getByLabel('Курс закривається').fill('2027-04-28T04:00')
    await page.getByLabel('Тривалість курсу, хвилин').fill('90')
    await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
    await expect(page.getByText('Зміни збережено.')).toBeVisible()
    await expect(page.getByLabel('Мітки')).toHaveValue('голос, ефір')
    await expect(page.getByLabel('Курс відкривається')).toHaveValue('28.03.2027, 04:30')
    await page.getByRole('checkbox', { name: /^Куратор курсу: Дмитро/ }).check()
    await page.getByRole('button', { name: 'Зберегти команду' }).click()
    await expect(page.getByText('Команду курсу змінено.')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /^Куратор курсу: Дмитро/ })).toBeChecked()
  })

  test('several courses are archived at once, and the archiving is undone', async ({ page, browser }) => {
    const signed = await (await browser.newContext()).newPage()
    await page.context().addCookies(await getSignInCookies(signed, staffEmail('expert')))
    for (const title of ['Полиця перша', 'Полиця друга']) await draft(page, title)
    await page.goto(at('/courses?q=Полиця'))
    await page.getByRole('checkbox', { name: 'Вибрати: Полиця перша' }).check()
    await page.getByRole('checkbox', { name: 'Вибрати: Полиця друга' }).check()
    await page.getByRole('button', { name: 'В архів', exact: true }).click()
    await expect(page.getByText('2 курси перенесено в архів.')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Полиця' }).getByText('В архіві')).toHaveCount(2)
    await page.getByRole('button', { name: 'Повернути' }).click()
    await expect(page.getByText('2 курси знову на місці.')).toBeVisible()
  })
})

test('of two people who change the settings the second one gets a conflict, and their text is kept', async ({
  page,
}) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const id = await draft(page, 'Двоє авторів')
  const other = await page.context().newPage()
  await settings(page, id)
  await settings(other, id)
  await page.getByLabel('Назва', { exact: true }).fill('Перша назва')
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(page.getByText('Зміни збережено.')).toBeVisible()
  await other.getByLabel('Назва', { exact: true }).fill('Друга назва')
  await other.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(other.getByRole('alert')).toContainText('Налаштування тим часом змінив хтось інший')
  await expect(other.getByLabel('Назва', { exact: true })).toHaveValue('Друга назва')
  await settings(page, id)
  await expect(page.getByLabel('Назва', { exact: true })).toHaveValue('Перша назва')
})

test('the description is edited in place, and the tab has no axe findings', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const id = await draft(page, 'Курс з описом')
  await settings(page, id)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Написати опис' }).click()
  const field = page.getByRole('textbox', { name: 'Докладний опис' })
  await field.click()
  await page.keyboard.type('Шість тижнів практики')
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(page.getByText('Зміни збережено.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Докладний опис' })).toContainText('Шість тижнів практики')
})

test('typed text survives a closed tab, and the local copy is removed once it is saved', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const id = await draft(page, 'Незбережене')
  const tab = await page.context().newPage()
  await settings(tab, id)
  await tab.getByLabel('Категорія').fill('Голос')
  await expect
    .poll(() => tab.evaluate(() => document.querySelector('[data-settings]')?.hasAttribute('data-draft-stored')))
    .toBe(true)
  await tab.close()
  await settings(page, id)
  await expect(page.getByText('Повернули зміни, які ви не встигли зберегти.')).toBeVisible()
  await expect(page.getByLabel('Категорія')).toHaveValue('Голос')
  await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
  await expect(page.getByText('Зміни збережено.')).toBeVisible()
  await settings(page, id)
  await expect(page.getByLabel('Категорія')).toHaveValue('Голос')
  await expect(page.getByText('Повернули зміни')).toBeHidden()
})

async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.goto(at('/course/create?from=file'))
  await page.getByRole('button', { name: 'Вибрати файл' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
}

test('a Word document becomes a course', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const body = [
    paragraph('Курс із Word', 'Title'),
    paragraph('Перший урок', 'H1'),
    paragraph('Слова уроку'),
    paragraph('Другий урок', 'H1'),
  ].join('')
  await choose(page, { name: 'Чернетка.docx', mimeType: WORD, buffer: docxOf(body) })
  const choice = page.getByRole('group', { name: 'Як поділити «Курс із Word» на уроки' })
  await expect(choice.getByRole('radio', { name: 'За заголовками' })).toBeChecked({ timeout: 20_000 })
  await expect(choice.getByRole('listitem')).toHaveText(['Перший урок', 'Другий урок'])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Створити курс' }).click()
  await expect(page.getByRole('heading', { name: 'Курс «Курс із Word» створено' })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Відкрити курс «Курс із Word»' }).click()
  await expect(page.getByText('Перший урок').first()).toBeVisible()
})

test('an archive that is no course is refused with a message', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const buffer = zipOf([{ name: 'a.txt', bytes: 'x' }])
  await choose(page, { name: 'архів.zip', mimeType: 'application/zip', buffer })
  await expect(page.getByRole('alert').filter({ hasText: 'В архіві немає курсу' })).toBeVisible({ timeout: 20_000 })
})

test('a course is exported as a file and imported again', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await page.goto(at('/courses?q=вебінар'))
  await page.locator('a[href*="/course/edit/"]').first().click()
  await page.waitForURL(/\/course\/edit\//)
  await page.goto(`${page.url().split('?')[0]}?tab=settings`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Завантажити курс' }).click(),
  ])
  const buffer = await fs.readFile(await download.path())
  await choose(page, { name: download.suggestedFilename(), mimeType: 'application/zip', buffer })
  await expect(page.getByRole('heading', { name: /^Курс «Перший вебінар.*створено$/ })).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText('11 уроків')).toBeVisible()
})
