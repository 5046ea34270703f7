import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, applyAppearance, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

/** What tells the right answers of the demo test: its explanation, and the fields of keys. */
const KEYS = ['Так ви поважаєте тих, хто прийшов.', 'fraction', 'choiceId', 'tolerance']

test('a student takes a test on a phone through a network outage, and sees the result', async ({ page }) => {
  test.setTimeout(120_000)
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const { items } = await callApi<{ items: { id: string; title: string }[] }>(expert, 'quiz/list', {
    q: 'Перед першим ефіром',
  })
  const quizId = items[0]?.id ?? ''
  const student = await openPageAs(page, STUDENT)
  const context = student.context()
  await student.setViewportSize({ width: 390, height: 844 })
  const questionAt = (index: number) => student.locator('[data-question]').nth(index)
  const savedAt = (index: number) => questionAt(index).locator('[data-saved]')

  await test.step('the student starts an attempt', async () => {
    await student.goto(addressOf('go', `/test/${quizId}`))
    await expectAccessible(student)
    await student
      .getByRole('button', { name: /^Почати спробу/ })
      .or(student.getByRole('link', { name: 'Продовжити спробу' }))
      .click()
    await student.waitForURL(/\/questions/)
    await expectAccessible(student)
    const source = await student.evaluate(async () => (await fetch(location.href)).text())
    expect(source).toContain('Слайди')
    for (const key of KEYS) expect(source, key).not.toContain(key)
  })

  await test.step('answers are acknowledged, and kept on the device while there is no network', async () => {
    await questionAt(0).getByLabel('Вчасно').check()
    await expect(savedAt(0)).toHaveText('✓ Збережено')
    await context.setOffline(true)
    await questionAt(3).getByRole('textbox').fill('модератор')
    await questionAt(4).getByRole('textbox').fill('12')
    await expect(student.locator('[data-notice]')).toContainText('Немає зв’язку')
    await expect(savedAt(3)).toHaveText('Лише на цьому пристрої')
    await context.setOffline(false)
    await expect(savedAt(3)).toHaveText('✓ Збережено')
    await expect(savedAt(4)).toHaveText('✓ Збережено')
    await student.reload()
    await expect(questionAt(3).getByRole('textbox')).toHaveValue('модератор')
    await expect(questionAt(4).getByRole('textbox')).toHaveValue('12')
  })

  await test.step('ordering and hotspot are operated by the keyboard', async () => {
    await questionAt(5)
      .getByRole('button', { name: /^Нижче/ })
      .first()
      .press('Enter')
    await expect(savedAt(5)).toHaveText('✓ Збережено')
    await questionAt(9).getByRole('button', { name: 'Додати точку' }).press('Enter')
    await student.keyboard.press('ArrowRight')
    await expect(questionAt(9).getByRole('button', { name: 'Точка 1: 51 % зліва, 50 % згори' })).toBeFocused()
    await expect(savedAt(9)).toHaveText('✓ Збережено')
  })

  await test.step('the student finishes and sees the result, whose only script looks for answers on the device', async () => {
    await student.getByRole('button', { name: 'Завершити…' }).click()
    await expect(student.getByRole('heading', { name: 'Завершити спробу?' })).toBeVisible()
    await expectAccessible(student)
    await student.getByRole('button', { name: 'Завершити спробу' }).click()
    await student.waitForURL(/\/result/)
    await expect(student.locator('[data-score]')).toBeVisible()
    expect(await student.locator('script').count()).toBe(1)
    await expectAccessible(student)
    await applyAppearance(student, { locale: 'uk', theme: 'night', width: 390 })
    await student.reload()
    await expectAccessible(student)
    const tooWide = await student.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(tooWide).toBe(0)
  })
})
