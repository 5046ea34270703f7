import type { Browser } from '@playwright/test'
import {
  broadcastTestUrl,
  cameraVideo,
  publisherPanel,
  startPublishing,
  uniqueRoom,
  waitForFrames,
} from './support/broadcast.ts'
import {
  closeContexts,
  createEvent,
  enterStage,
  expectFrames,
  finishEvent,
  joinInNewContext,
  WITH_DEVICES,
  waitForRoom,
} from './support/meeting.ts'
import {
  connectThroughRelay,
  countConnections,
  loseNetwork,
  readVideoStats,
  restoreNetwork,
} from './support/network.ts'
import { expect, test } from './support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(120_000)
test.describe.configure({ mode: 'default' })

/** A publishing presenter and a viewer, each with a simulated network. */
async function onAir(browser: Browser) {
  const name = uniqueRoom()
  const [near, far] = [await person(browser), await person(browser)]
  await startPublishing(near.page, name)
  await far.page.goto(broadcastTestUrl(name))
  await waitForFrames(far.page)
  return { presenter: near, viewer: far, end: () => closeContexts(near.context, far.context) }
}

async function person(browser: Browser) {
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
  const relay = await connectThroughRelay(context)
  return { context, relay, page: await context.newPage() }
}

test('the video plays with 5 % packet loss in both directions', async ({ browser }) => {
  const { presenter, viewer, end } = await onAir(browser)
  for (const { relay } of [presenter, viewer]) relay.setConditions({ loss: 0.05 })
  const before = await readVideoStats(viewer.page)
  await waitForFrames(viewer.page, 200)
  const after = await readVideoStats(viewer.page)
  const lost = viewer.relay.lost()
  expect(lost).toBeGreaterThan(10)
  expect(presenter.relay.lost()).toBeGreaterThan(10)
  expect(after.asked).toBeGreaterThan(before.asked)
  expect(after.lost - before.lost).toBeLessThan(lost / 4)
  await end()
})

test('a presenter publishes again after a network interruption, and viewers see it', async ({ browser }) => {
  const { presenter, viewer, end } = await onAir(browser)
  await loseNetwork(presenter.context, presenter.relay)
  await expect(publisherPanel(presenter.page)).toHaveAttribute('data-state', 'reconnecting', { timeout: 20_000 })
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', /waiting|lost/)
  await restoreNetwork(presenter.context, presenter.relay)
  await expect(publisherPanel(presenter.page)).toHaveAttribute('data-state', 'live', { timeout: 20_000 })
  await waitForFrames(viewer.page)
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', 'playing')
  await end()
})

test('a viewer plays again after a network interruption', async ({ browser }) => {
  const { viewer, end } = await onAir(browser)
  await loseNetwork(viewer.context, viewer.relay)
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', 'lost', { timeout: 20_000 })
  await restoreNetwork(viewer.context, viewer.relay)
  await waitForFrames(viewer.page)
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', 'playing')
  await end()
})

test('a media connection that is cut without an event of the browser is restored', async ({ browser }) => {
  const { presenter, viewer, end } = await onAir(browser)
  for (const { relay } of [presenter, viewer]) relay.setConditions({ isCut: true })
  await expect(publisherPanel(presenter.page)).toHaveAttribute('data-state', 'reconnecting', { timeout: 20_000 })
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', 'lost', { timeout: 20_000 })
  for (const { relay } of [presenter, viewer]) relay.setConditions({ isCut: false })
  await expect(publisherPanel(presenter.page)).toHaveAttribute('data-state', 'live', { timeout: 20_000 })
  await waitForFrames(viewer.page)
  await end()
})

test('presenter and viewer continue after a change of their IP addresses', async ({ browser }) => {
  const { presenter, viewer, end } = await onAir(browser)
  const both = () => Promise.all([countConnections(presenter.page), countConnections(viewer.page)])
  await viewer.relay.changeAddress()
  await presenter.relay.changeAddress()
  // ICE detects such a change late: both connections are restarted.
  for (const at of [0, 1]) await expect.poll(async () => (await both())[at], { timeout: 40_000 }).toBeGreaterThan(1)
  await waitForFrames(viewer.page, 60)
  await expect(publisherPanel(presenter.page)).toHaveAttribute('data-state', 'live')
  await expect(cameraVideo(viewer.page)).toHaveAttribute('data-state', 'playing')
  await end()
})

test('a room waits for a disconnected presenter and is unchanged after the reconnection', async ({
  page: host,
  browser,
}) => {
  const event = await createEvent(host)
  const relay = await connectThroughRelay(host.context())
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await enterStage(host)
  await host.keyboard.press('g')
  await host.keyboard.press('2')
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  await expectFrames(viewer)

  await loseNetwork(host.context(), relay)
  await expect(host.locator('[data-sending]')).toHaveAttribute('data-sending', 'reconnecting', { timeout: 20_000 })
  await expect(viewer.locator('.tile-state')).toBeVisible({ timeout: 20_000 })
  await expect(viewer.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  await viewer.keyboard.press('h')
  await expect(viewer.getByRole('button', { name: 'Опустити руку' })).toBeVisible()

  await restoreNetwork(host.context(), relay)
  await expect(host.locator('[data-sending]')).toHaveAttribute('data-sending', 'live', { timeout: 20_000 })
  await expect(viewer.locator('.tile-state')).toHaveCount(0)
  await expectFrames(viewer, 20)
  // Events of the interruption have arrived, and settings are unchanged.
  await host.keyboard.press('h')
  await expect(host.getByRole('button', { name: 'Запросити на сцену' })).toBeVisible()
  for (const page of [host, viewer]) await expect(page.locator('.stage')).toHaveAttribute('data-mode', 'preview')
  await finishEvent(host)
  await closeContexts(context)
})
