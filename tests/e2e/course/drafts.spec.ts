import type { Page } from '@playwright/test'
import { callCourseApi } from '../support/lesson.ts'
import { addressOf, expect, expectAccessible, test } from '../support/test.ts'
import {
  activateEditor,
  createWrittenLesson,
  lessonTextBox,
  openSecondAuthor,
  readSavedText,
  signInAs,
} from '../support/written-lesson.ts'

const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()

async function writeAt(page: Page, words: string, more: string) {
  await lessonTextBox(page).getByText(words).click()
  await page.keyboard.press('End')
  await page.keyboard.type(more)
}

test('two authors see each other and edit different blocks, and both changes are merged', async ({ page }) => {
  const { lessonId, url } = await createWrittenLesson(page, 'Перший абзац.', 'Другий абзац.', 'Третій абзац.')
  const { page: other, context } = await openSecondAuthor(page, 'expert')
  await page.goto(url)
  await activateEditor(page)
  await other.goto(url)
  await activateEditor(other)
  await expect(page.getByText(/теж пише цей урок/)).toBeVisible()
  await expect(other.getByText(/теж пише цей урок/)).toBeVisible()
  await writeAt(other, 'Третій', ' Від експертки')
  await writeAt(page, 'Перший', ' Від власниці')
  for (const tab of [page, other]) {
    await expect(lessonTextBox(tab)).toContainText('Перший абзац. Від власниці')
    await expect(lessonTextBox(tab)).toContainText('Третій абзац. Від експертки')
  }
  // The cursor keeps its position when another author's text is inserted.
  await page.keyboard.type(' і далі')
  await expect(lessonTextBox(page)).toContainText('Перший абзац. Від власниці і далі')
  await expect.poll(() => readSavedText(page, lessonId)).toContain('Від власниці і далі')
  await expect.poll(() => readSavedText(page, lessonId)).toContain('Від експертки')
  await other.close()
  await expect(page.getByText(/теж пише цей урок/)).toBeHidden()
  await context.close()
})

