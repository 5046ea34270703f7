import type { Locator, Page } from '@playwright/test'
import { callApi, createTask, openPageAs, submitAnswer, type TaskFixture } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const reviewUrlOf = (submissionId: string) => addressOf('demo', `/homework/${submissionId}`)
const feedback = (page: Page) => page.getByRole('textbox', { name: 'Відгук' })
const finish = (page: Page) => page.getByRole('button', { name: 'Завершити перевірку' })
const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()

async function openReview(page: Page, email: string, submissionId: string): Promise<Page> {
  const own = await openPageAs(page, email)
  await own.goto(reviewUrlOf(submissionId))
  await expect(own.getByRole('heading', { name: 'Перевірка' })).toBeVisible()
  return own
}

test('of two curators one reviews a submission; a takeover is shown to the other at once and no text is lost', async ({
  page,
}) => {
  const given = await createTask(page)
  const submissionId = await submitAnswer(page, given, 'Моя відповідь')
  const curator = await openReview(page, staffEmail('curator'), submissionId)
  await expect(feedback(curator)).toHaveAttribute('contenteditable', 'true')
  await feedback(curator).fill('Слова куратора')
  await saved(curator)

  const expert = await openReview(page, staffEmail('expert'), submissionId)
  await expect(expert.getByText('Роботу зараз перевіряє Дмитро Бойко')).toBeVisible()
  await expect(finish(expert)).toBeDisabled()
  await feedback(curator).press('End')
  await feedback(curator).pressSequentially(' і ще кілька')
  await expert.getByRole('button', { name: 'Взяти собі' }).click()

  await expect(curator.getByText('Цю роботу вже перевіряє Ірина Савчук').first()).toBeVisible()
  await expect(curator.getByText('Слова куратора і ще кілька')).toBeVisible()
  await expect(finish(curator)).toBeDisabled()
  await expect(feedback(expert)).toContainText('Слова куратора')
  await expect(finish(expert)).toBeEnabled()
  await expectAccessible(curator)

  await curator.reload()
  await expect(curator.getByText('Роботу зараз перевіряє Ірина Савчук')).toBeVisible()
  await expert.goto(addressOf('demo', '/homework'))
  await curator.reload()
  await expect(finish(curator)).toBeEnabled()
  for (const tab of [curator, expert]) await tab.context().close()
})

test('a submission is found, read, answered and accepted by keyboard only, and the next one opens', async ({
  page,
}) => {
  const given = await createTask(page)
  const submissionId = await submitAnswer(page, given, 'Відповідь клавішами')
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', `/homework?course=${given.courseId}`))
  await expect(curator.getByRole('link', { name: 'Олена Шевчук' })).toBeVisible()
  await curator.keyboard.press('j')
  await curator.keyboard.press('Enter')
  await curator.waitForURL(new RegExp(submissionId))
  await expect(finish(curator)).toBeEnabled()
  await curator.keyboard.press('Shift+?')
  await expect(curator.getByRole('dialog', { name: 'Клавіші' })).toContainText('Прийняти роботу')
  await curator.keyboard.press('Escape')
  await curator.keyboard.press('f')
  await expect(feedback(curator)).toBeFocused()
  await curator.keyboard.type('Good work')
  await curator.keyboard.press('Control+Enter')
  await expect(curator.getByText('Прийнято: Олена Шевчук')).toBeVisible()
  await curator.waitForURL(/\/homework\?course=/)
  await expect(curator.getByText('Усе перевірено').or(curator.getByText('За цими фільтрами робіт немає'))).toBeVisible()
  await curator.context().close()
})

test('J and K show the next and the previous submission without a page load', async ({ page }) => {
  const director = await openPageAs(page, staffEmail('director'))
  await director.goto(addressOf('demo', '/homework'))
  const names = await director.locator('[data-work]').allTextContents()
  await director.locator('[data-work]').first().click()
  const heading = director.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(names[0]?.trim() ?? '')
  await expect(finish(director)).toBeVisible()
  await expect(
    finish(director)
      .or(director.getByRole('button', { name: 'Взяти собі' }))
      .and(director.locator(':enabled'))
      .first(),
  ).toBeVisible()
  await expect(heading).toBeFocused()
  await director.keyboard.press('j')
  await expect(heading).toHaveText(names[1]?.trim() ?? '')
  await director.keyboard.press('k')
  await expect(heading).toHaveText(names[0]?.trim() ?? '')
  await director.goBack()
  await expect(director.getByRole('heading', { name: 'Домашні завдання' })).toBeVisible()
  await director.context().close()
})

