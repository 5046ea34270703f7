import type { Page } from '@playwright/test'
import { addressOf, expect, getSignInCookies, staffEmail } from './test.ts'

export interface NewLesson {
  courseId: string
  lessonId: string
}

/** Creates a course with one empty lesson as the owner of the demo school, and opens its page. */
export async function createLesson(page: Page): Promise<NewLesson> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses'))
  const { courseId = '' } = await callCourseApi(page, 'create', { title: `Курс ${Date.now()}` })
  const { moduleId = '' } = await callCourseApi(page, 'addModule', { courseId, title: 'Модуль' })
  const { lessonId = '' } = await callCourseApi(page, 'addLesson', { moduleId, title: 'Урок' })
  await page.goto(addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`))
  return { courseId, lessonId }
}

/** Calls a procedure of the course module from the open page. */
export async function callCourseApi(page: Page, action: string, data: object): Promise<Record<string, string>> {
  return page.evaluate(
    async ({ action: name, data: body }) => {
      const sent = { 'content-type': 'application/json', accept: 'application/json' }
      const options = { method: 'POST', headers: sent, body: JSON.stringify(body) }
      return (await fetch(`/v1/module/course/${name}`, options)).json()
    },
    { action, data },
  )
}

/** Saves blocks into an empty lesson through the API. */
export async function writeBlocks(page: Page, lessonId: string, insert: Block[]): Promise<void> {
  const saved = await callCourseApi(page, 'saveLesson', { lessonId, version: 1, change: { at: 0, remove: 1, insert } })
  expect(saved).toMatchObject({ version: 2 })
}

/** Opens the editor of the lesson and returns its focused text box. */
export async function openEditor(page: Page) {
  await page.getByRole('button', { name: 'Редагувати текст уроку' }).click()
  const text = page.getByRole('textbox', { name: 'Текст уроку' })
  await expect(text).toBeFocused()
  return text
}

export interface Block {
  type: string
  attrs?: Record<string, unknown>
  content?: Block[]
  text?: string
  marks?: { type: string; attrs?: Record<string, unknown> }[]
}

/** Reads the blocks of the draft from the server. */
export function readSavedBlocks(page: Page, lessonId: string): Promise<Block[]> {
  return page.evaluate(async (id) => {
    const answer = await fetch(`/v1/module/course/getLesson?lessonId=${id}`)
    return (await answer.json()).blocks.content
  }, lessonId)
}

/** Dispatches a paste event with these clipboard formats to the text box. */
export async function pasteContent(page: Page, kinds: Record<string, string>): Promise<void> {
  await page.getByRole('textbox', { name: 'Текст уроку' }).evaluate((text, given) => {
    const data = new DataTransfer()
    for (const [kind, words] of Object.entries(given)) data.setData(kind, words)
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, kinds)
}
