import fs from 'node:fs'
import path from 'node:path'
import { sendRequest } from '../../setup/media/http-request.ts'
import { startProduct } from '../../setup/product.ts'
import { startS3Server } from '../../setup/servers/s3-server.ts'
import { createTempFolder, writeBigVideo } from '../support/big-file.ts'
import { DEMO_PASSWORD, expect, staffEmail, test } from '../support/test.ts'

const files = createTempFolder()
test.afterAll(() => files.remove())

test('with a bucket, a browser uploads a video to it and plays it from it', async ({ page }) => {
  test.setTimeout(120_000)
  const videoPath = await writeBigVideo(files.path('відро.mp4'), 9)
  const s3 = await startS3Server()
  const product = await startProduct({ env: s3.environment })
  try {
    const body = { email: staffEmail('owner'), password: DEMO_PASSWORD }
    const headers = { origin: product.addressOf(null, '') }
    const answer = await sendRequest(product.port, 'kafedra.localhost', '/v1/module/user/login', { body, headers })
    const cookie = { name: 'token', value: answer.cookies.token ?? '', domain: '.kafedra.localhost', path: '/' }
    await page.context().addCookies([{ ...cookie, httpOnly: true }])
    const sent: string[] = []
    const fetched = new Set<string>()
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url())
      if (response.request().method() === 'PUT' && response.ok()) sent.push(origin)
      else if (origin === s3.place.endpoint && response.ok()) fetched.add(path.extname(pathname))
    })

    await page.goto(product.addressOf('demo', '/storage'))
    await expect(page.locator('[data-storage-live]')).toBeVisible()
    await page.locator('[data-storage-live] [data-upload=files]').setInputFiles(videoPath)
    const row = page.getByRole('region', { name: 'Завантаження файлів' }).getByRole('listitem')
    await expect(row).toContainText(/можна дивитися|Готово/, { timeout: 60_000 })
    expect(sent).toEqual([s3.place.endpoint, s3.place.endpoint])

    await page.goto(product.addressOf('demo', '/storage'))
    await page.getByRole('link', { name: 'відро.mp4', exact: true }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Дивитися' }).press('Enter')
    const video = window.locator('video')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
    expect([...fetched]).toEqual(expect.arrayContaining(['.m4s', '.webp']))
    expect(fs.existsSync(path.join(product.dataDir, 'files', '.uploads'))).toBe(false)
  } finally {
    await product.stop()
    await s3.stop()
  }
})
