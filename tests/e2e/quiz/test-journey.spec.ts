import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { callApi, grantDemoAccess, openPageAs } from '../support/homework.ts'
import { openEditor, readSavedBlocks } from '../support/lesson.ts'
import { chooseByKeyboard, EVERY_TYPE, writeQuestion } from '../support/question-editor.ts'
import { addressOf, expect, STUDENT, staffEmail, test } from '../support/test.ts'

const NAME = 'Ґанна Їжакевич-Щукіна'
const paragraph = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }

interface TestedCourse {
  courseId: string
  lessonId: string
  nextId: string
  quizId: string
  /** By type, and of the imported question. */
  questionIds: Record<string, string>
}

test('an expert builds a test of every type, a student passes it on a phone, and a visitor verifies the certificate', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000)
  const course = await buildCourse(page)
  const student = await openPageAs(page, STUDENT)
  await student.setViewportSize({ width: 390, height: 844 })

  await test.step('the next lesson is closed until the test is passed', async () => {
    await student.goto(addressOf('go', `/course/lesson/${course.nextId}`))
    await expect(student.getByText('Зміст')).toHaveCount(0)
    await student.goto(addressOf('go', `/course/lesson/${course.lessonId}`))
    await student
      .locator(`[data-test="${course.quizId}"]`)
      .getByRole('link', { name: /Почати/ })
      .click()
    await student.getByRole('button', { name: /^Почати спробу/ }).click()
    await student.waitForURL(/\/questions/)
    await expectAccessible(student)
  })
  await takeTest(student, course)
  await markEssay(page, course)

  await test.step('the next lesson opens, and the certificate is issued', async () => {
    await student.goto(addressOf('go', `/course/lesson/${course.nextId}`))
    await expect(student.getByText('Зміст')).toBeVisible()
    await callApi(student, 'course/completeLesson', { lessonId: course.nextId })
    await student.goto(addressOf('go', `/course/view/${course.courseId}`))
    await student.getByLabel('Ім’я на сертифікаті').fill(NAME)
    await student.getByRole('button', { name: 'Підтвердити ім’я' }).click()
    await expect(async () => {
      await student.reload()
      await expect(student.getByRole('link', { name: 'Відкрити сертифікат' })).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 75_000 })
    await expectAccessible(student)
  })

  await test.step('a visitor verifies it', async () => {
    const href = (await student.getByRole('link', { name: 'Відкрити сертифікат' }).getAttribute('href')) ?? ''
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(href)
    await expect(visitor.getByRole('heading', { name: NAME })).toBeVisible()
    await expect(visitor.getByText('Сертифікат дійсний')).toBeVisible()
    await expectAccessible(visitor)
    const pdfPath = `${new URL(href).pathname.replace('/c/', '/v1/certificate/')}/certificate.pdf`
    const type = await visitor.evaluate(async (path) => (await fetch(path)).headers.get('content-type'), pdfPath)
    expect(type).toBe('application/pdf')
    await visitor.context().close()
  })
  await student.context().close()
})

/** A published course with a certificate: a lesson with a test of every type, and one that requires it. */
async function buildCourse(page: Page): Promise<TestedCourse> {
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const run = Date.now().toString(36)
  const { courseId = '' } = await callApi(expert, 'course/create', { title: `Курс із тестом ${run}` })
  const { moduleId = '' } = await callApi(expert, 'course/addModule', { courseId, title: 'Модуль' })
  const { lessonId = '' } = await callApi(expert, 'course/addLesson', { moduleId, title: 'Із тестом' })
  const { lessonId: nextId = '' } = await callApi(expert, 'course/addLesson', {
    moduleId,
    title: 'Наступний',
    blocks: paragraph,
  })
  const questionIds: Record<string, string> = {}
  await test.step('the expert writes a question of each type', async () => {
    for (const [name, question] of Object.entries(EVERY_TYPE))
      questionIds[name] = await writeQuestion(expert, courseId, question, `Запитання ${name} ${run}`)
    await expectAccessible(expert)
  })

  await test.step('the expert imports one', async () => {
    await expert.goto(addressOf('demo', '/courses?questions=import'))
    await expert.locator('textarea[name="text"]').fill(`::Імпорт ${run}:: Скільки секунд у хвилині? ${run} {=60 ~100}`)
    await expert.getByRole('button', { name: 'Перевірити' }).click()
    await expert.getByRole('button', { name: 'Додати 1 запитання' }).click()
    await expect(expert.getByRole('status').filter({ hasText: 'Додано' })).toBeVisible()
  })

  const quizId = await test.step('the expert builds the test of them and publishes it', async () => {
    await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=tests`))
    await expert.getByLabel('Назва нового тесту').fill(`Тест ${run}`)
    await expert.getByRole('button', { name: 'Створити тест' }).click()
    await expert.getByRole('button', { name: 'Додати розділ із вибраними запитаннями' }).click()
    await expect(expert.locator('[data-quiz-issues]')).toContainText('У розділі немає запитань')
    await expert.getByRole('link', { name: 'Вибрати запитання з банку' }).click()
    await expert.getByRole('searchbox', { name: 'Пошук у запитаннях і мітках' }).fill(run)
    await expert.keyboard.press('Enter')
    const boxes = expert.locator('#picked-questions input')
    await expect(boxes).toHaveCount(Object.keys(EVERY_TYPE).length + 1)
    for (const box of await boxes.all()) await box.check()
    await expert.getByRole('button', { name: 'Додати вибрані' }).click()
    await expert.getByRole('button', { name: 'Опублікувати', exact: true }).click()
    await expect(expert.getByText('Тест опубліковано.')).toBeVisible()
    await expectAccessible(expert)
    return new URL(expert.url()).searchParams.get('quiz') ?? ''
  })
  type Sections = { sections: { questions: { questionId: string }[] }[] }
  const { sections } = await callApi<Sections>(expert, 'quiz/get', { quizId })
  const written = new Set(Object.values(questionIds))
  const imported = sections[0]?.questions.find(({ questionId }) => !written.has(questionId))
  questionIds.imported = imported?.questionId ?? ''

  await test.step('the test is in a lesson that is completed by it', async () => {
    await expert.goto(addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`))
    await openEditor(expert)
    await expert.keyboard.type('/тест')
    await expert.keyboard.press('Enter')
    const dialog = expert.getByRole('dialog', { name: 'Вибрати тест' })
    await dialog.getByLabel('Тест курсу').selectOption(`Тест ${run}`)
    await dialog.getByRole('button', { name: 'Вставити' }).click()
    await expect
      .poll(async () => (await readSavedBlocks(expert, lessonId)).map(({ type }) => type), { timeout: 15_000 })
      .toContain('test')
    await expert.goto(addressOf('demo', `/course/edit/${courseId}`))
    await expect(expert.locator('[data-outline-live]')).toBeVisible()
    await expert.getByRole('button', { name: 'Дії: Із тестом' }).click()
    await expert.getByRole('menuitem', { name: 'Налаштування уроку…' }).click()
    const settings = expert.getByRole('dialog', { name: 'Налаштування уроку' })
    await settings.getByLabel('Коли урок завершено').selectOption('Тест складено')
    const saved = expert.waitForResponse((response) => response.url().endsWith('/course/changeLessons'))
    await settings.getByRole('button', { name: 'Зберегти' }).click()
    expect((await saved).status()).toBe(200)
  })
  const availability = { mode: 'afterPrevious', of: 'lesson', require: 'testPassed' }
  await callApi(expert, 'course/changeLessons', { courseId, lessonIds: [nextId], change: { availability } })
  await callApi(expert, 'course/publish', { courseId })
  const templateId = randomUUID()
  await callApi(expert, 'certificate/createTemplate', { templateId, preset: 'classic', locale: 'uk' })
  await callApi(expert, 'certificate/saveRule', { courseId, templateId, version: 0 })
  await grantDemoAccess(expert, courseId)
  await expert.context().close()
  return { courseId, lessonId, nextId, quizId, questionIds }
}

