import { readFileSync } from 'node:fs'
import type { Locator, Page, Response } from '@playwright/test'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { sendRequest } from '../../setup/media/http-request.ts'
import { startProduct } from '../../setup/product.ts'
import { removeClusterDirectory } from '../../setup/servers/cluster.ts'
import { createTempFolder, writeBigVideo, writeRandomFile } from '../support/big-file.ts'
import { callStorageApi, getAuthToken, requestHost } from '../support/storage.ts'
import {
  addressOf,
  DEMO_PASSWORD,
  expect,
  expectAccessible,
  getSignInCookies,
  staffEmail,
  test,
} from '../support/test.ts'

const MEGABYTE = 1024 * 1024
const files = createTempFolder()
test.afterAll(() => files.remove())

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Завантаження файлів' }).getByRole('listitem').filter({ hasText: name })

/** Opens the storage; only a number of parts may be sent first, so that the test can act during the upload. */
async function openStorage(page: Page, { at = addressOf('demo', '/storage'), parts = Infinity } = {}): Promise<Wire> {
  const { pass, open } = gate(parts)
  const wire: Wire = { open, refuse: [], requestCount: 0, arrived: [], streams: 0 }
  await page.route('**/v1/part/**', async (route) => {
    await pass()
    const status = wire.refuse.pop()
    await (status ? route.fulfill({ status }) : route.continue()).catch(() => undefined)
  })
  page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.status() === 200) wire.arrived.push(partOf(response))
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/v1/live') wire.streams += 1
    if (pathname.endsWith('/signPart')) wire.requestCount += 1
  })
  await page.goto(at)
  await expect(page.locator('[data-storage-live]')).toBeVisible()
  await page.evaluate(() => void Object.assign(window, { theDocument: true }))
  return wire
}

/** Lets a number of requests pass; later ones wait until `open`. */
function gate(places: number) {
  const waiting: (() => void)[] = []
  const open = (more: number) => {
    places += more
    for (; places > 0 && waiting.length > 0; places -= 1) waiting.shift()?.()
  }
  const pass = () => {
    const passed = new Promise<void>((resolve) => waiting.push(resolve))
    open(0)
    return passed
  }
  return { open, pass }
}

interface Wire {
  /** Lets more parts pass. */
  open(parts: number): void
  /** Statuses that replace the server's response to the next parts. */
  refuse: number[]
  /** Number of requested part URLs. */
  requestCount: number
  /** Numbers of the parts that have arrived. */
  arrived: number[]
  /** Number of times that the live stream was opened. */
  streams: number
}

const partOf = (response: Response): number => Number(new URL(response.url()).pathname.split('/').at(-3))

const choose = (page: Page, ...paths: string[]) =>
  page.locator('[data-storage-live] [data-upload=files]').setInputFiles(paths)

const isSame = (page: Page) => page.evaluate(() => 'theDocument' in window)

test('an upload survives a navigation and a killed server, and the video plays from its first rendition', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const videoPath = await writeBigVideo(files.path('вступ.mp4'), 46)
  let product = await startProduct()
  const { port, dataDir } = product
  const origin = product.addressOf(null, '')
  try {
    const body = { email: staffEmail('owner'), password: DEMO_PASSWORD }
    const answer = await sendRequest(port, 'kafedra.localhost', '/v1/module/user/login', { body, headers: { origin } })
    const cookie = { name: 'token', value: answer.cookies.token ?? '', domain: '.kafedra.localhost', path: '/' }
    await page.context().addCookies([{ ...cookie, httpOnly: true }])
    const wire = await openStorage(page, { at: product.addressOf('demo', '/storage'), parts: 1 })
    await choose(page, videoPath)
    const row = rowOf(page, 'вступ.mp4')
    await expect(row).toContainText(/[1-9]\d?\s?% ·/)
    const streams = wire.streams

    await page.getByRole('link', { name: 'Курси' }).first().click()
    await expect(page).toHaveTitle(/Курси/)
    wire.open(2)
    await expect(row).toContainText(/[3-9]\d\s?% ·/)
    expect(await isSame(page), 'one document').toBe(true)
    expect(wire.streams, 'one stream').toBe(streams)

    product.process.kill('SIGKILL')
    wire.open(Infinity)
    await expect(row).toContainText('Немає зв’язку')
    const finished = page.waitForResponse((response) => response.url().endsWith('/finishUpload') && response.ok(), {
      timeout: 60_000,
    })
    product = await startProduct({ port, dataDir })
    const { id: fileId } = (await (await finished).json()) as { id: string }
    expect([...new Set(wire.arrived)].sort()).toEqual([1, 2, 3, 4, 5, 6])

    await expect(row).toContainText(/можна дивитися|Готово/, { timeout: 60_000 })
    const playback = await page.evaluate(
      async (id) => (await fetch(`/v1/module/storage/getPlayback?fileId=${id}`)).json(),
      fileId,
    )
    expect(playback).toMatchObject({ kind: 'video' })
    await page.goto(product.addressOf('demo', '/storage'))
    await expect(page.locator('[data-storage-live]')).toBeVisible()
    await page.getByRole('link', { name: 'вступ.mp4', exact: true }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Дивитися' }).press('Enter')
    const video = window.locator('video')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
    expect(await video.evaluate((element: HTMLVideoElement) => element.currentSrc)).toMatch(/^blob:/)
  } finally {
    await product.stop()
    removeClusterDirectory(dataDir)
  }
})

