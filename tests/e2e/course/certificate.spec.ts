import { expectAccessible } from '../support/accessible.ts'
import { callApi, openPageAs } from '../support/homework.ts'
import { staffEmail } from '../support/sign-in.ts'
import { addressOf, expect, test } from '../support/test.ts'

// How a student earns the certificate and a visitor verifies it: tests/e2e/quiz/test-journey.spec.ts.
test('an expert designs a template with the keyboard and the mouse, and sets the rule', async ({ page }) => {
  test.setTimeout(90_000)
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const title = `Сертифікований курс ${Date.now().toString(36)}`
  const { courseId = '' } = await callApi(expert, 'course/create', { title })
  await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=certificate&view=templates`))
  await expert.getByRole('button', { name: 'Створити', exact: true }).click()
  const editor = expert.getByRole('group', { name: 'Редактор шаблону' })
  // Buttons of the editor are disabled until its script has started; a fieldset itself always counts as enabled.
  await expect(editor.getByRole('button', { name: '+ Текст' })).toBeEnabled()
  await expectAccessible(expert)
  const canvas = expert.getByRole('application', { name: /^Сторінка сертифіката/ })
  const left = editor.getByLabel('Зліва, мм')

  await test.step('by the keyboard a text is added, written, moved, and all of it undone', async () => {
    await editor.getByRole('button', { name: '+ Текст' }).press('Enter')
    await editor.getByRole('textbox', { name: 'Текст', exact: true }).fill('За відмінну роботу: {name}')
    await expect(canvas).toContainText('За відмінну роботу:')
    await expect(canvas).not.toContainText('{name}')
    const before = Number(await left.inputValue())
    await canvas.press('ArrowRight')
    await canvas.press('Shift+ArrowRight')
    await expect(left).toHaveValue(String(before + 6))
    await expect(expert.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()
    await canvas.press('Control+z')
    await expect(left).toHaveValue(String(before))
    await canvas.press('Delete')
    await expect(canvas).not.toContainText('За відмінну роботу:')
    await canvas.press('Control+z')
    await expect(canvas).toContainText('За відмінну роботу:')
  })

  await test.step('by the mouse it is moved, and guides show the middle of the page', async () => {
    const box = await canvas.boundingBox()
    if (!box) throw new Error('the page of the template is not shown')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await expert.mouse.move(x, y)
    await expert.mouse.down()
    await expert.mouse.move(x + 40, y + 60, { steps: 4 })
    await expert.mouse.move(x + 2, y + 60, { steps: 4 })
    await expect(canvas.locator('.certificate-guide')).not.toHaveCount(0)
    await expert.mouse.up()
    await expect(canvas.locator('.certificate-guide')).toHaveCount(0)
    await expect(expert.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()
    await expectAccessible(expert)
  })

  await test.step('the expert sets the rule with the template', async () => {
    await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=certificate`))
    await expert.getByLabel('Шаблон').selectOption({ index: 1 })
    await expert.getByRole('button', { name: 'Зберегти' }).click()
    await expect(expert.getByRole('status').filter({ hasText: 'Правило збережено' })).toBeVisible()
    await expectAccessible(expert)
  })
  await expert.context().close()
})
