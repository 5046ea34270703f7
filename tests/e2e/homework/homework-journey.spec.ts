import type { Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const PHONE = { width: 390, height: 844 }
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const homework = (page: Page) => page.locator('[data-homework]')
const feedback = (page: Page) => page.getByRole('textbox', { name: 'Відгук' })

/** Creates a course of two lessons: a video and homework in the first; the second opens when it is accepted. */
async function outline(expert: Page) {
  const { rows } = await callApi<{ rows: { id: string; name: string }[] }>(expert, 'storage/list', { search: 'Проба' })
  const video = rows.find(({ name }) => name === 'Проба камери.mp4')?.id
  const title = `Від задуму до ефіру ${Date.now()}`
  const { courseId = '' } = await callApi(expert, 'course/create', { title })
  const { moduleId = '' } = await callApi(expert, 'course/addModule', { courseId, title: 'Задум' })
  const content = [paragraph('Подивіться запис і опишіть свого слухача.')]
  const shown = video ? [...content, { type: 'video', attrs: { fileId: video } }] : content
  const blocks = { type: 'doc', content: shown }
  const { lessonId: first = '' } = await callApi(expert, 'course/addLesson', { moduleId, title: 'Слухач', blocks })
  const second = await callApi(expert, 'course/addLesson', {
    moduleId,
    title: 'План ефіру',
    blocks: { type: 'doc', content: [paragraph('Тепер план.')] },
  })
  const waits = { mode: 'afterPrevious', of: 'lesson', require: 'homeworkAccepted' }
  const change = { availability: waits }
  await callApi(expert, 'course/changeLessons', { courseId, lessonIds: [second.lessonId], change })
  return { courseId, first, second: second.lessonId ?? '', title, video: video !== undefined }
}

async function allow(expert: Page, courseId: string): Promise<void> {
  const { items } = await callApi<{ items: { id: string }[] }>(expert, 'course/list', {
    // Another test creates a copy of it, as a draft.
    q: 'Перший вебінар',
    status: 'published',
  })
  const known = await callApi<{ items: { studentId: string }[] }>(expert, 'course/listStudents', {
    courseId: items[0]?.id ?? '',
    q: STUDENT,
  })
  await callApi(expert, 'course/grantAccess', { courseId, studentId: known.items[0]?.studentId })
  const reviewers = await callApi<{ id: string; name: string }[]>(expert, 'homework/listReviewers')
  const curator = reviewers.find(({ name }) => name === 'Дмитро Бойко')
  await callApi(expert, 'course/setStaff', { courseId, staff: [{ memberId: curator?.id, role: 'curator' }] })
}

test('from an expert’s draft to the next lesson: written, published, submitted, returned, corrected, accepted', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const course = await outline(expert)
  const { taskId } = await callApi(expert, 'homework/addTask', { lessonId: course.first })
  const [task] = await callApi<object[]>(expert, 'homework/listTasks', { lessonId: course.first })
  const instructions = { type: 'doc', content: [paragraph('Хто прийде на ваш ефір?')] }
  await callApi(expert, 'homework/saveTask', { ...task, taskId, title: 'Портрет слухача', instructions })
  const editUrl = addressOf('demo', `/course/edit/${course.courseId}`)
  const curatorAdvice = expert.getByRole('link', { name: 'Призначити куратора' })
  await expert.goto(editUrl)
  await expect(curatorAdvice).toBeVisible()
  await allow(expert, course.courseId)
  await expert.goto(editUrl)
  await expect(curatorAdvice).toHaveCount(0)
  await expert.getByRole('button', { name: 'Опублікувати курс' }).click()
  await expert.waitForURL(/notice=published/)

  const student = await openPageAs(page, STUDENT)
  await student.setViewportSize(PHONE)
  await student.goto(addressOf('go', `/course/view/${course.courseId}`))
  await expect(student.getByText('План ефіру')).toBeVisible()
  await expect(student.getByRole('link', { name: 'План ефіру' })).toHaveCount(0)
  await student
    .getByRole('link', { name: /Слухач/ })
    .first()
    .click()
  await student.waitForURL(/\/course\/lesson\//)
  if (course.video) await expect(student.locator('[data-player]')).toBeVisible()
  expect(await student.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await write(student, 'Студенти.')
  await homework(student).getByRole('button', { name: 'Надіслати на перевірку' }).click()
  await expect(homework(student).getByText('Надіслано, чекає на перевірку')).toBeVisible()

  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', `/homework?course=${course.courseId}`))
  await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
  await expect(curator.getByRole('button', { name: 'Завершити перевірку' })).toBeEnabled()
  await expect(feedback(curator)).toHaveAttribute('contenteditable', 'true')
  await feedback(curator).fill('Напишіть, що ця людина зможе зробити після ефіру.')
  await curator.getByText('Повернути на доопрацювання').click()
  await curator.getByRole('button', { name: 'Завершити перевірку' }).click()
  await expect(curator.getByText('Повернуто: Олена Шевчук')).toBeVisible()

  await student.reload()
  await expect(homework(student).getByText('Напишіть, що ця людина зможе зробити після ефіру.')).toBeVisible()
  await expectAccessible(student)
  await write(student, 'Студентки-історики зможуть провести першу екскурсію.')
  await homework(student).getByRole('button', { name: 'Надіслати доопрацьоване' }).click()
  await expect(homework(student).getByText('Надіслано, чекає на перевірку')).toBeVisible()
  await student.goto(addressOf('go', `/course/view/${course.courseId}`))
  await expect(student.getByRole('link', { name: 'План ефіру' })).toHaveCount(0)

  await curator.goto(addressOf('demo', `/homework?course=${course.courseId}`))
  await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
  await expect(curator.getByText('зможуть провести першу екскурсію')).toBeVisible()
  await expect(curator.getByRole('button', { name: 'Завершити перевірку' })).toBeEnabled()
  await curator.keyboard.press('Control+Enter')
  await expect(curator.getByText('Прийнято: Олена Шевчук')).toBeVisible()

  await student.goto(addressOf('go', `/course/view/${course.courseId}`))
  await student
    .getByRole('link', { name: /План ефіру/ })
    .first()
    .click()
  await expect(student.getByText('Тепер план.')).toBeVisible()
  for (const tab of [expert, student, curator]) await tab.context().close()
})

async function write(student: Page, words: string): Promise<void> {
  const answer = homework(student).getByRole('textbox', { name: 'Ваша відповідь' })
  await answer.click()
  await answer.fill(words)
  await expect(homework(student).getByText(/Збережено о? ?\d\d:\d\d/i)).toBeVisible()
}
