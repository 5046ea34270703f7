import type { Locator, Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { waitForRoom } from '../support/meeting.ts'
import { waitForEmail } from '../support/outbox.ts'
import { STUDENT } from '../support/sign-in.ts'
import { getAuthToken, uploadClip, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const LASTS = 150
const NAME = `Запис ${Date.now()}.mp4`
const two = (value: number) => String(value).padStart(2, '0')

/** Adds a script entry to a track by the editor's form. */
async function write(page: Page, track: string, add: string, time: string, fill: (form: Locator) => Promise<void>) {
  const head = page.locator('.timeline-head', { hasText: track })
  await head.getByRole('button', { name: add, exact: true }).click()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Додати до сценарію' }) })
  await form.getByLabel('Час').fill(time)
  await fill(form)
  await form.getByRole('button', { name: 'Додати до сценарію' }).click()
  await expect(form).toBeHidden()
}

const chatFields = (name: string, text: string) => async (form: Locator) => {
  await form.getByLabel('Ім’я').fill(name)
  await form.getByLabel('Текст').fill(text)
}

/** Returns the position of the video, in seconds, when an element becomes visible. Must be called before. */
const videoAt = (page: Page, words: string): Promise<number> =>
  page.evaluate(
    (expected) =>
      new Promise((resolve) => {
        const look = () => {
          const video = document.querySelector<HTMLVideoElement>('video[data-auto-video][src]')
          const shown = document.querySelector('[data-room]')?.textContent?.includes(expected)
          if (!shown || !video) return false
          watch.disconnect()
          resolve(video.currentTime)
          return true
        }
        const watch = new MutationObserver(look)
        if (!look()) watch.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    words,
  )

test('an automated webinar is written, shown at its second, asked and answered', async ({ page }) => {
  test.setTimeout(240_000)
  const owner = await getAuthToken(page, staffEmail('owner'))
  const options = ['-movflags', '+faststart']
  const fileId = await uploadClip(owner, NAME, { size: '320x180', rate: 10, seconds: LASTS, tone: 440, options })
  await waitUntilEncoded(owner, fileId)
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/'))
  const title = `Автовебінар ${Date.now()}`
  const { workshopId = '' } = await callApi(page, 'autowebinar/makeFromVideo', {
    title,
    fileId,
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 5,
  })
  const edit = addressOf('demo', `/workshops/auto-webinar/${workshopId}`)

  await page.goto(`${edit}?tab=script`)
  await page.locator('.script[data-ready]').waitFor()
  await write(page, 'Чат', 'Повідомлення', '0:01', chatFields('Олена К.', 'Добрий вечір усім'))
  await write(page, 'Кнопки', 'Показати', '0:03', async (form) => {
    await form.getByLabel('Напис').fill('Записатися на курс')
    await form.getByLabel('Посилання').fill('https://example.org/course')
  })
  await expect(page.getByText('Усе збережено')).toBeVisible()
  const scale = page.getByRole('region', { name: 'Часова шкала' })
  await scale.getByRole('button', { name: /^00:03 Кнопку показано/ }).press('ArrowRight')
  await expect(scale.getByRole('button', { name: /^00:04 Кнопку показано/ })).toBeVisible()
  await expect(page.getByText('Усе збережено')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await page.locator('.script[data-ready]').waitFor()
  await expect(scale.getByRole('button', { name: /^00:04 Кнопку показано Записатися/ })).toBeVisible()

  const now = new Date()
  const minute = `${two(now.getHours())}:${two(now.getMinutes())}`
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const plan = await callApi<{ version: number; timeZone: string }>(page, 'autowebinar/get', { workshopId })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const schedule = { zone, dates: [{ day, time: minute }] }
  await callApi(page, 'autowebinar/savePlan', { workshopId, version: plan.version, schedule })
  const began = Math.floor(now.getTime() / 60_000) * 60_000
  const offsetMs = Date.now() - began + 25_000
  await callApi(page, 'autowebinar/saveEntry', {
    workshopId,
    entryId: crypto.randomUUID(),
    version: 0,
    offsetMs,
    content: {
      type: 'message',
      payload: { messageId: crypto.randomUUID(), author: { name: 'Ігор Л.', role: 'viewer' }, text: 'Саме вчасно' },
    },
  })
  const facts = await callApi<Record<string, unknown>>(page, 'workshop/get', { workshopId })
  await callApi(page, 'workshop/save', {
    workshopId,
    version: facts.version,
    title,
    timeZone: 'Europe/Kyiv',
    access: 'open',
    source: 'file',
    coverFileId: null,
    slidesFileId: null,
    startAt: null,
  })
  await callApi(page, 'workshop/publish', { workshopId })

  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', `/meeting/join/${workshopId}`))
  await waitForRoom(student)
  const video = student.locator('video[data-auto-video][src]')
  await video.evaluate(
    (video: HTMLVideoElement) =>
      new Promise<void>((resolve) =>
        video.currentTime > 0 && !video.seeking
          ? resolve()
          : video.addEventListener('timeupdate', () => resolve(), { once: true }),
      ),
  )
  await expect
    .poll(async () =>
      Math.abs((await video.evaluate((video: HTMLVideoElement) => video.currentTime)) - (Date.now() - began) / 1000),
    )
    .toBeLessThan(1.5)
  await expect(student.getByText('Запис.', { exact: false }).first()).toBeVisible()
  await expect(student.getByText('Добрий вечір усім')).toBeVisible()
  await expect(student.getByRole('link', { name: 'Записатися на курс' })).toBeVisible()
  const seen = await videoAt(student, 'Саме вчасно')
  expect(Math.abs(seen - offsetMs / 1000)).toBeLessThan(0.5)

  await student.getByRole('tab', { name: /Запитання/ }).click()
  await student.getByLabel('Ваше запитання').fill('Чи буде знижка?')
  await student.getByRole('button', { name: 'Запитати' }).click()
  await expect(async () => {
    await page.goto(`${edit}?tab=schedule`)
    await expect(page.getByText('Чи буде знижка?')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByLabel('Відповідь', { exact: true }).fill('До п’ятниці')
  await page.getByRole('button', { name: 'Відповісти поштою' }).click()
  await expect(page.getByText('Відповідь надіслано.')).toBeVisible()
  const letter = await waitForEmail(page, STUDENT, { about: 'запитання' })
  expect(letter.text).toContain('До п’ятниці')
  await expectAccessible(page)
  await student.context().close()

  await page.goto(`${edit}?tab=recording`)
  await page.getByLabel('Можна перемотувати').uncheck()
  await page.getByRole('button', { name: 'Зберегти' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Збережено' })).toBeVisible()
  await expect(page.getByLabel('Можна перемотувати')).not.toBeChecked()

  await page.goto(addressOf('demo', `/workshops/statistics/auto-webinar/${workshopId}`))
  await expect(page.getByText('Сеансів: 1.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('region', { name: 'Останні сеанси' }).getByRole('link').click()
  const parts = page.getByRole('navigation', { name: 'Розділи статистики' })
  await expect(parts.getByRole('link', { name: 'Огляд' })).toHaveAttribute('aria-current', 'page')
})