/** Answers the questions on a phone; while there is no network, answers stay on the device. */
async function takeTest(student: Page, { quizId, questionIds }: TestedCourse): Promise<void> {
  const question = (name: string) => student.locator(`article[data-question="${questionIds[name]}"]`)
  const saved = (name: string) => expect(question(name).locator('[data-saved]')).toHaveText('✓ Збережено')
  await test.step('the student answers, also without a network', async () => {
    await question('single').getByLabel('Київ').check()
    await saved('single')
    await student.context().setOffline(true)
    await question('multiple').getByLabel('Два').check()
    await question('multiple').getByLabel('Чотири').check()
    await question('trueFalse').getByLabel('Правда', { exact: true }).check()
    await question('shortText').getByRole('textbox').fill('модератор')
    await question('number').getByRole('textbox').fill('12,5')
    await expect(question('number').locator('[data-saved]')).toHaveText('Лише на цьому пристрої')
    await student.context().setOffline(false)
    for (const name of ['multiple', 'trueFalse', 'shortText', 'number']) await saved(name)
  })
  await test.step('matching, ordering and hotspot are answered by the keyboard', async () => {
    for (const [index, city] of ['Київ', 'Прага'].entries()) {
      const select = question('matching').getByRole('combobox').nth(index)
      const options = await select.locator('option').allInnerTexts()
      await chooseByKeyboard(
        select,
        options.findIndex((option) => option.endsWith(city)),
      )
    }
    for (const text of ['третє', 'друге', 'перше'])
      for (let step = 0; step < 2; step++)
        await question('ordering')
          .getByRole('button', { name: `Вище: ${text}` })
          .press('Enter')
    await question('hotspot').getByRole('button', { name: 'Додати точку' }).press('Enter')
    await student.keyboard.press('ArrowRight')
    for (const name of ['matching', 'ordering', 'hotspot']) await saved(name)
  })
  await test.step('the student finishes', async () => {
    await question('gapText').getByRole('textbox').fill('стогне')
    await question('gapSelect').getByRole('combobox').selectOption('сходить')
    await question('scale').getByLabel('4', { exact: true }).check()
    await question('imported').getByLabel('60', { exact: true }).check()
    await question('essay').getByRole('textbox').fill('Ведучий чекає десять секунд і ставить запитання знову.')
    for (const name of ['gapText', 'gapSelect', 'scale', 'imported', 'essay']) await saved(name)
    const wide = await student.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBe(0)
    await student.getByRole('button', { name: 'Завершити…' }).click()
    await student.getByRole('button', { name: 'Завершити спробу' }).click()
    await student.waitForURL(`**/test/${quizId}/result**`)
  })
}

async function markEssay(page: Page, { courseId }: TestedCourse): Promise<void> {
  await test.step('the curator marks the essay', async () => {
    const curator = await openPageAs(page, staffEmail('curator'))
    await curator.goto(addressOf('demo', `/homework?course=${courseId}&kind=test`))
    await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
    await expect(curator.locator('[data-attempt-review] [data-ready]')).toBeVisible()
    await curator.locator('[data-needs-mark]').first().fill('1')
    await curator.keyboard.press('Control+Enter')
    await expect(curator.getByText('Перевірку завершено: Олена Шевчук')).toBeVisible()
    await curator.context().close()
  })
}
