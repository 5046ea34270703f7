import type { Page } from '@playwright/test'
import { addressOf, expect, getSignInCookies, staffEmail, test } from './support/test.ts'

const FONT = 'https://cdn.jsdelivr.net/**'

/** Simulates a browser that renders color emoji, and flags or their letters. */
async function drawing(page: Page, flags: 'flags' | 'emails'): Promise<string[]> {
  await page.addInitScript((drawn) => {
    const color = (context: CanvasRenderingContext2D, text: string) => {
      const inColor = drawn === 'flags' || !/[\u{1f1e6}-\u{1f1ff}]/u.test(text)
      context.canvas.dataset.seen = inColor ? 'color' : String(context.fillStyle)
    }
    CanvasRenderingContext2D.prototype.fillText = function (text: string) {
      color(this, text)
    }
    CanvasRenderingContext2D.prototype.getImageData = function () {
      const light = this.canvas.dataset.seen === '#ffffff' ? 255 : 0
      const red = this.canvas.dataset.seen === 'color' ? 200 : light
      return { data: new Uint8ClampedArray([red, light, light, 255]) } as ImageData
    }
  }, flags)
  const requests: string[] = []
  await page.route(FONT, (route) => {
    requests.push(route.request().url())
    return route.fulfill({ status: 404 })
  })
  return requests
}

const wantsFlagFont = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 500)))
    const fonts = [...document.fonts].filter(({ family }) => family.includes('Twemoji'))
    await document.fonts.load('16px "Twemoji Country Flags"', '🇺🇦').catch(() => {})
    return fonts.length > 0
  })

test('the flag font is loaded from the CDN when the browser lacks flag glyphs', async ({ page }) => {
  const requests = await drawing(page, 'emails')
  await page.goto(addressOf(null, '/login'))
  await expect.poll(() => wantsFlagFont(page)).toBe(true)
  expect(requests[0]).toMatch(/TwemojiCountryFlags\.woff2$/)
})

test('the flag font is not loaded when the browser has flag glyphs', async ({ page }) => {
  const requests = await drawing(page, 'flags')
  await page.goto(addressOf(null, '/login'))
  expect(await wantsFlagFont(page)).toBe(false)
  expect(requests).toEqual([])
})

test('there are no animations when reduced motion is requested', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses'))
  const slow = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element)
      const longest = Math.max(...`${transitionDuration},${animationDuration}`.split(',').map(Number.parseFloat))
      return longest > 0.001 ? [`${element.tagName} ${longest}s`] : []
    }),
  )
  expect(slow).toEqual([])
})

test('print shows the content without menus and buttons', async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/courses'))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.cabinet-menu, .cabinet-bar, .cabinet-dock').filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('main .btn').filter({ visible: true })).toHaveCount(0)
})
