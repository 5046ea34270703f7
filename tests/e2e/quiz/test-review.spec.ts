import type { Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { type PublishedTest, publishTest, startAttempt } from '../support/quiz.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const option = (id: string, text: string, fraction: number) => ({ id, content: paragraph(text), fraction })
/** A single choice of two options of which the one with this id is right. */
const choice = (right: string) => ({
  type: 'single',
  stem: paragraph('Столиця України?'),
  options: [option('a', 'Київ', Number(right === 'a')), option('b', 'Харків', Number(right === 'b'))],
})

interface Attempted extends PublishedTest {
  attemptId: string
}

/** A chosen option by its text, or the text of an essay. */
type Typed = { option: string } | { text: string }

/** A published test in a course of its own, and the demo student's submitted attempt at it. */
async function submitTest(page: Page, questions: { content: object; answer: Typed }[]): Promise<Attempted> {
  const published = await publishTest(
    page,
    questions.map(({ content }) => content),
  )
  const { quizId, questionIds } = published
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const attemptId = await startAttempt(student, quizId)
  await student.goto(addressOf('go', `/test/${quizId}/questions`))
  for (const [index, { answer }] of questions.entries()) {
    const questionId = questionIds[index]
    const value =
      'text' in answer
        ? { type: 'essay', text: answer.text }
        : { type: 'single', optionId: await student.getByRole('radio', { name: answer.option }).inputValue() }
    await callApi(student, 'quiz/saveAnswer', { attemptId, questionId, revision: 1, value })
  }
  await callApi(student, 'quiz/submitAttempt', { attemptId })
  await student.context().close()
  return { ...published, attemptId }
}

const mark = (page: Page) => page.locator('[data-needs-mark]')
const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()
const ready = (page: Page) => expect(page.locator('[data-attempt-review] [data-ready]')).toBeVisible()

test('a curator marks an essay from the queue, a second reviewer sees the conflict, and the student the result', async ({
  page,
}) => {
  const { courseId, quizId, title } = await submitTest(page, [
    { content: choice('a'), answer: { option: 'Київ' } },
    {
      content: { type: 'essay', stem: paragraph('Що зробить слухач?'), points: 5 },
      answer: { text: 'Порахує собівартість.' },
    },
  ])
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', `/homework?course=${courseId}&kind=test`))
  await expect(curator.getByText(title)).toBeVisible()
  await expectAccessible(curator)
  await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
  await ready(curator)
  await expectAccessible(curator)
  await curator.keyboard.press('n')
  await expect(mark(curator)).toBeFocused()
  await curator.keyboard.type('3,5')
  await saved(curator)

  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(curator.url())
  await ready(expert)
  await expect(mark(expert)).toHaveValue('3,5')
  await expert.context().setOffline(true)
  await mark(expert).fill('5')
  await expect(expert.getByText('Тільки на цьому пристрої')).toBeVisible()
  await mark(curator).fill('2')
  await curator.getByRole('heading', { level: 1 }).click()
  await expect(curator.getByText('Зберігаємо')).toBeHidden()
  await expect
    .poll(async () => {
      await curator.reload()
      return mark(curator).inputValue()
    })
    .toBe('2')
  await expert.context().setOffline(false)
  await expect(expert.getByText('Версія: Дмитро Бойко')).toBeVisible()
  await expectAccessible(expert)
  await expert.getByRole('button', { name: 'Залишити мою' }).click()
  await saved(expert)
  await mark(expert).fill('9')
  await expert.keyboard.press('Control+Enter')
  await expect(expert.getByText('Перевірте бали')).toBeVisible()
  await mark(expert).fill('4')
  await expert.getByLabel('Коментар до всієї спроби').fill('Гарна робота')
  await expert.keyboard.press('Control+Enter')
  await expect(expert.getByText('Перевірку завершено: Олена Шевчук')).toBeVisible()

  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', `/test/${quizId}/result`))
  await expect(student.getByText('Гарна робота')).toBeVisible()
  await expect(student.getByText('5 з 6').first()).toBeVisible()
  for (const tab of [curator, expert, student]) await tab.context().close()
})

test('after a corrected key the expert sees which results change, regrades, and the student has the new result', async ({
  page,
}) => {
  const { courseId, quizId, questionIds } = await submitTest(page, [
    { content: choice('a'), answer: { option: 'Харків' } },
  ])
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=tests&quiz=${quizId}&part=regrade`))
  await expect(expert.getByText('Виправлених запитань немає')).toBeVisible()
  await callApi(expert, 'quiz/updateQuestion', { questionId: questionIds[0], revision: 1, content: choice('b') })
  await expert.reload()
  await expect(expert.locator('[data-regrade-changed="1"]')).toBeVisible()
  await expect(expert.getByRole('row', { name: /Олена Шевчук/ })).toContainText('0 з 1')
  await expectAccessible(expert)
  await expert.getByRole('button', { name: 'Перерахувати бали' }).click()
  await expert.getByRole('dialog').getByRole('button', { name: 'Перерахувати бали' }).click()
  await expect
    .poll(async () => {
      await expert.reload()
      return expert.locator('[data-regraded="1"]').count()
    })
    .toBe(1)
  await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=tests&quiz=${quizId}&part=attempts`))
  await expect(expert.getByRole('row', { name: /Олена Шевчук/ })).toContainText('1 з 1')
  await expectAccessible(expert)
  await expert.context().close()
})
