import type { Page } from '@playwright/test'
import { callCourseApi } from '../support/lesson.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'
import { openSecondAuthor, signInAs } from '../support/written-lesson.ts'

const at = (path: string) => addressOf('demo', path)
const testsOf = (courseId: string, more = '') => at(`/course/edit/${courseId}?tab=tests${more}`)

async function createCourse(page: Page): Promise<string> {
  await signInAs(page, 'expert')
  await page.goto(at('/courses'))
  const { courseId = '' } = await callCourseApi(page, 'create', { title: `Курс із тестами ${Date.now()}` })
  return courseId
}

/** Adds a question of the type to the bank with the keyboard, and waits for its editor. */
async function addQuestion(page: Page, courseId: string, type: string): Promise<void> {
  await page.goto(testsOf(courseId, '&view=bank'))
  await page.getByLabel('Тип нового запитання').focus()
  await page.getByLabel('Тип нового запитання').selectOption({ label: type })
  await page.getByRole('button', { name: 'Додати запитання' }).press('Enter')
  await expect(page.locator('[data-question][data-ready]')).toBeVisible()
}

async function writeText(page: Page, name: string, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name, exact: true })
  await box.focus()
  await page.keyboard.type(text)
}

const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()

test('a choice is written with the keyboard, and what is missing is said until it is ready', async ({ page }) => {
  const courseId = await createCourse(page)
  await addQuestion(page, courseId, 'Одна відповідь')
  await expect(page.getByText('Напишіть текст запитання.')).toBeVisible()
  await expect(page.getByText('Вкажіть правильну відповідь.')).toBeVisible()
  await writeText(page, 'Текст запитання', 'Столиця України?')
  for (const [index, text] of ['Київ', 'Львів', 'Одеса'].entries())
    await writeText(page, `Текст варіанта ${index + 1}`, text)
  await page.getByRole('radio', { name: 'Правильна відповідь' }).first().press('Space')
  await expect(page.locator('[data-issues]')).toBeHidden()
  await page.getByRole('button', { name: 'Нижче: Варіант 1' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Нижче: Варіант 2' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Текст варіанта 2', exact: true })).toHaveText('Київ')
  await saved(page)
  await expect(page.locator('.question-preview')).toContainText('Столиця України?')
  await expectAccessible(page)
  await page.goto(testsOf(courseId, '&view=bank&q=Столиця'))
  await expect(page.getByRole('row', { name: /Столиця України/ }).first()).not.toContainText('Не готове')
})

test('a text without a network stays, and a change by another author is a conflict with both texts', async ({
  page,
}) => {
  const courseId = await createCourse(page)
  await addQuestion(page, courseId, 'Розгорнута відповідь')
  await writeText(page, 'Текст запитання', 'Перша думка')
  await saved(page)
  const other = await openSecondAuthor(page, 'owner')
  await other.page.goto(page.url())
  await expect(other.page.locator('[data-question][data-ready]')).toBeVisible()

  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: 'Текст запитання', exact: true }).press('End')
  await page.keyboard.type(', моя')
  await expect(page.getByText('Тільки на цьому пристрої')).toBeVisible()

  await other.page.getByRole('textbox', { name: 'Текст запитання', exact: true }).press('End')
  await other.page.keyboard.type(', інша')
  await saved(other.page)
  await page.context().setOffline(false)
  const conflict = page.getByRole('alert')
  await expect(conflict).toContainText('Перша думка, моя')
  await expect(conflict).toContainText('Перша думка, інша')
  await conflict.getByRole('button', { name: 'Залишити мою' }).press('Enter')
  await saved(page)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Текст запитання', exact: true })).toHaveText('Перша думка, моя')
  await other.context.close()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a test is created, says that its pool is too small, and is deleted and restored', async ({ page, browser }) => {
    const signed = await (await browser.newContext()).newPage()
    const courseId = await createCourse(signed)
    await page.context().addCookies(await getSignInCookies(signed, staffEmail('expert')))
    await page.goto(testsOf(courseId))
    await page.getByRole('button', { name: 'Створити тест' }).click()
    await expect(page.getByText("Це поле є обов'язковим")).toBeVisible()
    await page.getByLabel('Назва нового тесту').fill('Підсумковий тест')
    await page.getByRole('button', { name: 'Створити тест' }).click()
    await expect(page.getByText('Додайте хоча б один розділ із запитаннями.')).toBeVisible()
    await page.getByRole('button', { name: 'Додати розділ із випадковими запитаннями' }).click()
    await page.getByLabel('Скільки запитань').fill('3')
    await page.getByLabel('Мітки через кому').fill(`немає-такої-${Date.now()}`)
    await page.getByRole('button', { name: 'Зберегти розділ' }).click()
    await expect(page.getByText('Замало запитань за цими умовами: є 0, потрібно 3.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Опублікувати' })).toBeHidden()
    await page.getByRole('link', { name: 'Налаштування' }).last().click()
    await page.getByLabel('Прохідний бал, %').fill('170')
    await page.getByLabel('Час на спробу, хвилин').fill('45')
    await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
    await expect(page.getByLabel('Прохідний бал, %')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Час на спробу, хвилин')).toHaveValue('45')
    await page.getByLabel('Прохідний бал, %').fill('70')
    await page.getByRole('button', { name: 'Зберегти', exact: true }).click()
    await expect(page.getByText('Налаштування збережено.')).toBeVisible()
    await page.getByRole('link', { name: 'До тестів курсу' }).click()
    await page.getByRole('link', { name: 'Підсумковий тест' }).click()
    await page.locator('summary').last().click()
    await page.getByRole('button', { name: 'Видалити', exact: true }).click()
    await expect(page.getByText('Тест видалено.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Підсумковий тест' })).toBeHidden()
    await page.getByRole('button', { name: 'Повернути' }).click()
    await expect(page.getByText('Тест відновлено.')).toBeVisible()
    await signed.context().close()
  })
})
