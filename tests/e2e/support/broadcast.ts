import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { expect } from './test.ts'

let rooms = 0

/** Returns a room name that no other test uses. */
export const uniqueRoom = (): string => `r${Date.now().toString(36)}${process.pid.toString(36)}${rooms++}`

/** URL of the developer page that tests broadcasting without an event. */
export const broadcastTestUrl = (name: string, more = ''): string =>
  addressOf(null, `/dev/broadcast?room=${name}${more}`)

export const publisherPanel = (page: Page) => page.locator('[data-live-publish]')
export const cameraVideo = (page: Page) => page.locator('video[data-stream="camera"]')

/** Starts publishing with the camera. */
export async function startPublishing(page: Page, name: string): Promise<void> {
  await page.goto(broadcastTestUrl(name, '&as=presenter'))
  await page.getByRole('button', { name: 'Вийти в ефір' }).click()
  await expect(publisherPanel(page)).toHaveAttribute('data-state', 'live')
}

/** Waits until this many new frames are presented. */
export const waitForFrames = (page: Page, frameCount = 15): Promise<number> =>
  cameraVideo(page).evaluate(
    (video: HTMLVideoElement, expected) =>
      new Promise<number>((resolve) => {
        let seen = 0
        const count = (): void => {
          seen += 1
          if (seen >= expected) resolve(seen)
          else video.requestVideoFrameCallback(count)
        }
        video.requestVideoFrameCallback(count)
      }),
    frameCount,
  )