test('a letter typed while another author’s text is rendered stays where it was typed', async ({ page }) => {
  const { url } = await createWrittenLesson(page, 'Перший абзац.', 'Другий абзац.')
  const { page: other, context } = await openSecondAuthor(page, 'expert')
  for (const tab of [page, other]) {
    await tab.goto(url)
    await activateEditor(tab)
  }
  for (const tab of [page, other]) await expect(tab.getByText(/теж пише цей урок/)).toBeVisible()
  await lessonTextBox(page).getByText('Перший').click()
  await page.keyboard.press('End')
  // After React has rendered the other text, before any other code runs.
  await page.evaluate(() => {
    const write = (_: unknown, watch: MutationObserver) => {
      if (!document.body.textContent?.includes('Збережено ')) return
      watch.disconnect()
      document.execCommand('insertText', false, ' с')
    }
    new MutationObserver(write).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await writeAt(other, 'Другий', ' Від експертки')
  await expect(lessonTextBox(page)).toContainText('Від експертки')
  await expect(lessonTextBox(page)).toContainText('Перший абзац. с')
  await page.keyboard.type('лово')
  await expect(lessonTextBox(page).getByText('Перший абзац. слово', { exact: true })).toBeVisible()
  await context.close()
})

test('where two authors changed one block, both texts are shown and either or both can be kept', async ({ page }) => {
  const { lessonId, url } = await createWrittenLesson(page, 'Спільний абзац.', 'Решта.')
  const { page: other, context } = await openSecondAuthor(page, 'expert')
  await page.goto(url)
  await activateEditor(page)
  await other.goto(url)
  await activateEditor(other)
  await context.setOffline(true)
  await writeAt(other, 'Спільний', ' Слова експертки')
  await expect(other.getByText('Тільки на цьому пристрої')).toBeVisible()
  await writeAt(page, 'Спільний', ' Слова власниці')
  await saved(page)
  await context.setOffline(false)
  const choice = other.getByRole('alert').filter({ hasText: 'Цей текст змінили в іншому місці' })
  await expect(choice).toContainText('Слова експертки')
  await expect(choice).toContainText('Слова власниці')
  await expect(choice).not.toContainText('Решта')
  await expectAccessible(other)
  await choice.getByRole('button', { name: 'Залишити обидві' }).click()
  await saved(other)
  const text = await readSavedText(page, lessonId)
  expect(text).toContain('Слова експертки')
  expect(text).toContain('Слова власниці')
  await context.close()
})

test('a text stored only on this device is announced on every page, and its link leads to it', async ({
  page,
  context,
}) => {
  const { lessonId, url } = await createWrittenLesson(page, 'Початок.')
  await page.goto(url)
  await activateEditor(page)
  await context.setOffline(true)
  await writeAt(page, 'Початок', ' Написано без зв’язку')
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const later = await context.newPage()
  await later.goto(addressOf('demo', '/courses'))
  const drafts = later.getByText('1 чернетка', { exact: true })
  await drafts.click()
  await expect(later.getByRole('heading', { name: '1 чернетка на цьому пристрої' })).toBeVisible()
  await later.getByRole('button', { name: 'Показати текст' }).click()
  await expect(later.getByText('Написано без зв’язку')).toBeVisible()
  await expectAccessible(later)
  await later.getByRole('link', { name: 'Урок', exact: true }).click()
  await expect(lessonTextBox(later)).toContainText('Написано без зв’язку')
  await expect.poll(() => readSavedText(later, lessonId)).toContain('Написано без зв’язку')
  await later.goto(addressOf('demo', '/courses'))
  await expect(later.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(drafts).toBeHidden()
})

test('earlier versions can be named, compared word by word and restored', async ({ page }) => {
  const { lessonId, url } = await createWrittenLesson(page, 'Перший варіант речення.')
  await page.goto(url)
  await activateEditor(page)
  await page.getByRole('button', { name: 'Історія' }).click()
  await page.getByRole('textbox', { name: 'Назвати теперішню версію' }).fill('До правок')
  await page.getByRole('textbox', { name: 'Назвати теперішню версію' }).press('Enter')
  await expect(page.getByRole('button', { name: /До правок/ })).toBeVisible()
  await writeAt(page, 'Перший', ' Додано згодом')
  await saved(page)
  await page.getByRole('button', { name: /До правок/ }).click()
  await expect(page.locator('ins')).toHaveText(/Додано згодом/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Відновити цю версію' }).click()
  await expect(lessonTextBox(page)).toHaveText('Перший варіант речення.')
  expect(await readSavedText(page, lessonId)).not.toContain('Додано згодом')
  await page.getByRole('button', { name: /До відновлення/ }).click()
  await expect(page.locator('del')).toHaveText(/Додано згодом/)
})

test('unpublished changes are shown before they are published, and can be discarded without a reload', async ({
  page,
}) => {
  const { lessonId, url } = await createWrittenLesson(page, 'Те, що читають студенти.')
  await callCourseApi(page, 'publishLesson', { lessonId })
  await page.goto(url)
  await activateEditor(page)
  await writeAt(page, 'Те, що', ' Чернетка')
  await saved(page)
  await page.getByRole('button', { name: 'Що змінилося' }).click()
  await expect(page.locator('ins')).toHaveText(/Чернетка/)
  await page.getByRole('button', { name: 'Відкинути зміни' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Відкинути зміни' }).click()
  await expect(lessonTextBox(page)).toHaveText('Те, що читають студенти.')
  await expect(page.getByRole('button', { name: 'Що змінилося' })).toBeHidden()
  await writeAt(page, 'Те, що', ' Нове')
  await page.getByRole('button', { name: 'Опублікувати зміни' }).click()
  await expect(page.getByText('Урок опубліковано', { exact: false })).toBeVisible()
  expect(
    await page.evaluate(
      async (id) => (await fetch(`/v1/module/course/getLessonText?lessonId=${id}&revision=published`)).text(),
      lessonId,
    ),
  ).toContain('Нове')
})

test('a lesson of 400,000 characters saves a keystroke in one small request', async ({ page }) => {
  test.slow()
  const paragraph = `Початок ${'слово '.repeat(66)}`.slice(0, 398)
  const { url, lessonId } = await createWrittenLesson(
    page,
    ...Array.from({ length: 1000 }, (_, index) => `${index}: ${paragraph}`.slice(0, 398)),
  )
  await page.goto(url)
  await activateEditor(page)
  await page.keyboard.press('Control+End')
  const saveRequest = page.waitForRequest(/saveLesson/)
  await page.keyboard.type('!')
  const request = await saveRequest
  expect(request.postData()?.length ?? 0).toBeLessThan(2000)
  await saved(page)
  expect((await readSavedText(page, lessonId)).length).toBeGreaterThan(390_000)
})

test('two tabs of one author edit one text', async ({ page, context }) => {
  const { url, lessonId } = await createWrittenLesson(page, 'Раз.', 'Два.', 'Три.')
  await page.goto(url)
  await activateEditor(page)
  const second = await context.newPage()
  await signInAs(second, 'owner')
  await second.goto(url)
  await activateEditor(second)
  await expect(page.getByText('Урок відкрито у вас іще в одній вкладці')).toBeVisible()
  await writeAt(page, 'Раз', ' з першої')
  await writeAt(second, 'Три', ' з другої')
  await expect(lessonTextBox(page)).toContainText('з другої')
  await expect(lessonTextBox(second)).toContainText('з першої')
  await expect.poll(() => readSavedText(page, lessonId)).toContain('з першої')
})