test('a failed or expired part is sent again', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  const wire = await openStorage(page)
  wire.refuse = [404, 500, 403]
  await choose(page, writeRandomFile(files.path('уперта.bin'), 17))
  await expect(rowOf(page, 'уперта.bin')).toContainText('Готово', { timeout: 20_000 })
  expect([...wire.arrived].sort()).toEqual([1, 2, 3])
  expect(wire.requestCount).toBe(6)
})

test('an upload pauses and resumes on request', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  const wire = await openStorage(page, { parts: 1 })
  await choose(page, writeRandomFile(files.path('пауза.bin'), 40))
  const row = rowOf(page, 'пауза.bin')
  await expect(row).toContainText(/[1-9]\d?\s?% ·/)
  await row.getByRole('button', { name: 'Призупинити' }).click()
  await expect(row).toContainText('Призупинено')
  const before = wire.requestCount
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Профіль' }).first().click()
  await expect(page).toHaveTitle(/Профіль/)
  await expect(row).toContainText('Призупинено')
  expect(wire.requestCount, 'parts that were begun meanwhile').toBe(before)
  wire.open(Infinity)
  await row.getByRole('button', { name: 'Продовжити' }).click()
  await expect(row).toContainText('Готово')
  // The response to a part may have been lost during the pause: such a part is not sent again.
  expect(wire.arrived.length).toBe(new Set(wire.arrived).size)
})

