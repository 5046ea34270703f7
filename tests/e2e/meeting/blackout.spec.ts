import type { Page } from '@playwright/test'
import {
  closeContexts,
  createEvent,
  enterStage,
  expectFrames,
  expectSound,
  finishEvent,
  joinAsGuest,
  WITH_DEVICES,
  waitForRoom,
} from '../support/meeting.ts'
import { connectThroughRelay } from '../support/network.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(240_000)
// Runs alone: other tests would reduce the available bandwidth.
test.describe.configure({ mode: 'default' })

const THIN = 150_000
const lossNotice = (page: Page) => page.getByRole('status').filter({ hasText: 'Слабка мережа: звук і слайди' })
const picture = (page: Page) => page.locator('video[data-watching]')

test('with low bandwidth sound and slides continue, and the video returns automatically', async ({
  page: host,
  browser,
}) => {
  const event = await createEvent(host)
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await enterStage(host)
  await host.keyboard.press('g')

  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  const relay = await connectThroughRelay(context)
  const viewer = await joinAsGuest(context, event, 'Марко')
  await expectFrames(viewer, 30)
  await expect(lossNotice(viewer)).toHaveCount(0)

  relay.setConditions({ bitsPerSecond: THIN })
  await expect(lossNotice(viewer)).toBeVisible({ timeout: 30_000 })
  await expect(picture(viewer)).toHaveAttribute('data-mode', 'audio', { timeout: 15_000 })
  await expectSound(viewer)
  await host.keyboard.press('ArrowRight')
  await expect(viewer.locator('.stage-content canvas')).toHaveAttribute('data-page', '2')
  await expectAccessible(viewer)

  // A trial finds the bandwidth unchanged; the viewer's audio continues.
  const lost = relay.lost()
  await expect.poll(relay.lost, { timeout: 40_000 }).toBeGreaterThan(lost + 50)
  await expect(lossNotice(viewer)).toBeVisible()
  await expectSound(viewer)

  relay.setConditions({ bitsPerSecond: null })
  await expect(lossNotice(viewer)).toHaveCount(0, { timeout: 90_000 })
  await expect(picture(viewer)).toHaveAttribute('data-mode', 'webrtc')
  await expectFrames(viewer, 30)
  await expectSound(viewer)
  await finishEvent(host)
  await closeContexts(context)
})
