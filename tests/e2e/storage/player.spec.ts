import type { Locator, Page } from '@playwright/test'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { callStorageApi, getAuthToken, requestHost, uploadClip, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, STUDENT, staffEmail, test } from '../support/test.ts'

// One upload serves the whole file.
test.describe.configure({ mode: 'default' })

let expert: string
let video: PlaybackView
let song: PlaybackView

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  const page = await (await browser.newContext()).newPage()
  expert = await getAuthToken(page, staffEmail('expert'))
  const fileId = await uploadClip(expert, 'Вступна лекція.mp4', {
    size: '1280x720',
    rate: 10,
    seconds: 12,
    tone: 440,
    options: ['-g', '20', '-movflags', '+faststart'],
  })
  const songId = await uploadClip(expert, 'Подкаст.mp3', { tone: 330, seconds: 8 })
  await waitUntilEncoded(expert, fileId)
  for (const [lang, words] of Object.entries({ uk: 'Вітаю вас', en: 'Welcome' })) {
    await callStorageApi(expert, 'saveCaption', { fileId, lang, text: `WEBVTT\n\n00:00.000 --> 00:12.000\n${words}\n` })
  }
  const chapters = [
    { at: 0, title: 'Знайомство' },
    { at: 8, title: 'Запитання' },
  ]
  await callStorageApi(expert, 'saveChapters', { fileId, chapters })
  video = await waitUntilEncoded(expert, fileId)
  song = await waitUntilEncoded(expert, songId)
  await page.context().close()
})

let refused: string[]
test.beforeEach(async ({ page }) => {
  refused = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
  })
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
})
test.afterEach(() => expect(refused, 'what the policy refused').toEqual([]))

test('a video plays in its renditions, with sound, and is controlled by keys', async ({ page }) => {
  const player = await open(page, video)
  await player.getByRole('button', { name: 'Дивитися' }).press('Enter')
  await playsBeyond(player, 0.5)
  expect(await media(player, 'currentSrc')).toMatch(/^blob:/)
  await expect(player).toBeFocused()
  await page.keyboard.press('KeyK')
  expect(await media(player, 'paused')).toBe(true)
  await page.keyboard.press('Digit5')
  await expect.poll(() => media(player, 'currentTime')).toBeCloseTo(6, 0)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => media(player, 'currentTime')).toBeCloseTo(1, 0)
  await page.keyboard.press('Shift+Period')
  await expect(player.getByRole('status')).toHaveText('Швидкість 1,25×')
  await page.keyboard.press('ArrowDown')
  expect(await media(player, 'volume')).toBe(0.95)
  await page.keyboard.press('KeyM')
  expect(await media(player, 'muted')).toBe(true)
  await page.keyboard.press('KeyF')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('player')
  await page.keyboard.press('KeyF')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await page.reload()
  await page
    .getByRole('button', { name: /Дивитися|Продовжити/ })
    .first()
    .click()
  await expect.poll(() => media(player, 'playbackRate')).toBe(1.25)
  await expect.poll(() => media(player, 'volume')).toBe(0.95)
})

test('captions, quality, chapters and audio only are selected, without axe findings', async ({ page }) => {
  const player = await start(page, video)
  await player.getByRole('button', { name: 'Увімкнути субтитри' }).click()
  await expect.poll(() => cues(player)).toEqual(['uk: Вітаю вас'])
  await player.getByRole('button', { name: 'Налаштування' }).click()
  await player.getByLabel('Субтитри', { exact: true }).selectOption('Англійська')
  await expect.poll(() => cues(player)).toEqual(['en: Welcome'])
  const quality = player.getByLabel('Якість')
  await expect(quality.locator('option')).toHaveText([/^Авто/, '720p', '360p'])
  await quality.selectOption('360p')
  await expectAccessible(page)
  await player.getByLabel('Лише звук, без відео').check()
  await expect(player.getByText('Лише звук', { exact: true })).toBeVisible()
  await expect.poll(() => media(player, 'videoWidth')).toBe(0)
  await expect.poll(() => media(player, 'readyState')).toBeGreaterThan(2)
  await player.getByLabel('Лише звук, без відео').uncheck()
  await expect.poll(() => media(player, 'videoWidth')).toBe(640)
  await page.keyboard.press('Escape')
  await expect(player.getByRole('button', { name: 'Налаштування' })).toBeFocused()
  await player.getByRole('button', { name: 'Розділи' }).click()
  await player.getByRole('button', { name: 'Запитання' }).click()
  await expect.poll(() => media(player, 'currentTime')).toBeGreaterThanOrEqual(8)
  await player.locator('.player-scrub').hover()
  await expect(player.locator('.player-tile')).toBeVisible()
})