test('nothing is preselected: an incomplete review names what is missing', async ({ page }) => {
  const given = await createTask(page, { grading: 'points', maxPoints: 10, passPoints: 6 })
  const curator = await openReview(page, staffEmail('curator'), await submitAnswer(page, given, 'Відповідь'))
  await expect(curator.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(curator.getByLabel('Бали (до 10)')).toHaveValue('')
  await finish(curator).click()
  await expect(curator.getByRole('alert')).toHaveText('Виберіть рішення: за замовчуванням ми його не вибираємо.')
  await curator.getByText('Прийняти', { exact: true }).click()
  await finish(curator).click()
  await expect(curator.getByRole('alert')).toContainText('Поставте бали')
  await curator.getByLabel('Бали (до 10)').fill('4')
  await finish(curator).click()
  await expect(curator.getByRole('alert')).toContainText('Прохідний бал: 6')
  await curator.getByText('Повернути на доопрацювання').click()
  await finish(curator).click()
  await expect(curator.getByRole('alert')).toContainText('Напишіть, що саме доопрацювати')
  await curator.getByLabel('Бали (до 10)').fill('8')
  await curator.getByText('Прийняти', { exact: true }).click()
  await finish(curator).click()
  await expect(curator.getByText('Прийнято: Олена Шевчук')).toBeVisible()
  await curator.context().close()
})

test('a submission is returned, hidden before the verdict, corrected, and accepted with its history', async ({
  page,
}) => {
  const given = await createTask(page)
  const submissionId = await submitAnswer(page, given, 'Перша спроба')
  // The curator of other tests changes between submissions and releases their locks.
  const curator = await openReview(page, staffEmail('expert'), submissionId)
  await expect(feedback(curator)).toHaveAttribute('contenteditable', 'true')
  await feedback(curator).fill('Додайте приклад')
  await saved(curator)
  expect(await seenByStudent(page, given)).not.toContain('Додайте приклад')
  await curator.getByText('Повернути на доопрацювання').click()
  await finish(curator).click()
  await expect(curator.getByText('Повернуто: Олена Шевчук')).toBeVisible()
  expect(await seenByStudent(page, given)).toContain('Додайте приклад')

  const again = await submitAnswer(page, given, 'Друга спроба з прикладом', 2)
  await curator.goto(reviewUrlOf(again))
  await expect(curator.getByText('Друга спроба з прикладом')).toBeVisible()
  await curator.getByText('Спроба 1 · Повернуто на доопрацювання').click()
  await expect(curator.getByText('Перша спроба')).toBeVisible()
  await curator.getByText('Прийняти', { exact: true }).click()
  await finish(curator).click()
  await expect(curator.getByText('Прийнято: Олена Шевчук')).toBeVisible()
  await curator.context().close()
})

test('closing a second window of the same person leaves the submission locked by the first', async ({ page }) => {
  const given = await createTask(page)
  const submissionId = await submitAnswer(page, given, 'Відповідь')
  const first = await openReview(page, staffEmail('expert'), submissionId)
  await expect(finish(first)).toBeEnabled()
  const second = await first.context().newPage()
  await second.goto(reviewUrlOf(submissionId))
  await expect(finish(second)).toBeEnabled()
  const reopened = first.waitForResponse((response) => response.url().endsWith('/homework/open') && response.ok())
  await second.goto(addressOf('demo', '/homework'))
  await reopened
  await expect(finish(first)).toBeEnabled()
  await first.context().close()
})

test('snippets are saved, inserted and restored from the trash', async ({ page }) => {
  const given = await createTask(page)
  const curator = await openReview(page, staffEmail('curator'), await submitAnswer(page, given, 'Відповідь'))
  await expect(finish(curator)).toBeEnabled()
  await curator.keyboard.press('s')
  await curator.getByRole('button', { name: /Не видно слухача/ }).click()
  await expect(feedback(curator)).toContainText('Олена, поки не видно, для кого це.')
  await saved(curator)
  await expectAccessible(curator)
  await curator.context().close()
})

test('an image is annotated by pointer and by keyboard, and the annotations are saved', async ({ page }) => {
  const director = await openPageAs(page, staffEmail('director'))
  await director.goto(addressOf('demo', '/homework?q=sofiia'))
  await director.getByRole('link', { name: 'Софія Олійник' }).click()
  await expect(finish(director)).toBeEnabled()
  await director.getByRole('button', { name: 'Рамка' }).click()
  const picture = director.getByRole('img', { name: 'Афіша.png' })
  const placeOf = await positionsOn(picture)
  await picture.hover({ position: placeOf(0.1, 0.1) })
  await director.mouse.down()
  await picture.hover({ position: placeOf(0.4, 0.3) })
  await director.mouse.up()
  await director.keyboard.type('Too dark here')
  await director.getByRole('button', { name: 'Точка' }).focus()
  await director.keyboard.press('Enter')
  await director.getByRole('button', { name: 'Поставити посередині' }).press('Enter')
  await director.getByRole('button', { name: 'Позначка 2', exact: true }).press('ArrowRight')
  await saved(director)
  await expectAccessible(director)
  await director.reload()
  await expect(director.getByRole('textbox', { name: 'Коментар до позначки 1' })).toHaveValue('Too dark here')
  await expect(director.getByRole('button', { name: 'Позначка 2', exact: true })).toBeVisible()
  for (const number of [2, 1]) await director.getByRole('button', { name: `Видалити Позначка ${number}` }).click()
  await saved(director)
  await director.context().close()
})

test('a voice message is recorded, sent and played back', async ({ page }) => {
  const given = await createTask(page)
  const submissionId = await submitAnswer(page, given, 'Відповідь')
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.context().grantPermissions(['microphone'], { origin: addressOf('demo', '') })
  await pretendVoice(curator)
  await curator.goto(reviewUrlOf(submissionId))
  await expect(finish(curator)).toBeEnabled()
  await curator.getByRole('button', { name: 'Записати голос' }).click()
  await expect(curator.getByRole('timer')).toContainText('0:01')
  await curator.getByRole('button', { name: 'Завершити запис' }).click()
  await expect(curator.getByRole('button', { name: 'Прибрати запис' })).toBeVisible()
  await saved(curator)
  await curator.getByText('Повернути на доопрацювання').click()
  await finish(curator).click()
  await expect(curator.getByText('Повернуто: Олена Шевчук')).toBeVisible()
  await curator.context().close()
})

test('several submissions are accepted after a preview, the acceptance is undone, and they are downloaded', async ({
  page,
}) => {
  const given = await createTask(page)
  await submitAnswer(page, given, 'Відповідь для архіву')
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', `/homework?course=${given.courseId}`))
  await curator.getByRole('checkbox', { name: 'Вибрати: Олена Шевчук, Опишіть слухача' }).check()
  const downloading = curator.waitForEvent('download')
  await curator.getByRole('button', { name: 'Завантажити ZIP' }).click()
  expect((await downloading).suggestedFilename()).toBe(`${given.title}.zip`)
  await curator.getByRole('button', { name: 'Прийняти' }).click()
  const dialog = curator.getByRole('dialog', { name: 'Прийняти 1 роботу?' })
  await expect(dialog).toContainText('Олена Шевчук · Опишіть слухача')
  await expectAccessible(curator)
  await dialog.getByRole('button', { name: 'Прийняти' }).click()
  await expect(curator.getByText('Прийнято 1 роботу')).toBeVisible()
  await curator.getByRole('button', { name: 'Повернути', exact: true }).click()
  await expect(curator.getByRole('link', { name: 'Олена Шевчук' })).toBeVisible()
  await expectAccessible(curator)
  await curator.context().close()
})

/** Positions on an image by shares of its size, after it is loaded. */
async function positionsOn(picture: Locator): Promise<(x: number, y: number) => { x: number; y: number }> {
  await picture.scrollIntoViewIfNeeded()
  await expect(picture).toHaveJSProperty('complete', true)
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
  const box = await picture.boundingBox()
  if (!box) throw new Error('the picture is not shown')
  return (x, y) => ({ x: box.width * x, y: box.height * y })
}

/** The submission in the student's page. */
async function seenByStudent(page: Page, given: TaskFixture): Promise<string> {
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const seen = await callApi<object>(student, 'homework/get', { lessonId: given.lessonId })
  await student.context().close()
  return JSON.stringify(seen)
}

/** Replaces the microphone by a tone, because the test machine has none. */
async function pretendVoice(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const tone = context.createOscillator()
      const target = context.createMediaStreamDestination()
      tone.connect(target)
      tone.start()
      return target.stream
    }
  })
}
