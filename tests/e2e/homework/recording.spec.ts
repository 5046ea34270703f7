import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callApi, createTask, openPageAs, type TaskFixture } from '../support/homework.ts'
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

  const curator = await openReview(page, given)
  await expect(curator.getByText(/^Відео з камери \d{4}-\d\d-\d\d \d\d-\d\d\.(mp4|webm)$/)).toBeVisible()
  await curator.getByRole('button', { name: 'Дивитися' }).press('Enter')
  const video = curator.locator('video')
  await expect.poll(() => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)).toBeGreaterThan(0.2)
  await student.context().close()
  await curator.context().close()
})

test('a recording of more than 16 MB is submitted complete although the network was lost while it was recorded', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const given = await createTask(page, { type: 'video', title: 'Запишіть довгу відповідь' })
  const student = await openPageAs(page, STUDENT)
  await recordNoise(student)
  await student.goto(addressOf('go', `/course/lesson/${given.lessonId}`))
  const place = student.locator('[data-homework]')
  const press = (name: string) => place.getByRole('button', { name, exact: true }).click()
  const partSent = () =>
    student.waitForResponse((response) => response.request().method() === 'PUT' && response.ok(), { timeout: 60_000 })

  await press('Записати відео')
  await press('Записати з камери')
  const firstPart = partSent()
  await press('Почати запис')
  await firstPart
  await student.context().setOffline(true)
  await expect(place.getByText('Мережі немає. Запис триває на цьому пристрої')).toBeVisible({ timeout: 60_000 })
  await expect.poll(async () => (await readRecorded(student)).size, { timeout: 60_000 }).toBeGreaterThan(17 * MEGABYTE)
  const secondPart = partSent()
  await student.context().setOffline(false)
  await secondPart
  await expect(place.getByText('Мережі немає.')).toHaveCount(0)
  await press('Завершити запис')
  await expect(place.getByLabel('Готовий запис')).toBeVisible()
  const recorded = await readRecorded(student)
  await press('Додати до відповіді')
  await expect(place.getByText('завантажено', { exact: true })).toBeVisible({ timeout: 60_000 })
  await press('Надіслати на перевірку')
  await expect(place.getByText('Надіслано, чекає на перевірку')).toBeVisible()

  const curator = await openReview(page, given)
  const download = curator.waitForEvent('download')
  await curator.getByRole('link', { name: /^Завантажити.*Відео з камери/ }).click()
  const received = await readFile(await (await download).path())
  expect({ size: received.length, hash: createHash('sha256').update(received).digest('hex') }).toEqual(recorded)
  expect(received.length).toBeGreaterThan(16 * MEGABYTE)
  await student.context().close()
  await curator.context().close()
})

const MEGABYTE = 1024 * 1024

/** Replaces the camera of a page by noise with a high bit rate, so that a recording grows by megabytes per second. */
const recordNoise = (student: Page): Promise<unknown> =>
  student.addInitScript(() => {
    const chunks: Blob[] = []
    Reflect.set(window, 'chunks', chunks)
    const { getUserMedia } = navigator.mediaDevices
    navigator.mediaDevices.getUserMedia = async function (constraints) {
      const stream: MediaStream = await Reflect.apply(getUserMedia, this, [constraints])
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      const context = canvas.getContext('2d')
      const picture = new ImageData(640, 480)
      const bytes = new Uint8Array(picture.data.buffer)
      const paint = () => {
        for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
        for (let at = 3; at < bytes.length; at += 4) bytes[at] = 255
        context?.putImageData(picture, 0, 0)
      }
      setInterval(paint, 66)
      return new MediaStream([...canvas.captureStream(15).getVideoTracks(), ...stream.getAudioTracks()])
    }
    window.MediaRecorder = class extends MediaRecorder {
      constructor(stream: MediaStream, options?: MediaRecorderOptions) {
        super(stream, { ...options, videoBitsPerSecond: 40_000_000 })
        this.addEventListener('dataavailable', ({ data }) => chunks.push(data))
      }
    }
  })

/** Size and SHA-256 of the recording in the browser. */
const readRecorded = (student: Page): Promise<{ size: number; hash: string }> =>
  student.evaluate(async () => {
    const all = new Blob(Reflect.get(window, 'chunks'))
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await all.arrayBuffer()))
    return { size: all.size, hash: [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
  })

/** Opens the only submission of a task as the curator. */
async function openReview(page: Page, { courseId }: TaskFixture): Promise<Page> {
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/homework'))
  const { items } = await callApi<{ items: { id: string }[] }>(curator, 'homework/listQueue', { courseId })
  expect(items).toHaveLength(1)
  await curator.goto(addressOf('demo', `/homework/${items[0]?.id}`))
  return curator
}