test('resumes at the last position, also on another device, and restarts after it was watched to the end', async ({
  page,
}) => {
  const player = await start(page, video)
  await page.keyboard.press('Digit5')
  await playsBeyond(player, 6.5)
  await page.reload()
  await expect(player.getByRole('button', { name: /Продовжити з 0:0[67]/ })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await player.getByRole('button', { name: /Продовжити з 0:0[67]/ }).click()
  await playsBeyond(player, 6)
  await expect(player.getByText(/Продовжуємо з 0:0[67]/)).toBeVisible()
  await page.keyboard.press('End')
  await expect.poll(() => media(player, 'ended')).toBe(true)
  await page.reload()
  await expect(player.getByRole('button', { name: 'Дивитися' })).toBeVisible()
})

test('the original plays by ranges until renditions exist', async ({ page }) => {
  const ranges: number[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('/original.mp4')) ranges.push(answer.status())
  })
  await rewrite(page, { hls: null, sound: null })
  const player = await start(page, video)
  expect(await media(player, 'currentSrc')).toContain('/original.mp4')
  await page.keyboard.press('Digit5')
  await playsBeyond(player, 6.2)
  expect(ranges.length).toBeGreaterThan(0)
  expect(ranges.every((status) => status === 206)).toBe(true)
})

test('audio plays', async ({ page }) => {
  const player = await open(page, song)
  await player.getByRole('button', { name: 'Слухати' }).click()
  await playsBeyond(player, 0.5)
  await expect(player.getByText('Подкаст', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('URLs are renewed before they expire, and playback continues', async ({ page }) => {
  let token = ''
  let renewed = false
  let expired = false
  const under: string[] = []
  await page.route('**/renewPlayback', async (route) => {
    const body: unknown = route.request().postDataJSON()
    const answer = await requestHost('/v1/module/storage/renewPlayback', { token: expert, body })
    renewed = true
    await route.fulfill({ json: JSON.parse(answer.body.replaceAll(`/${token}/`, '/renewed/')) })
  })
  await page.route('**/v1/media/**', (route) => {
    const address = route.request().url()
    token ||= /\/v1\/media\/[^/]+\/[^/]+\/([^/]+)/.exec(address)?.[1] ?? ''
    if (expired) under.push(address)
    if (address.includes('/renewed/')) return route.continue({ url: address.replace('/renewed/', `/${token}/`) })
    return expired ? route.abort() : route.continue()
  })
  await rewrite(page, { expiresIn: 3 })
  const player = await start(page, video)
  await expect.poll(() => renewed).toBe(true)
  // The controls hide while the video plays and the pointer rests.
  await player.hover()
  await player.getByRole('button', { name: 'Налаштування' }).click()
  // Requests that started before the response have the first token, which is valid for some more time.
  expired = true
  await player.getByLabel('Якість').selectOption('720p')
  await expect.poll(() => media(player, 'videoWidth')).toBe(1280)
  expect(under.filter((address) => address.includes('/hls/720/'))).not.toEqual([])
  expect(under.filter((address) => !address.includes('/renewed/'))).toEqual([])
  await expect(player.getByRole('alert')).toHaveCount(0)
})

test('a video being encoded shows its progress, and appears by itself once it can be played', async ({ page }) => {
  let made = false
  await page.route('**/renewPlayback', async (route) => {
    const body: unknown = route.request().postDataJSON()
    const view = (await requestHost('/v1/module/storage/renewPlayback', { token: expert, body })).json()
    const making = { ...Object(view), hls: null, sources: [], processing: { state: 'encoding', progress: 70 } }
    await route.fulfill({ json: made ? view : making })
  })
  await rewrite(page, { hls: null, sources: [], processing: { state: 'queued', progress: 0 } })
  const player = await open(page, video)
  await player.getByRole('button', { name: 'Дивитися' }).click()
  await expect(page.getByText('Готуємо першу якість для перегляду.')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Готовність' }).first()).toHaveAttribute('value', '70')
  made = true
  await player.getByRole('button', { name: 'Дивитися' }).click()
  await playsBeyond(player, 0.3)
})

test('an unavailable file is explained and can be retried', async ({ page }) => {
  await page.route('**/v1/media/**', (route) => route.abort())
  const player = await open(page, video)
  await player.getByRole('button', { name: /Дивитися|Продовжити/ }).click()
  await expect(player.getByRole('alert')).toContainText('Немає зв’язку зі школою', { timeout: 20_000 })
  await page.unroute('**/v1/media/**')
  await player.getByRole('button', { name: 'Спробувати ще раз' }).click()
  await playsBeyond(player, 0.3)
  await expect(player.getByRole('alert')).toHaveCount(0)
})

test("another person's URLs are refused", async ({ page }) => {
  const paths = ['hls/master.m3u8', 'hls/360/000.m4s', 'original.mp4', 'poster/0.webp', 'captions/uk.vtt']
  for (const path of paths)
    expect((await requestHost(`${video.base}${path}`, { token: expert })).status, path).toBe(200)
  const strangers = [undefined, await getAuthToken(page, STUDENT), await getAuthToken(page, staffEmail('owner'))]
  for (const stranger of strangers) {
    const by = stranger ? { token: stranger } : {}
    for (const path of paths) expect((await requestHost(`${video.base}${path}`, by)).status, path).toBe(404)
    const renewing = await requestHost('/v1/module/storage/renewPlayback', { ...by, body: { base: video.base } })
    expect(renewing.status).toBe(stranger ? 404 : 401)
  }
})

/** Opens the video on the styleguide page without a saved position. */
async function open(page: Page, view: PlaybackView): Promise<Locator> {
  await callStorageApi(expert, 'savePosition', { fileId: view.fileId, seconds: 0 })
  await page.goto(addressOf('demo', `/dev/styleguide?file=${view.fileId}`))
  const player = page.locator('.player').first()
  await expect(player.locator('.player-start')).toBeVisible()
  return player
}

async function start(page: Page, view: PlaybackView): Promise<Locator> {
  const player = await open(page, view)
  await player.getByRole('button', { name: 'Дивитися' }).click()
  await playsBeyond(player, 0.2)
  return player
}

/** Changes the view of the player, e.g. as if its URLs had expired. */
async function rewrite(page: Page, changes: Partial<PlaybackView>): Promise<void> {
  await page.addInitScript((changes) => {
    document.addEventListener('readystatechange', () => {
      const place = document.querySelector<HTMLElement>('[data-player]')
      if (!place || place.dataset.changed) return
      const props = JSON.parse(place.dataset.player ?? '')
      place.dataset.changed = 'yes'
      place.dataset.player = JSON.stringify({ ...props, view: { ...props.view, ...changes } })
    })
  }, changes)
}

async function playsBeyond(player: Locator, seconds: number): Promise<void> {
  await expect.poll(() => media(player, 'currentTime'), { timeout: 20_000 }).toBeGreaterThan(seconds)
}

function media(player: Locator, name: string): Promise<unknown> {
  return player.locator('.player-media').evaluate((element, name) => Reflect.get(element, name), name)
}

function cues(player: Locator): Promise<string[]> {
  return player
    .locator('video')
    .evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].flatMap(({ language, activeCues, mode }) =>
        mode === 'showing' ? [...(activeCues ?? [])].map((cue) => `${language}: ${(cue as VTTCue).text}`) : [],
      ),
    )
}
