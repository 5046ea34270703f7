import type { Page } from '@playwright/test'
import { addressOf, expect, staff, tokenOf } from './test.ts'

export interface NewLesson {
  courseId: string
  lessonId: string
}

/** A course with one empty lesson, made through the API as the owner of the demo school; its page is open. */
export async function createLesson(page: Page): Promise<NewLesson> {
  await page.context().addCookies(await tokenOf(page, staff('owner')))
  await page.goto(addressOf('demo', '/courses'))
  const { courseId = '' } = await callCourseApi(page, 'create', { title: `Курс ${Date.now()}` })
  const { moduleId = '' } = await callCourseApi(page, 'addModule', { courseId, title: 'Модуль' })
  const { lessonId = '' } = await callCourseApi(page, 'addLesson', { moduleId, title: 'Урок' })
  await page.goto(addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`))
  return { courseId, lessonId }
}

/** An act of the course room, done from the page that is open. */
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

/** Puts blocks into an empty lesson as its first version, past the editor. */
export async function writeBlocks(page: Page, lessonId: string, insert: Block[]): Promise<void> {
  const saved = await callCourseApi(page, 'saveLesson', { lessonId, version: 1, change: { at: 0, remove: 1, insert } })
  expect(saved).toMatchObject({ version: 2 })
}

/** Reaches for the text; gives it when it can be written. */
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

/** The draft's blocks as the server has them. */
export function readSavedBlocks(page: Page, lessonId: string): Promise<Block[]> {
  return page.evaluate(async (id) => {
    const answer = await fetch(`/v1/module/course/getLesson?lessonId=${id}`)
    return (await answer.json()).blocks.content
  }, lessonId)
}

/** Lays something into the clipboard and into the text, as the keyboard would. */
export async function pasteContent(page: Page, kinds: Record<string, string>): Promise<void> {
  await page.getByRole('textbox', { name: 'Текст уроку' }).evaluate((text, given) => {
    const data = new DataTransfer()
    for (const [kind, words] of Object.entries(given)) data.setData(kind, words)
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, kinds)
}
