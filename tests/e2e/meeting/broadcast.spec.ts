import type { Page } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from '../../../scripts/test/browser.ts'
import {
  broadcastTestUrl,
  cameraVideo,
  publisherPanel,
  uniqueRoom as room,
  startPublishing,
  waitForFrames,
} from '../support/broadcast.ts'
import { expect, test } from '../support/test.ts'

const LOUD = '--autoplay-policy=no-user-gesture-required'
const DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
const executablePath = findBrowser()
test.use({ launchOptions: { args: [...BROWSER_FLAGS, ...DEVICES, LOUD], ...(executablePath && { executablePath }) } })

/** Returns the maximum sound level within some seconds: the fake microphone beeps once a second. */
const loudest = (page: Page): Promise<number> =>
  cameraVideo(page).evaluate(async (video: HTMLVideoElement & { captureStream(): MediaStream }) => {
    const context = new AudioContext()
    const analyser = new AnalyserNode(context)
    context.createMediaStreamSource(video.captureStream()).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let most = 0
    for (let turn = 0; turn < 150 && most < 0.01; turn++) {
      analyser.getFloatTimeDomainData(samples)
      most = Math.max(most, ...samples.map(Math.abs))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await context.close()
    return most
  })

test('a viewer sees and hears the presenter, also after the presenter reloads', async ({ page, context }) => {
  const name = room()
  await startPublishing(page, name)
  const viewer = await context.newPage()
  await viewer.goto(broadcastTestUrl(name))
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'webrtc')
  await waitForFrames(viewer)
  expect(await loudest(viewer)).toBeGreaterThan(0.01)
  await page.reload()
  await expect(publisherPanel(page)).toHaveAttribute('data-state', 'live')
  await waitForFrames(viewer)
  await page.getByRole('button', { name: 'Завершити ефір' }).click()
  await expect(cameraVideo(viewer)).toHaveAttribute('data-state', 'waiting', { timeout: 15_000 })
})

test('a browser without WebRTC plays the stream by HLS with some latency', async ({ page, browser }) => {
  const name = room()
  await startPublishing(page, name)
  const viewer = await browser.newPage()
  await viewer.addInitScript(() => {
    Object.defineProperty(window, 'RTCPeerConnection', { value: undefined })
  })
  await viewer.goto(broadcastTestUrl(name))
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'hls', { timeout: 20_000 })
  await waitForFrames(viewer, 30)
  expect(await loudest(viewer)).toBeGreaterThan(0.01)
  await expect.poll(async () => Number(await cameraVideo(viewer).getAttribute('data-latency'))).toBeGreaterThan(0.5)
  expect(Number(await cameraVideo(viewer).getAttribute('data-latency'))).toBeLessThan(10)
  await page.reload()
  await expect(publisherPanel(page)).toHaveAttribute('data-state', 'live')
  await waitForFrames(viewer, 60)
  await viewer.close()
})

test('a viewer over the SFU limit plays by HLS, and by WebRTC when there is capacity', async ({ page, browser }) => {
  const name = room()
  await startPublishing(page, name)
  const viewer = await browser.newPage()
  const full = { status: 503, contentType: 'application/json', body: '{"code":"broadcast_full"}' }
  await viewer.route('**/whep/**', (route) => route.fulfill(full))
  // Viewers wait half a minute.
  await viewer.goto(broadcastTestUrl(name, '&back=2000'))
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'hls', { timeout: 20_000 })
  await waitForFrames(viewer)
  await viewer.unroute('**/whep/**')
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'webrtc', { timeout: 20_000 })
  await expect(cameraVideo(viewer)).toHaveAttribute('data-latency', '')
  await waitForFrames(viewer)
  await viewer.close()
})

test('a viewer reconnects after a network interruption', async ({ page, browser }) => {
  const name = room()
  await startPublishing(page, name)
  const context = await browser.newContext()
  const viewer = await context.newPage()
  await viewer.addInitScript(() => {
    const lines: RTCPeerConnection[] = []
    const Original = RTCPeerConnection
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        lines.push(this)
      }
    }
    window.addEventListener('offline', () => {
      for (const line of lines) line.close()
    })
  })
  await viewer.goto(broadcastTestUrl(name))
  await waitForFrames(viewer)
  await context.setOffline(true)
  await expect(cameraVideo(viewer)).toHaveAttribute('data-state', 'lost')
  await context.setOffline(false)
  await expect(cameraVideo(viewer)).toHaveAttribute('data-state', 'playing')
  await waitForFrames(viewer)
  await context.close()
})

test('a viewer can switch to sound only, and back to video', async ({ page, browser }) => {
  const name = room()
  await startPublishing(page, name)
  const viewer = await browser.newPage()
  await viewer.goto(broadcastTestUrl(name))
  await waitForFrames(viewer)
  await viewer.getByRole('button', { name: 'Лише звук' }).click()
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'audio')
  const tracks = () =>
    cameraVideo(viewer).evaluate((video: HTMLVideoElement) =>
      video.srcObject instanceof MediaStream ? video.srcObject.getTracks().map(({ kind }) => kind) : [],
    )
  expect(await tracks()).toEqual(['audio'])
  expect(await loudest(viewer)).toBeGreaterThan(0.01)
  await viewer.getByRole('button', { name: 'Лише звук' }).click()
  await expect(cameraVideo(viewer)).toHaveAttribute('data-mode', 'webrtc')
  await waitForFrames(viewer)
  await viewer.close()
})

test('the camera can be switched off and on while publishing', async ({ page, context }) => {
  const name = room()
  await startPublishing(page, name)
  const viewer = await context.newPage()
  await viewer.goto(broadcastTestUrl(name))
  await waitForFrames(viewer)
  const pictures = () =>
    publisherPanel(page)
      .locator('video')
      .evaluate((video: HTMLVideoElement) =>
        video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks().length : 0,
      )
  await page.getByRole('button', { name: 'Камера' }).click()
  await expect.poll(pictures).toBe(0)
  await page.getByRole('button', { name: 'Камера' }).click()
  await expect.poll(pictures).toBe(1)
  await waitForFrames(viewer)
  await expect(publisherPanel(page)).toHaveAttribute('data-state', 'live')
})
