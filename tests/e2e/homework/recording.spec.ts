import { callApi, createTask, openPageAs } from '../support/homework.ts'
import { WITH_DEVICES } from '../support/meeting.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

test.use(WITH_DEVICES)

test('a student records, pauses, records again, reloads and submits a video; the curator plays it', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const given = await createTask(page, { type: 'video', title: 'Розкажіть про слухача' })
  const student = await openPageAs(page, STUDENT)
  await student.setViewportSize({ width: 390, height: 844 })
  await student.goto(addressOf('go', `/course/lesson/${given.lessonId}`))
  const place = student.locator('[data-homework]')
  const press = (name: string) => place.getByRole('button', { name, exact: true }).click()
  const timer = place.getByRole('timer')

  await press('Записати відео')
  await expect(place.getByRole('button', { name: 'Записати з камери' })).toBeFocused()
  await expect(place.getByText(/Запис — до .*приблизно/)).toBeVisible()
  await press('Записати з камери')
  await expect(place.getByRole('button', { name: 'Почати запис' })).toBeFocused()
  await press('Почати запис')
  await expect(timer).toHaveText('0:01')
  await press('Пауза')
  await expect(place.getByRole('status').filter({ hasText: 'Запис на паузі.' })).toBeAttached()
  await expectAccessible(student)
  await press('Продовжити')
  await press('Завершити запис')
  await expect(place.getByLabel('Готовий запис')).toBeVisible()
  await press('Надіслати на перевірку')
  await expect(place.getByRole('alert')).toContainText('Спершу завершіть запис')

  await press('Записати ще раз')
  await press('Почати запис')
  await expect(timer).toHaveText('0:02')
  await press('Завершити запис')
  await expect(place.getByLabel('Готовий запис')).toBeVisible()
  await student.reload()
  await expect(place.getByText('На цьому пристрої лишився запис').last()).toBeVisible()
  await expectAccessible(student)
  await press('Додати до відповіді')
  await expect(place.getByText('завантажено', { exact: true })).toBeVisible()
  await press('Надіслати на перевірку')
  await expect(place.getByText('Надіслано, чекає на перевірку')).toBeVisible()

  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/homework'))
  const { items } = await callApi<{ items: { id: string }[] }>(curator, 'homework/listQueue', {
    courseId: given.courseId,
  })
  expect(items).toHaveLength(1)
  await curator.goto(addressOf('demo', `/homework/${items[0]?.id}`))
  await expect(curator.getByText(/^Відео з камери \d{4}-\d\d-\d\d \d\d-\d\d\.(mp4|webm)$/)).toBeVisible()
  await curator.getByRole('button', { name: 'Дивитися' }).press('Enter')
  const video = curator.locator('video')
  await expect.poll(() => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)).toBeGreaterThan(0.2)
  await student.context().close()
  await curator.context().close()
})
