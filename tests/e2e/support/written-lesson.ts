import type { BrowserContext, Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { callCourseApi } from './lesson.ts'
import { type DemoRole, getSignInCookies, staffEmail } from './sign-in.ts'

export interface WrittenLesson {
  courseId: string
  lessonId: string
  /** The page where the lesson is written. */
  url: string
}

export async function signInAs(page: Page, role: DemoRole): Promise<void> {
  await page.context().addCookies(await getSignInCookies(page, staffEmail(role)))
}

/** Creates a course with one lesson of these paragraphs as the owner of the demo school. */
export async function createWrittenLesson(page: Page, ...paragraphs: string[]): Promise<WrittenLesson> {
  await signInAs(page, 'owner')
  await page.goto(addressOf('demo', '/courses'))
  const { courseId = '' } = await callCourseApi(page, 'create', { title: `Курс ${Date.now()}` })
  const { moduleId = '' } = await callCourseApi(page, 'addModule', { courseId, title: 'Модуль' })
  const content = paragraphs.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  const blocks = content.length > 0 ? { blocks: { type: 'doc', content } } : {}
  const { lessonId = '' } = await callCourseApi(page, 'addLesson', { moduleId, title: 'Урок', ...blocks })
  return { courseId, lessonId, url: addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`) }
}

/** Opens a page of another author in a new browser context. */
export async function openSecondAuthor(page: Page, role: DemoRole): Promise<{ page: Page; context: BrowserContext }> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  const other = await context.newPage()
  await signInAs(other, role)
  return { page: other, context }
}

export const lessonTextBox = (page: Page) => page.getByRole('textbox', { name: 'Текст уроку' })

/** Activates the editor if it is not active yet, and returns its text box. */
export async function activateEditor(page: Page) {
  const text = lessonTextBox(page)
  const button = page.getByRole('button', { name: 'Редагувати текст уроку' })
  await text.or(button).first().waitFor()
  // The editor may activate itself between the check and the click, which removes the button.
  if (await button.isVisible()) await button.click({ timeout: 3000 }).catch(() => undefined)
  await page.locator('[contenteditable="true"]').first().waitFor()
  return text
}

/** Reads the draft from the server. */
export function readSavedText(page: Page, lessonId: string): Promise<string> {
  return page.evaluate(async (id) => (await fetch(`/v1/module/course/getLesson?lessonId=${id}`)).text(), lessonId)
}
