import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { getSignInCookies, STUDENT, staffEmail } from './sign-in.ts'

/** Calls the API from a page that is signed in on its host. */
export async function callApi<T = Record<string, string>>(
  page: Page,
  call: string,
  data: Record<string, unknown> = {},
): Promise<T> {
  const answer = await page.evaluate(
    async ({ call: name, data: body }) => {
      const reads = /\/(get|list|count|find)/.test(name)
      const query = reads ? `?${new URLSearchParams(body as Record<string, string>)}` : ''
      const options: RequestInit = reads
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const reply = await fetch(`/v1/module/${name}${query}`, options)
      return { ok: reply.ok, text: await reply.text() }
    },
    { call, data },
  )
  if (!answer.ok) throw new Error(`${call}: ${answer.text}`)
  return JSON.parse(answer.text)
}

/** Opens a page in a new context, signed in as the user with this email. */
export async function openPageAs(page: Page, email: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  await context.addCookies(await getSignInCookies(page, email))
  return context.newPage()
}

export interface TaskFixture {
  courseId: string
  taskId: string
  lessonId: string
  title: string
}

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

/** Creates a published course with a task for the demo student; the demo curator is its reviewer. */
export async function createTask(page: Page, more: Record<string, unknown> = {}): Promise<TaskFixture> {
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const title = `Курс із завданням ${Date.now()}`
  const { courseId = '' } = await callApi(expert, 'course/create', { title })
  const { moduleId = '' } = await callApi(expert, 'course/addModule', { courseId, title: 'Модуль' })
  const { lessonId = '' } = await callApi(expert, 'course/addLesson', {
    moduleId,
    title: 'Урок',
    blocks: paragraph('Зміст'),
  })
  const { taskId = '' } = await callApi(expert, 'homework/addTask', { lessonId })
  const tasks = await callApi<Record<string, unknown>[]>(expert, 'homework/listTasks', { lessonId })
  const text = { title: 'Опишіть слухача', instructions: paragraph('Хто прийде на ефір?'), ...more }
  await callApi(expert, 'homework/saveTask', { ...tasks[0], ...text, taskId })
  await callApi(expert, 'course/publish', { courseId })
  await grantDemoAccess(expert, courseId)
  await expert.context().close()
  return { courseId, taskId, lessonId, title }
}

/** Grants the demo student access to the course and assigns the demo curator. */
export async function grantDemoAccess(expert: Page, courseId: string): Promise<void> {
  const { items } = await callApi<{ items: { id: string; title: string }[] }>(expert, 'course/list', {
    // Another test creates a draft copy with the same title.
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

/** Submits an answer as the demo student. Returns the submission's id. */
export async function submitAnswer(page: Page, { taskId }: TaskFixture, text: string, attempt = 1): Promise<string> {
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const { submissionId = '' } = await callApi(student, 'homework/submit', { taskId, attempt, text })
  await student.context().close()
  return submissionId
}
