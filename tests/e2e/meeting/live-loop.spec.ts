import { callApi } from '../support/homework.ts'
import {
  closeContexts,
  createEvent,
  enterStage,
  expectFrames,
  finishEvent,
  joinAsGuest,
  joinInNewContext,
  WITH_DEVICES,
  waitForRoom,
} from '../support/meeting.ts'
import { getAuthToken, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, staffEmail, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(300_000)

const BUTTON = 'Хочу на курс'

interface Figures {
  session: { videoFileId: string | null; videoOffsetMs: number }
  totals: { viewers: number; saw: number; clicks: number; messages: number; online: number }
  marks: { type: string; offsetMs: number }[]
}

/** Positions of the video in ms when a button was last seen hidden and first seen shown; null without a picture. */
interface ButtonPositions {
  before: number | null
  after: number | null
}

const TOLERANCE_MS = 250

/** Runs in the page from its beginning, because on a slow device the button may be shown before the test can look. */
function watchButton(label: string): void {
  let before: number | null = null
  const look = () => {
    const video = document.querySelector<HTMLVideoElement>('video[data-auto-video]')
    const hasPicture =
      video && !video.paused && !video.seeking && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
    const position = hasPicture ? video.currentTime * 1000 : null
    const isShown = [...document.querySelectorAll('[data-room] a')].some((link) => link.textContent?.includes(label))
    if (isShown) return void Object.assign(window, { buttonPositions: { before, after: position } })
    before = position
    requestAnimationFrame(look)
  }
  look()
}

test('a live event becomes a playable recording, an automated webinar with the same content, and matching statistics', async ({
  page: host,
  browser,
}) => {
  const event = await createEvent(host)
  const { workshopId } = event
  await callApi(host, 'workshop/saveSettings', { workshopId, settings: { record: true } })
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await enterStage(host)
  await host.keyboard.press('g')
  await expect(host.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  // A latecomer's video has to be loaded before the position of the button.
  await expectFrames(viewer, 120)

  await host.keyboard.press('l')
  await host.getByRole('button', { name: `Показати: ${BUTTON}` }).click()
  const offer = viewer.getByRole('link', { name: new RegExp(BUTTON) })
  await offer.evaluate((link) => link.addEventListener('click', (click) => click.preventDefault()))
  await offer.click()
  await expect(host.getByText('Побачили 1, натиснули 1')).toBeVisible()
  await expectFrames(viewer, 40)
  await host.keyboard.press('Escape')
  await finishEvent(host)
  await viewer.waitForURL(/\/meeting\/finished/)

  // The replay is available within a minute, before or with the recording.
  await expect(viewer.locator('[data-replay="ready"] video')).toBeAttached({ timeout: 60_000 })
  // The script is available at once, the recording later.
  const made = await callApi<{ workshopId: string }>(host, 'autowebinar/makeFromWebinar', { workshopId })
  const figures = () => callApi<Figures>(host, 'statistics/get', { workshopId })
  await expect.poll(async () => (await figures()).session.videoFileId, { timeout: 120_000 }).not.toBe(null)
  const { session, totals, marks } = await figures()
  expect(totals).toMatchObject({ viewers: 1, saw: 1, clicks: 1, messages: 0, online: 0 })
  await waitUntilEncoded(await getAuthToken(host, staffEmail('owner')), session.videoFileId ?? '')

  await viewer.reload()
  const replay = viewer.locator('video').first()
  await replay.evaluate((video: HTMLVideoElement) => {
    video.muted = true
    return video.play().catch(() => {})
  })
  await expect
    .poll(() => replay.evaluate((video: HTMLVideoElement) => video.currentTime), { timeout: 30_000 })
    .toBeGreaterThan(1)
  await expect(viewer.getByRole('figure', { name: 'Слайди' }).getByRole('img', { name: 'Слайди: 1' })).toBeVisible()

  const plan = await callApi<{ version: number }>(host, 'autowebinar/get', { workshopId: made.workshopId })
  const schedule = { zone: 'Europe/Kyiv', onDemand: true }
  await callApi(host, 'autowebinar/savePlan', { workshopId: made.workshopId, version: plan.version, schedule })
  await callApi(host, 'workshop/publish', { workshopId: made.workshopId })
  const roomUrl = addressOf('demo', `/meeting/join/${made.workshopId}`)
  const latecomer = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  await latecomer.addInitScript(watchButton, BUTTON)
  const later = await joinAsGuest(latecomer, { ...event, roomUrl }, 'Ганна')
  const seen = await later.waitForFunction(() => Reflect.get(window, 'buttonPositions'), null, { timeout: 60_000 })
  const { before, after } = (await seen.jsonValue()) as ButtonPositions
  const shownAt = (marks.find(({ type }) => type === 'button.show')?.offsetMs ?? Number.NaN) + session.videoOffsetMs
  expect(before).toBeLessThanOrEqual(shownAt + TOLERANCE_MS)
  expect(after).toBeGreaterThanOrEqual(shownAt - TOLERANCE_MS)
  expect(Number(after) - Number(before)).toBeLessThanOrEqual(2000)
  await closeContexts(context, latecomer)
})
