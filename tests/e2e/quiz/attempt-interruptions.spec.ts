import type { Locator, Page } from '@playwright/test'
import { AnswerValue } from '#lib/quiz/question/schema.ts'
import { scoreAnswer } from '#lib/quiz/scoring/score.ts'
import { sampleQuestion } from '../../setup/quiz/questions.ts'
import { runAttemptChaos } from '../support/attempt-chaos.ts'
import { callApi, openPageAs } from '../support/homework.ts'
import { type InterruptedProduct, startInterruptedProduct } from '../support/interrupted-product.ts'
import { type PublishedTest, publishTest, startAttempt } from '../support/quiz.ts'
import { addressOf, DEMO_PASSWORD, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

/*
 * What interrupts attempts, in a real browser with a server of its own: deadlines, lost sessions, killed tabs and servers,
 * two devices, and all of it in an order that a seed decides. The tests share the server and run one after another.
 */
test.describe.configure({ mode: 'default' })

let product: InterruptedProduct
test.beforeAll(async () => {
  test.setTimeout(120_000)
  product = await startInterruptedProduct()
})
test.afterAll(() => product.stop())

const QUESTIONS = [sampleQuestion('essay'), sampleQuestion('single')]
const FILE = { name: 'креслення.txt', mimeType: 'text/plain', buffer: Buffer.from('Креслення мосту') }
const SETTINGS = { timeLimitSec: 3600, networkGraceSec: 15 }

interface Opened {
  student: Page
  quizId: string
  attemptId: string
}

/** The demo student's page of a new attempt at a test of its own: an essay and a single choice. */
async function openAttempt(
  page: Page,
  settings: Record<string, unknown> = {},
  questions: readonly object[] = QUESTIONS,
): Promise<Opened> {
  const { quizId } = await publishTest(page, questions, { ...SETTINGS, ...settings })
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const attemptId = await startAttempt(student, quizId)
  await openQuestions(student, quizId)
  return { student, quizId, attemptId }
}

const openQuestions = (student: Page, quizId: string) => student.goto(addressOf('go', `/test/${quizId}/questions`))
const essay = (student: Page): Locator => student.getByRole('textbox', { name: /Опишіть свій досвід/ })
const essayState = (student: Page): Locator => student.locator('[data-question]').first().locator('[data-saved]')
const SAVED = '✓ Збережено'

/** Moves the deadline; the page asks the server for the time when its window gets the focus. */
async function bringDeadline({ student, attemptId }: Opened, seconds: number): Promise<void> {
  await product.setDeadline(attemptId, seconds)
  await student.evaluate(() => window.dispatchEvent(new Event('focus')))
}

test('the time left is announced by the server’s clock, and visible answers are saved before the deadline submits', async ({
  page,
}) => {
  const opened = await openAttempt(page)
  const { student } = opened
  // The clock of the device is two days ahead.
  await student.addInitScript(() => {
    const { now } = Date
    Date.now = () => now() + 48 * 3_600_000
  })
  await student.reload()
  const announced = student.locator('[data-announcement]')
  await expect(student.locator('[data-clock]')).toHaveText(/^(1:00:00|59:\d\d)$/)
  await bringDeadline(opened, 601)
  await expect(announced).toHaveText('Лишилося 10 хвилин')
  await bringDeadline(opened, 61)
  await expect(announced).toHaveText('Лишилася 1 хвилина')
  await bringDeadline(opened, 11)
  await expect(announced).toHaveText('Лишилося 10 секунд')

  const calls: string[] = []
  await student.route(/quiz\/(saveAnswer|submitAttempt)$/, async (route) => {
    const name = route.request().url().split('/').at(-1) ?? ''
    calls.push(name)
    // The save is on its way while the time ends.
    if (name === 'saveAnswer') await expect(student.locator('[data-clock]')).toHaveText('0:00')
    await route.continue()
  })
  student.on('response', (response) => {
    if (response.url().endsWith('quiz/saveAnswer')) calls.push('saved')
  })
  await bringDeadline(opened, 2)
  await essay(student).fill('Останнє речення')
  await student.waitForURL(/\/result/)
  expect(calls).toEqual(['saveAnswer', 'saved', 'submitAttempt'])
  await expect(student.getByText('Останнє речення')).toBeVisible()
  await expectAccessible(student)
  await student.context().close()
})

test('with a grace period the attempt can be submitted but not changed, and is submitted when it ends', async ({
  page,
}) => {
  const opened = await openAttempt(page, { onExpiry: 'graceSubmit', graceSec: 6, networkGraceSec: 0 })
  const { student, quizId } = opened
  await essay(student).fill('Перша спроба')
  await expect(essayState(student)).toHaveText(SAVED)
  // The page that asks for the submission does not load itself again.
  const pageRequests: string[] = []
  student.on('request', (request) => {
    if (request.url().endsWith('finish=1') && request.method() === 'GET') pageRequests.push(request.url())
  })
  await bringDeadline(opened, 1)
  await expect(student.getByText('Час вийшов. Змінити відповіді вже не можна')).toBeVisible()
  await expect(student.getByRole('link', { name: 'Повернутися до запитань' })).toBeHidden()
  await expectAccessible(student)
  await student.getByRole('button', { name: 'Завершити спробу' }).click()
  await student.waitForURL(/\/result/)
  await expect(student.getByText('Перша спроба')).toBeVisible()
  expect(pageRequests).toHaveLength(1)

  const attemptId = await startAttempt(student, quizId)
  await openQuestions(student, quizId)
  await essay(student).fill('Друга спроба')
  await expect(essayState(student)).toHaveText(SAVED)
  await bringDeadline({ student, quizId, attemptId }, 1)
  await student.waitForURL(/finish=1/)
  await student.waitForURL(/\/result/)
  await expect(student.getByText('Друга спроба')).toBeVisible()
  await student.context().close()
})

test('an attempt that a test discards at its deadline ends on the page of the test', async ({ page }) => {
  const opened = await openAttempt(page, { onExpiry: 'discard', networkGraceSec: 1 })
  const { student, quizId } = opened
  await bringDeadline(opened, 1)
  await student.waitForURL((url) => url.pathname === `/test/${quizId}`)
  await expect(student.getByText('Час вийшов до завершення спроби')).toBeVisible()
  await expect(async () => {
    await student.reload()
    await expect(student.getByRole('button', { name: 'Почати спробу 2' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await student.context().close()
})

test('two devices show the same attempt, and an answer that both have changed is decided by the student', async ({
  page,
}) => {
  const { student: phone, quizId } = await openAttempt(page)
  const laptop = await openPageAs(page, STUDENT)
  await openQuestions(laptop, quizId)
  await phone.getByLabel('Львів').check()
  await expect(laptop.getByLabel('Львів')).toBeChecked()
  await laptop.context().setOffline(true)
  await essay(laptop).fill('Написано вдома')
  await essay(phone).fill('Написано в дорозі')
  await expect(essayState(phone)).toHaveText(SAVED)
  await laptop.context().setOffline(false)
  await expect(laptop.getByText('Цю відповідь змінили на іншому пристрої')).toBeVisible()
  await expectAccessible(laptop)
  await laptop.getByRole('button', { name: 'Залишити обидві' }).click()
  await expect(essayState(laptop)).toHaveText(SAVED)
  await expect(essay(phone)).toHaveValue(/Написано вдома\s+Написано в дорозі/)
  for (const device of [phone, laptop]) await device.context().close()
})

test('a lost session, a killed server and a killed tab lose nothing that was typed or chosen', async ({ page }) => {
  test.setTimeout(90_000)
  const { student, quizId } = await openAttempt(page, {}, [...QUESTIONS, sampleQuestion('fileUpload')])
  const context = student.context()

  await test.step('the student signs in again in the middle of the attempt', async () => {
    await context.clearCookies({ name: 'token' })
    await essay(student).fill('Без сеансу')
    await expect(student.locator('[data-notice]')).toContainText('Сеанс завершився')
    await expectAccessible(student)
    const opening = context.waitForEvent('page')
    await student.getByRole('link', { name: 'Увійти в новій вкладці' }).click()
    const login = await opening
    await login.getByLabel('Електронна пошта').fill(STUDENT)
    await login.locator('input[name=password]').fill(DEMO_PASSWORD)
    await login.getByRole('button', { name: 'Увійти' }).click()
    await login.waitForURL((url) => url.pathname !== '/login')
    await login.close()
    await student.bringToFront()
    await student.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(essayState(student)).toHaveText(SAVED)
  })

  await test.step('the server is killed while the student writes, and started again', async () => {
    await product.kill()
    await essay(student).fill('Без сеансу і без сервера')
    await expect(essayState(student)).toHaveText('Лише на цьому пристрої')
    await product.restart()
    await expect(essayState(student)).toHaveText(SAVED, { timeout: 20_000 })
  })

  await test.step('the tab is killed before the answer and the file were sent', async () => {
    await context.setOffline(true)
    await student.locator('[data-file-form] input[type=file]').setInputFiles(FILE)
    await expect(student.getByText('Чекає на зв’язок')).toBeVisible()
    await essay(student).fill('Без сеансу, без сервера і без вкладки')
    await expect(essayState(student)).toHaveText('Лише на цьому пристрої')
    await student.close({ runBeforeUnload: false })
    await context.setOffline(false)
    const reopened = await context.newPage()
    await openQuestions(reopened, quizId)
    await expect(essay(reopened)).toHaveValue('Без сеансу, без сервера і без вкладки')
    await expect(essayState(reopened)).toHaveText(SAVED)
    await expect(reopened.getByRole('link', { name: FILE.name })).toBeVisible()
  })
  await context.close()
})

test('without a script, a page of answers that is sent after the session has ended is kept through the sign-in', async ({
  page,
}) => {
  const { student: scripted, quizId } = await openAttempt(page)
  const browser = page.context().browser()
  const context = await browser?.newContext({ javaScriptEnabled: false, locale: 'uk-UA' })
  if (!context) throw new Error('the page has no browser of its own')
  await context.addCookies(await scripted.context().cookies())
  await scripted.context().close()
  const student = await context.newPage()
  await openQuestions(student, quizId)
  await essay(student).fill('Рядок "перший"\nі другий')
  await student.getByLabel('Харків').check()
  await context.clearCookies({ name: 'token' })
  await student.getByRole('button', { name: 'Зберегти відповіді' }).click()
  await expect(student.getByText('Ваш сеанс завершився')).toBeVisible()
  await student.getByLabel('Електронна пошта').fill(STUDENT)
  await student.locator('input[name=password]').fill('Не-той-пароль-1')
  await student.getByRole('button', { name: 'Увійти' }).click()
  await student.getByLabel('Електронна пошта').fill(STUDENT)
  await student.locator('input[name=password]').fill(DEMO_PASSWORD)
  await student.getByRole('button', { name: 'Увійти' }).click()
  await student.getByRole('button', { name: 'Зберегти й продовжити' }).click()
  await expect(student).toHaveURL(new RegExp(`/test/${quizId}/questions`))
  await expect(essay(student)).toHaveValue('Рядок "перший"\nі другий')
  await expect(student.getByLabel('Харків')).toBeChecked()
  await context.close()
})

/** Random sequences in the browser run in `npm run soak -- attempts` only; those of the simulation in `npm test` too. */
const RUNS = Number(process.env.BROWSER_CHAOS_RUNS ?? 0)
const CHAOS_TYPES = ['essay', 'shortText', 'single'] as const
let chaosTest: PublishedTest | undefined

for (let seed = 1; seed <= RUNS; seed += 1) {
  test(`an attempt on two devices loses nothing, seed ${seed}`, async ({ page }) => {
    test.setTimeout(180_000)
    chaosTest ??= await publishTest(page, CHAOS_TYPES.map(sampleQuestion), SETTINGS)
    const { quizId, questionIds } = chaosTest
    const { attemptId, words, history, state, answers } = await runAttemptChaos(page, { product, quizId, seed })
    const answerAt = (index: number) =>
      AnswerValue.nullable().parse(answers.find((row) => row.questionId === questionIds[index])?.value ?? null)
    const essayValue = answerAt(0)
    const text = essayValue?.type === 'essay' ? essayValue.text : ''
    expect(
      words.filter((word) => !text.includes(word)),
      history.join('; '),
    ).toEqual([])
    expect(words.length).toBeGreaterThan(0)
    expect(state).toBe('needsReview')

    const expert = await openPageAs(page, staffEmail('expert'))
    await expert.goto(addressOf('demo', '/courses'))
    const marks = { [questionIds[0] ?? '']: { score: 0, comment: '' } }
    const { revision } = await callApi<{ revision: number }>(expert, 'quiz/saveReview', {
      attemptId,
      revision: 0,
      draft: { marks, comment: '' },
    })
    const { score } = await callApi<{ score: number }>(expert, 'quiz/finishReview', { attemptId, revision })
    const rules = { negativeMarking: false, partialCredit: true }
    const scores = CHAOS_TYPES.slice(1).map((type, index) => {
      const content = sampleQuestion(type)
      return scoreAnswer(content, answerAt(index + 1), { points: content.points, rules }) ?? 0
    })
    expect(score).toBe(scores.reduce((sum, each) => sum + each, 0))
    const { items } = await callApi<{ items: { id: string; state: string }[] }>(expert, 'quiz/listAttempts', {
      quizId,
      limit: '200',
    })
    expect(items.filter((item) => item.state !== 'graded')).toEqual([])
    expect(items.filter((item) => item.id === attemptId)).toHaveLength(1)
    await expert.context().close()
  })
}
