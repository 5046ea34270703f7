import fs from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { callApi, openPageAs } from './homework.ts'
import { staffEmail } from './sign-in.ts'

/** The owner of the demo school, on the list of orders. */
export async function openOwner(page: Page): Promise<Page> {
  const owner = await openPageAs(page, staffEmail('owner'))
  await owner.goto(addressOf('demo', '/orders'))
  return owner
}

/** A phone without an account. The pages of selling have no script; the check of accessibility needs one. */
export async function openVisitor(browser: Browser): Promise<Page> {
  const viewport = { width: 390, height: 844 }
  return (await browser.newContext({ locale: 'uk-UA', viewport })).newPage()
}

/** A published course with a free and a paid lesson, which have the same text. */
export async function createSoldCourse(owner: Page): Promise<{ courseId: string; paidLessonId: string; text: string }> {
  const text = 'Перше слово до слухачів'
  const blocks = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
  const { courseId = '' } = await callApi(owner, 'course/create', { title: `Курс у продажу ${Date.now()}` })
  const { moduleId } = await callApi(owner, 'course/addModule', { courseId, title: 'Модуль' })
  const addLesson = async (title: string) =>
    (await callApi(owner, 'course/addLesson', { moduleId, title, blocks })).lessonId ?? ''
  const freeLessonId = await addLesson('Відкритий урок')
  const paidLessonId = await addLesson('Платний урок')
  await callApi(owner, 'course/publish', { courseId })
  await callApi(owner, 'course/changeLessons', { courseId, lessonIds: [freeLessonId], change: { freePreview: true } })
  return { courseId, paidLessonId, text }
}

/** An offer of a course on sale. */
export async function sellOffer(
  owner: Page,
  courseId: string,
  settings: { name: string; kind: string; price: number; trialDays?: number; upgradesOfferId?: string },
): Promise<string> {
  const offerId = crypto.randomUUID()
  const { name, kind, price } = settings
  await callApi(owner, 'offer/create', { offerId, courseId, name, kind, price, currency: 'UAH' })
  await callApi(owner, 'offer/save', { offerId, version: 1, settings })
  await callApi(owner, 'offer/publish', { offerId })
  return offerId
}

/** Fills in the fields of the checkout that every buyer fills in. */
export async function fillBuyer(buyer: Page, email: string, name = 'Ганна Їжакевич'): Promise<void> {
  await buyer.getByLabel('Ім’я та прізвище').first().fill(name)
  await buyer.getByLabel('Електронна пошта').first().fill(email)
  await buyer.getByLabel(/Я погоджуюся/).check()
}

/** Answers a payment as a bank that accepts it; the page before leads there by itself. */
export async function payBySandbox(buyer: Page): Promise<void> {
  await buyer.getByRole('button', { name: 'Оплату прийнято' }).click()
}

/** Opens the latest order of a buyer. */
export async function openOrderOf(owner: Page, email: string): Promise<void> {
  await owner.goto(addressOf('demo', `/orders?q=${encodeURIComponent(email)}`))
  await owner.locator('main tbody a[href^="/orders/"]').first().click()
}

/** The text of the file behind a link. */
export async function downloadText(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  return fs.readFile(await file.path(), 'utf8')
}
