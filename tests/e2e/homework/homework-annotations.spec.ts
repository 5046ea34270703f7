import type { Page } from '@playwright/test'
import { coloredPdf } from '../../setup/course/colored-pdf.ts'
import { createTask, openPageAs, type TaskFixture } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const PHONE = { width: 390, height: 844 }

/** Uploads a PDF of two pages into the draft by the page's form, and submits it. */
async function handInPdf(student: Page, { lessonId }: TaskFixture): Promise<void> {
  await student.goto(addressOf('go', `/course/lesson/${lessonId}`))
  const place = student.locator('[data-homework]')
  await place.getByRole('textbox', { name: 'Ваша відповідь' }).click()
  await expect(place.locator('[data-island="submission"]')).toBeVisible()
  const choosing = student.waitForEvent('filechooser')
  await place.getByText('Додати файли').click()
  const buffer = coloredPdf([
    [1, 0.9, 0.9],
    [0.9, 1, 0.9],
  ])
  await (await choosing).setFiles({ name: 'План.pdf', mimeType: 'application/pdf', buffer })
  await expect(place.getByText('завантажено')).toBeVisible()
  await place.getByRole('button', { name: 'Надіслати на перевірку' }).click()
  await expect(place.getByText('Надіслано, чекає на перевірку')).toBeVisible()
}

test('annotations of a curator on a PDF reach the student at their positions, on a phone too', async ({ page }) => {
  test.setTimeout(240_000)
  const given = await createTask(page)
  const student = await openPageAs(page, STUDENT)
  await student.setViewportSize(PHONE)
  await handInPdf(student, given)

  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', `/homework?course=${given.courseId}`))
  await curator.getByRole('link', { name: 'Олена Шевчук' }).click()
  await expect(curator.getByRole('button', { name: 'Завершити перевірку' })).toBeEnabled()
  await expect(curator.getByText('Сторінка 1 з 2')).toBeVisible()
  await curator.getByRole('button', { name: 'Наступна сторінка' }).click()
  await expect(curator.getByText('Сторінка 2 з 2')).toBeVisible()
  await curator.getByRole('button', { name: 'Точка' }).click()
  await curator.getByRole('button', { name: 'Поставити посередині' }).click()
  await curator.getByRole('textbox', { name: 'Коментар до позначки 1' }).fill('Тут бракує прикладу')
  await expect(curator.getByText(/^Збережено \d\d:\d\d$/)).toBeVisible()
  await curator.getByText('Повернути на доопрацювання').click()
  await curator.getByRole('button', { name: 'Завершити перевірку' }).click()
  await expect(curator.getByText('Повернуто: Олена Шевчук')).toBeVisible()
  await curator.context().close()

  await student.reload()
  const work = student.locator('[data-marks]')
  await work.scrollIntoViewIfNeeded()
  await expect(work.getByText('Сторінка 2 з 2')).toBeVisible()
  const sheet = work.getByRole('img', { name: 'План.pdf: сторінка 2 з 2' })
  const mark = work.getByRole('button', { name: 'Позначка 1: Тут бракує прикладу' })
  await expect(mark).toBeVisible()
  await expect(sheet).toBeVisible()
  // The page has the ratio of the PDF: 16 to 9.
  await expect.poll(async () => placeOn(sheet, mark)).toEqual({ x: 0.5, y: 0.5, shape: 1.78 })
  expect(await student.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)

  // From the list to the annotation on another page, and back, by keyboard.
  await work.getByRole('button', { name: 'Попередня сторінка' }).click()
  await expect(work.getByText('Сторінка 1 з 2')).toBeVisible()
  await expect(mark).toBeHidden()
  await work.getByRole('button', { name: 'Показати позначку 1 на сторінці 2' }).press('Enter')
  await expect(mark).toBeFocused()
  await mark.press('Enter')
  await expect(work.getByText('Тут бракує прикладу')).toBeFocused()
  await expectAccessible(student)
  await student.context().close()
})

/** The center of an annotation in shares of the page, and the page's ratio. */
async function placeOn(sheet: ReturnType<Page['locator']>, mark: ReturnType<Page['locator']>) {
  const [page, button] = [await sheet.boundingBox(), await mark.boundingBox()]
  if (!page || !button) return null
  const share = (value: number) => Math.round(value * 100) / 100
  return {
    x: share((button.x + button.width / 2 - page.x) / page.width),
    y: share((button.y + button.height / 2 - page.y) / page.height),
    shape: share(page.width / page.height),
  }
}
