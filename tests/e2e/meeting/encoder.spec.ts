import type { Page } from '@playwright/test'
import { startRtpPublisher } from '../../setup/media/rtp-publisher.ts'
import { publishByWhip } from '../../setup/media/whip-publisher.ts'
import {
  createEvent,
  expectFrames,
  expectSound,
  finishEvent,
  joinInNewContext,
  WITH_DEVICES,
  waitForRoom,
} from '../support/meeting.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(120_000)

test('a new encoder key and the revocation of a key are confirmed first, since they end the stream', async ({
  page,
}) => {
  const { roomUrl } = await createEvent(page)
  await page.goto(roomUrl)
  await waitForRoom(page)
  await page.getByRole('button', { name: 'Пропустити' }).click()
  await page.keyboard.press('d')
  await page.getByRole('button', { name: 'Створити адресу й ключ' }).click()
  const token = page.getByLabel('Ключ (Bearer token)')
  await expect(token).not.toHaveValue('')
  const first = await token.inputValue()

  await page.getByRole('button', { name: 'Новий ключ' }).click()
  const question = page.getByRole('dialog', { name: 'Створити новий ключ?' })
  await expect(question).toContainText('трансляція з неї обірветься')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await page.reload()
  await waitForRoom(page)
  await page.keyboard.press('d')
  await expect(token).toHaveValue(first)

  await page.getByRole('button', { name: 'Новий ключ' }).click()
  await question.getByRole('button', { name: 'Новий ключ' }).click()
  await expect(token).not.toHaveValue(first)

  await page.getByRole('button', { name: 'Відкликати ключ' }).click()
  const revocation = page.getByRole('dialog', { name: 'Відкликати ключ?' })
  await revocation.getByRole('button', { name: 'Скасувати' }).click()
  await expect(token).not.toHaveValue('')
  await page.getByRole('button', { name: 'Відкликати ключ' }).click()
  await revocation.getByRole('button', { name: 'Відкликати ключ' }).click()
  await expect(page.getByRole('button', { name: 'Створити адресу й ключ' })).toBeVisible()
})

/** Distinct colors of a grid of points of the picture that is received from an encoder on the stage. */
const countColors = (page: Page): Promise<number> =>
  page.locator('.stage video[data-watching$="-encoder"]').evaluate((video: HTMLVideoElement) => {
    const [canvas, size] = [document.createElement('canvas'), 16]
    canvas.width = canvas.height = size
    const drawing = canvas.getContext('2d')
    drawing?.drawImage(video, 0, 0, size, size)
    const pixels = drawing?.getImageData(0, 0, size, size).data ?? new Uint8ClampedArray()
    const colors = Array.from({ length: size * size }, (_, nth) => pixels.slice(nth * 4, nth * 4 + 3).join())
    return new Set(colors).size
  })

test('an encoder on the stage is seen and heard by host and viewer, alone and next to a camera', async ({
  page,
  browser,
}) => {
  const event = await createEvent(page)
  await page.goto(event.roomUrl)
  await waitForRoom(page)
  await page.getByRole('button', { name: 'Пропустити' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByRole('button', { name: 'Створити адресу й ключ' }).click()
  const address = page.getByLabel('Адреса сервера (WHIP)')
  await expect(address).toHaveValue(/whip/)
  const { port, pathname } = new URL(await address.inputValue())
  const source = await startRtpPublisher({ codec: 'H264' })
  const stop = await publishByWhip(source, {
    url: `http://127.0.0.1:${port}${pathname}`,
    token: await page.getByLabel('Ключ (Bearer token)').inputValue(),
  })
  await page.getByRole('button', { name: 'Вивести на сцену' }).click()

  const phone = { viewport: { width: 390, height: 844 } }
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Глядачка', phone)
  await expectFrames(viewer)
  await expectSound(viewer)
  for (const person of [page, viewer]) await expect.poll(() => countColors(person)).toBeGreaterThan(20)

  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await expect(viewer.locator('.stage video[data-watching]')).toHaveCount(2)
  await expect.poll(() => countColors(viewer)).toBeGreaterThan(20)
  await expect(viewer.locator('.stage video[data-watching$="-encoder"]')).toBeInViewport({ ratio: 1 })
  await finishEvent(page)
  stop()
  await source.end()
  await context.close()
})
