import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { BROWSER_FLAGS, bringBrowser } from '../../test/browser.ts'
import { DOMAIN } from '../product.ts'
import { limitRow, type Section } from '../report.ts'
import { setRoomStage } from './room-stage.ts'

const TIMES = 10
const DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** How long a presenter who reloads the page is not visible, by the presenter's page and by a viewer's video. */
export async function presenterReload(): Promise<Section> {
  const stage = await setRoomStage()
  const { workshopId, keys } = await stage.event(1)
  const roomUrl = `http://${stage.host}/meeting/join/${workshopId}`
  const browser = await chromium.launch({ executablePath: bringBrowser(), args: [...BROWSER_FLAGS, ...DEVICES] })
  try {
    const opened = () => browser.newContext({ locale: 'uk-UA', permissions: ['camera', 'microphone'] })
    const host = await onStage(await opened(), roomUrl, stage.school.ownerToken)
    const viewer = await watching(await opened(), `${roomUrl}?key=${keys[0]}`)
    const away: number[] = []
    const still: number[] = []
    for (let time = 0; time < TIMES; time++) {
      await host.waitForTimeout(3000)
      const gap = longestGap(viewer, 6000)
      const since = performance.now()
      await host.reload({ waitUntil: 'commit' })
      await host.locator('[data-sending="live"]').waitFor({ state: 'attached' })
      away.push((performance.now() - since) / 1000)
      still.push((await gap) / 1000)
    }
    return {
      title: 'A presenter reloads',
      note: `${TIMES} times in Chromium with its simulated camera; presenter, viewer, product and database share the machine. Time: from the reload until the new connection transmits media.`,
      rows: [
        limitRow('live again after, median', middle(away), ' s', null, 2),
        limitRow('live again after, the worst', Math.max(...away), ' s', 2, 2),
        limitRow('a viewer’s video is frozen, median', middle(still), ' s', null, 2),
      ],
    }
  } finally {
    await browser.close()
  }
}

async function onStage(context: BrowserContext, roomUrl: string, token: string): Promise<Page> {
  await context.addCookies([{ name: 'token', value: token, domain: `.${DOMAIN}`, path: '/' }])
  const page = await context.newPage()
  await page.goto(roomUrl)
  await page.getByRole('button', { name: 'Увімкнути й вийти на сцену' }).click()
  await page.locator('[data-sending="live"]').waitFor({ state: 'attached' })
  await page.keyboard.press('g')
  return page
}

async function watching(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(link)
  await page.locator('video[data-watching]').first().waitFor({ state: 'attached' })
  return page
}

/** The longest time in ms between two frames of a video, within a period in ms. */
const longestGap = (page: Page, within: number): Promise<number> =>
  page.evaluate(
    (limit) =>
      new Promise<number>((resolve) => {
        let [last, longest] = [performance.now(), 0]
        const video = document.querySelector<HTMLVideoElement>('video[data-watching]')
        const seen = () => {
          const now = performance.now()
          longest = Math.max(longest, now - last)
          last = now
          video?.requestVideoFrameCallback(seen)
        }
        video?.requestVideoFrameCallback(seen)
        setTimeout(() => resolve(Math.max(longest, performance.now() - last)), limit)
      }),
    within,
  )

const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
