import type { Page } from '@playwright/test'
import { type Product, startProduct } from '../../setup/product.ts'
import { AI_KEY, type AiServer, startAiServer } from '../../setup/servers/ai-server.ts'
import { callApi } from '../support/homework.ts'
import {
  closeContexts,
  createEvent,
  enterStage,
  expectFrames,
  expectSound,
  finishEvent,
  joinInNewContext,
  WITH_DEVICES,
  waitForRoom,
} from '../support/meeting.ts'
import { expect, test } from '../support/test.ts'

/*
 * An installation with a speech recognition service whose SFU accepts one subscriber.
 */
test.use(WITH_DEVICES)
test.setTimeout(180_000)
test.describe.configure({ mode: 'default' })

let ai: AiServer
let product: Product
let usual: string | undefined
test.beforeAll(async () => {
  test.setTimeout(120_000)
  ai = await startAiServer()
  product = await startProduct({ env: { AI_BASE_URL: ai.url, AI_API_KEY: AI_KEY, BROADCAST_VIEWERS: '1' } })
  usual = process.env.E2E_ORIGIN
  process.env.E2E_ORIGIN = product.addressOf(null, '')
})
test.afterAll(async () => {
  process.env.E2E_ORIGIN = usual
  await product?.stop()
  await ai?.stop()
})

async function onAir(host: Page, settings: object = {}) {
  const event = await createEvent(host)
  await callApi(host, 'workshop/saveSettings', { workshopId: event.workshopId, settings })
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await enterStage(host)
  await host.keyboard.press('g')
  return event
}

test('speech of the presenter and captions typed by staff are shown under the video', async ({
  page: host,
  browser,
}) => {
  ai.transcript = [{ start: 0.2, end: 2, text: ' Добрий день, <друзі>.' }]
  const event = await onAir(host, { captions: 'automatic' })
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  const lines = viewer.locator('[data-captions]')
  await expect(lines).toContainText('Добрий день, <друзі>.', { timeout: 30_000 })
  const [heard] = ai.requests.filter(({ path }) => path.endsWith('/audio/transcriptions'))
  expect(heard).toMatchObject({
    key: AI_KEY,
    fields: { language: 'uk', file: expect.stringMatching(/^sound\.webm \d{4,}$/) },
  })

  await host.keyboard.press('y')
  await host.getByRole('textbox', { name: 'Рядок субтитрів' }).fill('Запитання з чату')
  await host.keyboard.press('Enter')
  await expect(lines).toContainText('Запитання з чату')

  await host.keyboard.press('Escape')
  await finishEvent(host)
  await viewer.waitForURL(/\/meeting\/finished/)
  await closeContexts(context)
})

test('a viewer over the SFU limit plays by HLS, and by WebRTC as soon as there is capacity', async ({
  page: host,
  browser,
}) => {
  const event = await onAir(host)
  const { page: first, context } = await joinInNewContext(browser, event, 'Перша')
  const picture = (page: Page) => page.locator('video[data-watching]')
  await expect(picture(first)).toHaveAttribute('data-mode', 'webrtc')
  await expectFrames(first)

  const { page: second, context: other } = await joinInNewContext(browser, event, 'Другий')
  await expect(picture(second)).toHaveAttribute('data-mode', 'hls', { timeout: 40_000 })
  await expect(second.locator('.tile-behind')).toHaveText(/^Із затримкою \d+ секунд/)
  await expectFrames(second, 20)
  await host.keyboard.press('ArrowRight')
  await expect(second.locator('.stage-content canvas')).toHaveAttribute('data-page', '2')

  // Leaving the page frees the place at once; after a crash of the browser it would stay taken for 20 seconds.
  await first.goto('about:blank')
  await context.close()
  await expect(picture(second)).toHaveAttribute('data-mode', 'webrtc', { timeout: 60_000 })
  await expect(second.locator('.tile-behind')).toHaveCount(0)
  await expectFrames(second, 20)
  await expectSound(second)
  await finishEvent(host)
  await second.waitForURL(/\/meeting\/finished/)
  await closeContexts(other)
})
