import { Buffer } from 'node:buffer'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from '../../../scripts/test/browser.ts'
import { addressOf } from './address.ts'
import { callApi } from './homework.ts'
import { getSignInCookies, staffEmail } from './sign-in.ts'
import { getAuthToken, uploadBytes } from './storage.ts'

const executablePath = findBrowser()

/** Browser with a fake camera and microphone, without permission prompts. */
export const WITH_DEVICES = {
  permissions: ['camera', 'microphone'],
  launchOptions: {
    args: [...BROWSER_FLAGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    ...(executablePath ? { executablePath } : {}),
  },
}

export interface EventFixture {
  workshopId: string
  title: string
  /** URL of the room. */
  roomUrl: string
}

/** Creates a published webinar with slides, a button and a poll, as the owner of the demo school. */
export async function createEvent(owner: Page, more: Record<string, unknown> = {}): Promise<EventFixture> {
  await owner.context().addCookies(await getSignInCookies(owner, staffEmail('owner')))
  await owner.goto(addressOf('demo', '/'))
  const title = `Ефір ${Date.now()}`
  const authToken = await getAuthToken(owner, staffEmail('owner'))
  const slidesFileId = await uploadBytes(
    authToken,
    `Слайди ${Date.now()}.pdf`,
    createSlidesPdf(['First', 'Second', 'Third']),
  )
  const { workshopId = '' } = await callApi(owner, 'workshop/create', {
    type: 'webinar',
    title,
    timeZone: 'Europe/Kyiv',
    access: 'open',
    slidesFileId,
    startAt: new Date(Date.now() + 3_600_000).toISOString(),
    ...more,
  })
  await callApi(owner, 'workshop/saveSettings', { workshopId, settings: { record: false, captions: 'typed' } })
  const items = [
    { kind: 'button', content: { label: 'Хочу на курс', url: 'https://example.org/course' } },
    { kind: 'poll', content: { question: 'Чи все зрозуміло?', options: ['Так', 'Ні'] } },
  ]
  for (const item of items) await callApi(owner, 'workshop/addItem', { workshopId, ...item })
  await callApi(owner, 'workshop/publish', { workshopId })
  return { workshopId, title, roomUrl: addressOf('demo', `/meeting/join/${workshopId}`) }
}

/** Joins an event as a guest in a new browser context. */
export async function joinInNewContext(browser: Browser, event: EventFixture, name: string, look: object = {}) {
  const context = await browser.newContext({ locale: 'uk-UA', timezoneId: 'Europe/Kyiv', ...look })
  return { page: await joinAsGuest(context, event, name), context }
}

/** Joins an event as a guest with this name. */
export async function joinAsGuest(context: BrowserContext, { roomUrl }: EventFixture, name: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(roomUrl)
  await page.getByLabel('Ваше ім’я').fill(name)
  await page.getByRole('button', { name: 'Увійти' }).click()
  await waitForRoom(page)
  return page
}

/** Waits until the room is hydrated. */
export async function waitForRoom(page: Page): Promise<void> {
  await page.locator('[data-room][data-ready]').waitFor()
}

/** Confirms the device check and waits until the stream is live. */
export async function enterStage(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Увімкнути(?: й вийти на сцену)?$/ }).click()
  await expect(page.locator('[data-sending="live"]')).toBeAttached({ timeout: 20_000 })
}

/**
 * Ends the event for everybody by the host's keyboard, and waits until the host reads that it ended. Each test ends its
 * event: the tenant's plan limits the number of live ones.
 */
export async function finishEvent(host: Page): Promise<void> {
  await host.keyboard.press('g')
  await host.getByRole('button', { name: 'Завершити для всіх' }).click()
  await expect(host.getByText('Ефір завершено. Дякуємо!')).toBeVisible()
}

/** Clicks the button that unblocks sound after the browser's autoplay policy has muted it. */
export async function unblockSound(page: Page): Promise<void> {
  const button = page.locator('.stage-over').getByRole('button', { name: 'Увімкнути звук' })
  await button.click({ timeout: 20_000 })
  await expect(button).toBeHidden()
}

/**
 * Opens the same address again with an autoplay policy that blocks sound before a user gesture, as on phones. Headless
 * browsers have no such policy.
 */
export async function reopenWithAutoplayBlock(page: Page): Promise<Page> {
  const again = await page.context().newPage()
  await again.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    let pressed = false
    addEventListener('pointerdown', () => (pressed = true), { capture: true })
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (this.muted || pressed) return play.call(this)
      return Promise.reject(new DOMException('press something first', 'NotAllowedError'))
    }
  })
  await again.goto(page.url())
  await page.close()
  await waitForRoom(again)
  return again
}

/** Expects this many new frames of the received video; a frozen picture has none. */
export async function expectFrames(page: Page, frames = 5): Promise<void> {
  await page.locator('video[data-watching]').first().waitFor({ state: 'attached' })
  const seen = await page.evaluate(
    (expected) =>
      new Promise<number>((resolve) => {
        let count = 0
        const late = setTimeout(() => resolve(count), 20_000)
        const hang = (): void => {
          const video = document.querySelector<HTMLVideoElement>('video[data-watching]')
          if (!video) return void setTimeout(hang, 100)
          video.requestVideoFrameCallback(() => {
            count += 1
            if (count < expected) return hang()
            clearTimeout(late)
            resolve(count)
          })
        }
        hang()
      }),
    frames,
  )
  expect(seen).toBeGreaterThanOrEqual(frames)
}

/** Expects audible, unmuted sound in the received stream. */
export async function expectSound(page: Page): Promise<void> {
  const loudest = await page.evaluate(async () => {
    const video = document.querySelector<HTMLVideoElement>('video[data-watching]')
    if (!(video?.srcObject instanceof MediaStream) || video.muted) return -1
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(video.srcObject).connect(analyser)
    const wave = new Float32Array(analyser.fftSize)
    return new Promise<number>((resolve) => {
      const until = Date.now() + 15_000
      const listen = (): void => {
        analyser.getFloatTimeDomainData(wave)
        const level = Math.max(...wave.map(Math.abs))
        if (level > 0.01 || Date.now() > until) resolve(level)
        else setTimeout(listen, 50)
      }
      listen()
    })
  })
  expect(loudest).toBeGreaterThan(0.01)
}

export const closeContexts = (...contexts: BrowserContext[]) => Promise.all(contexts.map((context) => context.close()))

/** Creates a PDF with a 16:9 page for each word. */
function createSlidesPdf(words: string[]): Buffer<ArrayBuffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${words.map((_, index) => `${4 + index * 2} 0 R`).join(' ')}] /Count ${words.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...words.flatMap((word, index) => {
      const text = `BT /F1 48 Tf 80 250 Td (${word}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((body, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  const count = objects.length + 1
  file += `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
