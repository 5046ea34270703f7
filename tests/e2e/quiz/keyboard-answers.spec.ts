import type { Locator, Page } from '@playwright/test'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { sampleQuestion } from '../../setup/quiz/questions.ts'
import { callApi, openPageAs } from '../support/homework.ts'
import { publishTest } from '../support/quiz.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const SAVED = '✓ Збережено'
const PICTURE = {
  name: 'Креслення.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** Presses Tab until the element has the focus. */
async function reach(page: Page, element: Locator): Promise<void> {
  const isFocused = () => element.evaluate((node) => node === document.activeElement)
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach the element')
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Opens a select that has the focus, moves to the option with this text and chooses it. */
async function chooseByKeyboard(page: Page, select: Locator, text: string): Promise<void> {
  const steps = await select.evaluate(
    (node: HTMLSelectElement, text) =>
      [...node.options].findIndex((option) => option.text.includes(text)) - node.selectedIndex,
    text,
  )
  await press(page, 'Space', ...Array.from({ length: steps }, () => 'ArrowDown'), 'Enter')
  await expect(select.locator('option:checked')).toContainText(text)
}

/** A published test with a question of each type, options in their order, and an image of the school for the hotspot. */
async function publishEveryType(page: Page) {
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/storage'))
  const { rows } = await callApi<{ rows: { id: string }[] }>(expert, 'storage/list', { kind: 'image', search: 'png' })
  const imageFileId = rows[0]?.id
  await expert.context().close()
  const contents = QUESTION_TYPES.map((type) =>
    type === 'hotspot' ? { ...sampleQuestion('hotspot'), imageFileId } : sampleQuestion(type),
  )
  return publishTest(page, contents, { shuffleOptions: false })
}

test('a student answers a question of every type with the keyboard only, and a reviewer marks essay and file', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const { courseId, quizId, questionIds } = await publishEveryType(page)
  const student = await openPageAs(page, STUDENT)
  const { promise: isFileFieldWanted, resolve: loadFileField } = Promise.withResolvers<void>()
  await student.route(/\/file-field\./, async (route) => {
    await isFileFieldWanted
    await route.continue()
  })
  await student.goto(addressOf('go', `/test/${quizId}`))
  await reach(student, student.getByRole('button', { name: /^Почати спробу/ }))
  await press(student, 'Enter')
  await student.waitForURL(/\/questions/)
  await expect(student.locator('[data-hotspot-add] button')).toBeVisible()

  const question = (type: (typeof QUESTION_TYPES)[number]) =>
    student.locator(`article[data-question="${questionIds[QUESTION_TYPES.indexOf(type)]}"]`)
  const isSaved = (type: (typeof QUESTION_TYPES)[number]) =>
    expect(question(type).locator('[data-saved]')).toHaveText(SAVED)
  const answer: Record<(typeof QUESTION_TYPES)[number], () => Promise<void>> = {
    single: async () => {
      await reach(student, question('single').getByRole('radio').first())
      await press(student, 'Space', 'ArrowDown', 'ArrowUp')
    },
    multiple: async () => {
      await reach(student, question('multiple').getByRole('checkbox').first())
      await press(student, 'Space', 'Tab', 'Tab', 'Space')
    },
    trueFalse: async () => {
      await reach(student, question('trueFalse').getByRole('radio').first())
      await press(student, 'Space')
    },
    shortText: async () => {
      await reach(student, question('shortText').getByRole('textbox'))
      await student.keyboard.type('Тарас Шевченко')
    },
    number: async () => {
      await reach(student, question('number').getByRole('textbox'))
      await student.keyboard.type('3,14')
    },
    essay: async () => {
      await reach(student, question('essay').getByRole('textbox'))
      await student.keyboard.type('Перший рядок')
      await press(student, 'Enter')
      await student.keyboard.type('і другий')
    },
    fileUpload: async () => {
      // The browser intercepts file choosers only some time after this call, which `reach` gives it.
      const choosing = student.waitForEvent('filechooser', { timeout: 30_000 })
      const field = question('fileUpload').locator('input[type=file]')
      await reach(student, field)
      // The script of the field, which arrives late on a slow network, must not take the focus.
      loadFileField()
      await expect(question('fileUpload').locator('label.btn')).toBeVisible()
      await expect(field).toBeFocused()
      await press(student, 'Enter')
      await (await choosing).setFiles(PICTURE)
      await expect(question('fileUpload').getByRole('link', { name: PICTURE.name })).toBeVisible()
    },
    matching: async () => {
      for (const [index, choice] of ['Київ', 'Варшава'].entries()) {
        const select = question('matching').getByRole('combobox').nth(index)
        await reach(student, select)
        await chooseByKeyboard(student, select, choice)
      }
    },
    ordering: async () => {
      await reach(
        student,
        question('ordering')
          .getByRole('button', { name: /^Нижче/ })
          .first(),
      )
      for (const text of ['4', '3', '2', '1'])
        for (let step = 0; step < 3; step += 1)
          await question('ordering')
            .getByRole('button', { name: `Вище: ${text}`, exact: true })
            .press('Enter')
    },
    gapText: async () => {
      for (const [index, text] of ['стогне', 'широкий'].entries()) {
        await reach(student, question('gapText').getByRole('textbox').nth(index))
        await student.keyboard.type(text)
      }
    },
    gapSelect: async () => {
      await reach(student, question('gapSelect').getByRole('combobox'))
      await press(student, 'Space', 'ArrowDown', 'Enter')
    },
    gapMixed: async () => {
      for (const [index, text] of ['99,8', 'перетворюючи'].entries()) {
        await reach(student, question('gapMixed').getByRole('textbox').nth(index))
        await student.keyboard.type(text)
      }
      const menu = question('gapMixed').getByRole('combobox')
      await reach(student, menu)
      await chooseByKeyboard(student, menu, 'пару')
      for (const name of ['прозору', 'гарячу']) {
        await reach(student, question('gapMixed').getByRole('group').getByRole('checkbox', { name }))
        await press(student, 'Space')
      }
    },
    hotspot: async () => {
      await reach(student, question('hotspot').getByRole('button', { name: 'Додати точку' }))
      await press(student, 'Enter', 'Shift+ArrowUp', 'Shift+ArrowUp')
      await expect(question('hotspot').getByRole('button', { name: 'Точка 1: 50 % зліва, 30 % згори' })).toBeFocused()
    },
    scale: async () => {
      await reach(student, question('scale').getByRole('radio').first())
      await press(student, 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    },
  }
  for (const type of QUESTION_TYPES) {
    await test.step(`the answer to ${type}`, async () => {
      await answer[type]()
      if (type !== 'fileUpload') await isSaved(type)
    })
  }
  await expectAccessible(student)
  await reach(student, student.getByRole('button', { name: 'Завершити…' }))
  await press(student, 'Enter')
  await reach(student, student.getByRole('button', { name: 'Завершити спробу' }))
  await press(student, 'Enter')
  await student.waitForURL(/\/result/)
  await expect(student.getByRole('link', { name: PICTURE.name })).toBeVisible()
  await expectAccessible(student)

  await test.step('the reviewer opens the file and marks both answers', async () => {
    const curator = await openPageAs(page, staffEmail('curator'))
    await curator.goto(addressOf('demo', `/homework?course=${courseId}&kind=test`))
    await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
    await expect(curator.locator('[data-attempt-review] [data-ready]')).toBeVisible()
    const href = (await curator.getByRole('link', { name: PICTURE.name }).first().getAttribute('href')) ?? ''
    expect(await curator.evaluate(async (file) => (await fetch(file)).status, href)).toBe(200)
    const marks = curator.locator('[data-needs-mark]')
    await expect(marks).toHaveCount(2)
    await marks.nth(0).fill('5')
    await marks.nth(1).fill('4')
    await curator.keyboard.press('Control+Enter')
    await expect(curator.getByText('Перевірку завершено: Олена Шевчук')).toBeVisible()
    await curator.context().close()
  })
  const points = QUESTION_TYPES.reduce((sum, type) => sum + sampleQuestion(type).points, 0)
  await student.reload()
  await expect(student.getByText(`${points} з ${points}`).first()).toBeVisible()
  await student.context().close()
})