test('after a reload the same file, selected again, resumes with the parts already uploaded', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  const requests: string[] = []
  page.on('dialog', (dialog) => {
    requests.push(dialog.type())
    void dialog.accept()
  })
  const wire = await openStorage(page, { parts: 2 })
  const file = writeRandomFile(files.path('друга спроба.bin'), 48)
  await choose(page, file)
  const row = rowOf(page, 'друга спроба.bin')
  await expect.poll(() => wire.arrived.length).toBe(2)
  await page.reload()
  expect(requests).toEqual(['beforeunload'])
  await expect(row).toContainText('Виберіть цей файл ще раз')
  const there = [...wire.arrived]
  wire.arrived.length = 0
  wire.open(Infinity)
  await row.locator('input[type=file]').setInputFiles(file)
  await expect(row).toContainText('Готово')
  expect(wire.arrived.filter((number) => there.includes(number))).toEqual([])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('an upload waits for the network and for a sign-in, and continues automatically', async ({ page, context }) => {
  const cookies = await getSignInCookies(page, staffEmail('director'))
  await context.addCookies(cookies)
  const wire = await openStorage(page, { parts: 1 })
  await choose(page, writeRandomFile(files.path('тунель.bin'), 40))
  const row = rowOf(page, 'тунель.bin')
  await expect(row).toContainText(/[1-9]\d?\s?% ·/)
  await context.setOffline(true)
  wire.open(1)
  await expect(row).toContainText('Немає зв’язку')
  await context.setOffline(false)
  wire.open(1)
  await expect(row).toContainText(/[1-9]\d?\s?% ·/)
  await context.clearCookies({ name: 'token' })
  wire.open(1)
  await expect(row).toContainText('Сеанс завершився')
  await expect(row.getByRole('link', { name: 'Увійти знову' })).toBeVisible()
  await context.addCookies(cookies)
  wire.open(Infinity)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(row).toContainText('Готово', { timeout: 20_000 })
  expect(wire.arrived.length).toBe(new Set(wire.arrived).size)
})

test('a refused file shows the reason, and one that exists already is offered', async ({ page }) => {
  // After its start the server is still processing the demo school's files.
  test.setTimeout(100_000)
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  const wire = await openStorage(page)
  const known = writeRandomFile(files.path('двічі.bin'), 1)
  const buffers = [
    { name: 'порожній.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(0) },
    { name: 'насправді текст.mp4', mimeType: 'video/mp4', buffer: Buffer.from('Це лише текст') },
    { name: 'програма.exe', mimeType: 'application/pdf', buffer: Buffer.from(`MZ${'x'.repeat(3000)}`) },
  ]
  await page.locator('[data-storage-live] [data-upload=files]').setInputFiles(buffers)
  await expect(rowOf(page, 'порожній.mp4')).toContainText('Файл порожній')
  await expect(rowOf(page, 'насправді текст.mp4')).toContainText('не те, що обіцяє назва')
  await expect(rowOf(page, 'програма.exe')).toContainText('не підтримуються')
  await choose(page, known)
  await expect(rowOf(page, 'двічі.bin')).toContainText('Готово')
  await page.getByRole('button', { name: 'Прибрати', exact: true }).click()
  const by = await getAuthToken(page, staffEmail('owner'))
  const about = { sample: await sampleOf(new Blob([readFileSync(known)])), size: MEGABYTE }
  await expect.poll(() => callStorageApi(by, 'findDuplicate', about), { timeout: 60_000 }).not.toBeNull()
  const sent = wire.arrived.length
  await choose(page, known)
  await expect(rowOf(page, 'двічі.bin')).toContainText('Такий файл уже є в школі: «двічі.bin»')
  await rowOf(page, 'двічі.bin').getByRole('button', { name: 'Використати його' }).click()
  await expect(rowOf(page, 'двічі.bin')).toContainText('Готово')
  expect(wire.arrived.length).toBe(sent)
})

test('a full storage shows its usage and who can change the limit', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, 'owner@sonata.test'))
  await openStorage(page, { at: addressOf('sonata', '/storage') })
  const uploadResult = await page.evaluate(async () => {
    const send = async (action: string, body: object) => {
      const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      return (await fetch(`/v1/module/storage/${action}`, options)).json()
    }
    const { used, reserved, limit } = await (await fetch('/v1/module/storage/getQuota')).json()
    const ids: string[] = []
    for (let free = limit - used - reserved - 1_000_000; free > 0; free -= 20 * 1024 ** 3) {
      const size = Math.min(free, 20 * 1024 ** 3)
      const begun = await send('startUpload', { name: 'місце.bin', size, head: 'AAAA', sample: 'a'.repeat(64) })
      ids.push(begun.uploadId)
    }
    return ids
  })
  await choose(page, writeRandomFile(files.path('зайве.bin'), 2))
  await expect(rowOf(page, 'зайве.bin')).toContainText(/зайнято .+ з .+ власника школи/)
  await page.evaluate(async (ids) => {
    for (const uploadId of ids) {
      const headers = { 'content-type': 'application/json' }
      await fetch('/v1/module/storage/abortUpload', { method: 'POST', headers, body: JSON.stringify({ uploadId }) })
    }
  }, uploadResult)
})

test('no URL of an upload works for another person', async ({ page }) => {
  const owner = await getAuthToken(page, staffEmail('owner'))
  const about = { name: 'чуже.bin', size: 5, head: 'AAAAAAA=', sample: 'b'.repeat(64) }
  const { uploadId } = await callStorageApi<{ uploadId: string }>(owner, 'startUpload', about)
  const { url } = await callStorageApi<{ url: string }>(owner, 'signPart', { uploadId, number: 1 })
  const { pathname } = new URL(url, addressOf('demo'))
  const body = Buffer.alloc(5)
  const put = (by: string | undefined, to = pathname) =>
    requestHost(to, { method: 'PUT', body, headers: { 'content-length': '5' }, ...(by ? { token: by } : {}) })
  const stranger = await getAuthToken(page, 'owner@sonata.test')
  const colleague = await getAuthToken(page, staffEmail('director'))
  for (const by of [undefined, stranger, colleague]) expect((await put(by)).status).toBe(404)
  expect((await put(owner, pathname.replace('/1/5/', '/2/5/'))).status).toBe(404)
  expect((await put(owner)).status).toBe(200)
  await callStorageApi(owner, 'abortUpload', { uploadId })
})
