import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const STUDENTS = 200

/** A published course of four lessons; returns the ids of the course and of its last lesson. */
async function createCourse(page: Page, title: string): Promise<{ courseId: string; lessonId: string }> {
  const { courseId = '' } = await callApi(page, 'course/create', { title })
  const { moduleId = '' } = await callApi(page, 'course/addModule', { courseId, title: 'Модуль' })
  let lessonId = ''
  for (const number of [1, 2, 3, 4]) {
    const paragraph = { type: 'paragraph', content: [{ type: 'text', text: `Зміст уроку ${number}` }] }
    const blocks = { type: 'doc', content: [paragraph] }
    ;({ lessonId = '' } = await callApi(page, 'course/addLesson', { moduleId, title: `Урок ${number}`, blocks }))
  }
  await callApi(page, 'course/publish', { courseId })
  return { courseId, lessonId }
}

test('an owner imports 200 students and invites them, one accepts on a phone, and the owner explains a closed lesson', async ({
  page,
  browser,
}) => {
  // An invitation is sent a minute after its confirmation; until then it can be recalled.
  test.setTimeout(180_000)
  const mark = randomBytes(4).toString('hex')
  const emailOf = (number: number) => `${mark}-${number}@import.test`
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/students?tab=import'))
  const { courseId, lessonId } = await createCourse(page, `Імпорт ${mark}`)

  await page.reload()
  const rows = Array.from({ length: STUDENTS }, (_, n) => `${emailOf(n + 1)};Олена Коваль ${n + 1}`)
  await page.getByLabel('Адреси').fill(['пошта;ім’я та прізвище', ...rows].join('\n'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Далі' }).click()
  await page.getByLabel('Курс', { exact: true }).selectOption({ label: `Імпорт ${mark}` })
  await page.getByRole('button', { name: 'Перевірити рядки' }).click()
  await expect(page.getByRole('link', { name: `буде додано: ${STUDENTS}` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Імпортувати' }).click()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('link', { name: `додано: ${STUDENTS}`, exact: true })).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 30_000 })
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Підготувати запрошення' }).click()
  await page.getByRole('button', { name: `Надіслати ${STUDENTS} листів` }).click()
  await expect(page.getByText('Лист буде надіслано за хвилину.')).toBeVisible()

  await page.goto(addressOf('demo', `/students?q=${emailOf(STUDENTS)}`))
  await page.getByRole('link', { name: `Олена Коваль ${STUDENTS}` }).click()
  await expect(page.getByRole('heading', { name: `Олена Коваль ${STUDENTS}` })).toBeVisible()
  await expectAccessible(page)
  const studentId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const target = { studentIds: [studentId] }
  await callApi(page, 'course/changeAccess', { courseId, target, change: { action: 'close', lessonIds: [lessonId] } })

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'uk' })
  const student = await phone.newPage()
  await expect(async () => {
    await student.goto(firstLinkIn((await waitForEmail(student, emailOf(STUDENTS))).text))
  }).toPass({ timeout: 90_000 })
  await student.getByLabel('Пароль', { exact: true }).fill('Probna-2026!')
  await student.getByRole('button', { name: 'Почати навчання' }).click()
  await student.waitForURL(addressOf('go', '/profile'))
  await phone.close()

  await page.goto(addressOf('demo', `/student/${studentId}?tab=timeline`))
  await expect(page.getByText('Запрошення прийнято', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Переглянути очима студента' }).click()
  await expect(page.getByText(`Ви бачите школу очима студента: Олена Коваль ${STUDENTS}.`)).toBeVisible()
  await expectAccessible(page)
  await page.goto(new URL(`/course/view/${courseId}`, page.url()).href)
  await expect(page.getByRole('link', { name: /Урок 3/ }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: /Урок 4/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Завершити перегляд' }).click()

  await page.goto(addressOf('demo', `/student/${studentId}?tab=access`))
  await page.getByRole('link', { name: `Чому такий доступ: Імпорт ${mark}` }).click()
  await page.getByRole('link', { name: 'Чому? Урок 4' }).click()
  await expect(page.getByRole('heading', { name: `Олена Коваль ${STUDENTS} не бачить уроку «Урок 4»` })).toBeVisible()
  await expect(page.getByText(/Урок закрито вручну/)).toBeVisible()
  await expectAccessible(page)
})
