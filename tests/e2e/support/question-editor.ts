import type { Locator, Page } from '@playwright/test'
import { callApi } from './homework.ts'
import { addressOf, expect } from './test.ts'

/** A question as an author enters it in the editor. */
export interface WrittenQuestion {
  /** The type as the list of types names it. */
  type: string
  /** Fills the fields of the type; the text of the question is filled already. */
  fill?: (page: Page) => Promise<void>
}

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const press = (page: Page, name: string, key = 'Enter') => page.getByRole('button', { name, exact: true }).press(key)
async function fillAll(page: Page, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await textbox(page, name).fill(text)
}

/** Opens a list with the keyboard and chooses the option `places` positions further. */
export async function chooseByKeyboard(select: Locator, places: number): Promise<void> {
  await select.press('Space')
  for (let place = 0; place < places; place++) await select.page().keyboard.press('ArrowDown')
  await select.page().keyboard.press('Enter')
}

/** Each type of question with fields filled as an author would, those without a pointer by the keyboard. */
export const EVERY_TYPE: Record<string, WrittenQuestion> = {
  single: {
    type: 'Одна відповідь',
    fill: async (page) => {
      await fillAll(page, { 'Текст варіанта 1': 'Київ', 'Текст варіанта 2': 'Львів', 'Текст варіанта 3': 'Одеса' })
      await page.getByRole('radio', { name: 'Правильна відповідь' }).first().check()
    },
  },
  multiple: {
    type: 'Кілька відповідей',
    fill: async (page) => {
      await fillAll(page, { 'Текст варіанта 1': 'Два', 'Текст варіанта 2': 'Чотири', 'Текст варіанта 3': 'П’ять' })
      for (const index of [0, 1]) await page.getByRole('checkbox', { name: 'Правильна відповідь' }).nth(index).check()
    },
  },
  trueFalse: {
    type: 'Правда чи неправда',
    fill: (page) =>
      page.getByRole('group', { name: 'Правильна відповідь' }).getByLabel('Правда', { exact: true }).check(),
  },
  shortText: { type: 'Коротка відповідь', fill: (page) => fillAll(page, { 'Текст відповіді 1': 'модератор' }) },
  number: { type: 'Число', fill: (page) => fillAll(page, { Число: '12,5' }) },
  essay: { type: 'Розгорнута відповідь' },
  fileUpload: { type: 'Файл' },
  matching: {
    type: 'Відповідність',
    fill: async (page) => {
      await fillAll(page, {
        'Текст варіанта 1': 'Київ',
        'Текст варіанта 2': 'Варшава',
        'Текст варіанта 3': 'Прага',
        'Текст рядка 1': 'Україна',
        'Текст рядка 2': 'Чехія',
      })
      await press(page, 'Прибрати: Рядок 3')
      const answer = page.getByRole('combobox', { name: 'Варіант для рядка 2' }).first()
      await chooseByKeyboard(answer, 1)
      await expect(answer.locator('option:checked')).toHaveText('3. Прага')
    },
  },
  ordering: {
    type: 'Упорядкування',
    fill: async (page) => {
      await fillAll(page, { 'Текст елемента 1': 'друге', 'Текст елемента 2': 'перше', 'Текст елемента 3': 'третє' })
      await press(page, 'Нижче: Елемент 1')
      // The button moves with its item and keeps the focus.
      await expect(page.getByRole('button', { name: 'Нижче: Елемент 2' })).toBeFocused()
      await expect(textbox(page, 'Текст елемента 1')).toHaveText('перше')
    },
  },
  gapText: {
    type: 'Заповнення пропусків',
    fill: async (page) => {
      await press(page, '+ Додати пропуск')
      await fillAll(page, { 'Текст відповіді 1': 'стогне' })
    },
  },
  gapSelect: {
    type: 'Пропуски з вибором',
    fill: async (page) => {
      await press(page, '+ Додати пропуск')
      await fillAll(page, { 'Текст варіанта 1': 'сходить', 'Текст варіанта 2': 'сідає' })
    },
  },
  hotspot: {
    type: 'Ділянка на зображенні',
    fill: async (page) => {
      await press(page, 'Вибрати зображення')
      await page.getByRole('list', { name: 'Файли школи' }).getByRole('button').first().press('Enter')
      await fillAll(page, { 'Що на зображенні': 'Пульт ведучого' })
      await press(page, 'Додати ділянку')
      const handle = page.getByRole('button', { name: 'Ділянка 1 на зображенні' })
      const left = () => page.getByLabel('Зліва, %').inputValue()
      const [width, before] = [await page.getByLabel('Ширина, %').inputValue(), await left()]
      await handle.press('ArrowRight')
      await handle.press('Shift+ArrowRight')
      expect(await left()).not.toBe(before)
      expect(await page.getByLabel('Ширина, %').inputValue()).not.toBe(width)
    },
  },
  scale: { type: 'Шкала' },
}

/** Adds a question to the bank by its form and writes it in the editor until it is complete. Returns its id. */
export async function writeQuestion(
  page: Page,
  courseId: string,
  { type, fill }: WrittenQuestion,
  stem: string,
): Promise<string> {
  await page.goto(addressOf('demo', `/course/edit/${courseId}?tab=tests&view=bank`))
  await page.getByLabel('Тип нового запитання').selectOption(type)
  await page.getByRole('button', { name: 'Додати запитання' }).click()
  await page.waitForURL(/[?&]question=/)
  await expect(page.locator('[data-question][data-ready]')).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[data-issues]')).toBeVisible()
  await textbox(page, 'Текст запитання').fill(stem)
  await fill?.(page)
  await expect(page.locator('[data-issues]')).toHaveCount(0)
  const questionId = new URL(page.url()).searchParams.get('question') ?? ''
  await expect
    .poll(async () => (await callApi<{ issues: object[] }>(page, 'quiz/getQuestion', { questionId })).issues)
    .toEqual([])
  return questionId
}
