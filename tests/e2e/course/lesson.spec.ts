import type { Locator, Page } from '@playwright/test'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { getAuthToken, requestHost, uploadClip, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, STUDENT, staffEmail, test } from '../support/test.ts'

/** The viewport of a phone, which most students use. */
test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
// All tests of the file use one video.
test.describe.configure({ mode: 'default' })

const SECONDS = 8

let owner: string
let student: string
let video: string

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  const page = await (await browser.newContext()).newPage()
  owner = await getAuthToken(page, staffEmail('owner'))
  student = await getAuthToken(page, STUDENT)
  video = await uploadClip(owner, 'Лекція.mp4', {
    size: '640x360',
    rate: 10,
    seconds: SECONDS,
    tone: 440,
    options: ['-g', '10', '-movflags', '+faststart'],
  })
  await waitUntilEncoded(owner, video)
  studentId = await membership()
  await page.context().close()
})

test.beforeEach(async ({ page }) => {
  await page.context().addCookies(await getSignInCookies(page, STUDENT))
})

test('a video watched to its required share completes the lesson and opens the next, which starts automatically or not', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const { first, second, courseId } = await learn(watching)
  await page.goto(lesson(first))
  const status = page.getByText(/Переглянуто\s\d+\s%/)
  await expect(status).toHaveText(/щонайменше 80\s% відео. Переглянуто 0\s%/)
  await expect(page.getByRole('button', { name: 'Завершити урок' })).toHaveCount(0)
  await expect(page.getByText('Спершу завершіть урок «Перший».', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await play(page)
  await expect(status).toHaveText(/Переглянуто\s[1-9]\d*\s%/)
  await expect(page.getByText('Урок завершено')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(/Наступний урок за\s[1-5]\sс/)).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Залишитися тут' }).click()
  await expect(page.getByText(/Наступний урок за/)).toBeHidden()
  await expect(page.getByRole('link', { name: /2\. Другий/ })).toBeVisible()
  await page.getByRole('link', { name: 'Наступний урок', exact: true }).click()
  await page.waitForURL(lesson(second))
  await expect(page.getByText('Другий текст')).toBeVisible()
  // From the start: the completion is kept, and without a choice the next lesson opens automatically.
  await page.goto(lesson(first))
  await play(page)
  await expect(page.getByText('Урок завершено')).toBeVisible()
  await page.waitForURL(lesson(second), { timeout: 30_000 })
  await page.goto(addressOf('go', `/course/view/${courseId}`))
  await expect(page.getByText('Пройдено 1 з 2')).toBeVisible()
})

test('two devices watch one half each, and together they complete the lesson', async ({ page, browser }) => {
  const { first } = await learn(watching)
  const other = await (await browser.newContext()).newPage()
  await other.context().addCookies(await getSignInCookies(page, STUDENT))
  await page.goto(lesson(first))
  await other.goto(lesson(first))
  const media = await play(page)
  await reach(media, SECONDS / 2 + 0.5)
  await pause(media)
  await expect.poll(() => watched(first)).toBeGreaterThan(SECONDS / 2 - 0.5)
  const second = await play(other)
  await second.evaluate((element: HTMLMediaElement, to) => {
    element.currentTime = to
  }, SECONDS / 2)
  await reach(second, SECONDS - 0.7)
  await pause(second)
  await expect(other.getByText('Урок завершено')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Урок завершено')).toBeVisible()
  await other.context().close()
})

test('a tab killed without a network loses no watched time', async ({ page }) => {
  const { first } = await learn(watching)
  await page.route('**/course/saveWatched', (route) => route.abort())
  const tab = await page.context().newCDPSession(page)
  await page.goto(lesson(first))
  const media = await play(page)
  // The video resumes where another test has stopped.
  await media.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 0
  })
  await expect.poll(() => media.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeLessThan(2)
  await reach(media, 3)
  // A crash, because a closed tab would still send its progress.
  const gone = page.waitForEvent('crash')
  void tab.send('Page.crash').catch(() => {})
  await gone
  expect(await watched(first)).toBe(0)
  const again = await page.context().newPage()
  await again.goto(lesson(first))
  await expect.poll(() => watched(first)).toBeGreaterThan(1.5)
  await expect(again.getByText(/Переглянуто\s[1-9]\d*\s%/)).toBeVisible()
})

test('an opened lesson is readable offline; completion and notes are sent later', async ({ page, context }) => {
  const { first, second } = await learn(reading)
  await page.goto(lesson(first))
  await expect(page.getByText('Перший текст')).toBeVisible()
  await kept(page, first)
  await page.getByRole('link', { name: /2\. Другий/ }).click()
  await page.waitForURL(lesson(second))
  await kept(page, second)
  await context.setOffline(true)
  await expect(page.getByText('Ви офлайн: текст уроку лишається тут')).toBeVisible()
  // A full page load, as after a restart of the browser.
  await page.reload()
  await expect(page.getByText('Другий текст')).toBeVisible()
  await expect(page.getByText(/Ви офлайн: читаєте збережене о \d\d:\d\d/)).toBeVisible()
  // By client-side navigation.
  await page
    .getByRole('link', { name: /Перший/ })
    .first()
    .click()
  await page.waitForURL(lesson(first))
  await expect(page.getByText('Перший текст')).toBeVisible()
  await expect(page.getByText(/Ви офлайн: читаєте збережене о/)).toBeVisible()
  const note = page.getByRole('textbox', { name: 'Мої нотатки' })
  await note.fill('Перевірити мікрофон')
  await page.getByRole('button', { name: 'Завершити урок' }).click()
  await expect(page.getByText('Урок завершено')).toBeVisible()
  await expect(page.getByText('Надішлемо його, щойно з’явиться мережа')).toBeVisible()
  await expect(page.getByText('Немає зв’язку. Текст збережено на цьому пристрої')).toBeVisible()
  await context.setOffline(false)
  await expect.poll(async () => (await opened(first)).lesson.completedAt).not.toBeNull()
  await expect.poll(async () => (await opened(first)).content?.note.text).toBe('Перевірити мікрофон')
  await expect(page.getByText('Надішлемо його, щойно з’явиться мережа')).toBeHidden()
})

test('only lessons are stored on the device, and they are deleted on sign-out or for another person', async ({
  page,
  context,
}) => {
  const { first } = await learn(reading)
  await page.goto(lesson(first))
  await kept(page, first)
  await page.goto(addressOf('go', '/courses'))
  await page.goto(addressOf('go', '/profile'))
  const paths = (await fileGrid(page)).map((url) => new URL(url).pathname)
  expect(paths.filter((path) => !/^\/(course\/lesson\/[\w-]+|_astro\/.+|favicon\.svg)$/.test(path))).toEqual([])
  // Another person on this device.
  await context.clearCookies()
  await context.addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.evaluate(() =>
    document.querySelector('[data-cabinet]')?.setAttribute('data-person', 'somebody@elsewhere.test'),
  )
  await page.evaluate(async () => (await caches.open('study-1')).put('/course/lesson/owner', new Response('other')))
  await context.clearCookies()
  await context.addCookies(await getSignInCookies(page, STUDENT))
  await page.goto(addressOf('go', '/courses'))
  await expect.poll(() => fileGrid(page)).toEqual([])
  await page.goto(lesson(first))
  await kept(page, first)
  await page.goto(addressOf('go', '/courses'))
  // The request is intercepted after the handlers ran, because other tests use the same session.
  await page.route('**/user/logout', (route) => route.fulfill({ status: 204 }))
  await page.evaluate(() => document.querySelector<HTMLFormElement>('form[action$="/user/logout"]')?.requestSubmit())
  await expect.poll(() => fileGrid(page)).toEqual([])
})

test('keys open the next and the previous lesson and the note', async ({ page }) => {
  const { first, second } = await learn(reading)
  await page.goto(lesson(first))
  await page.keyboard.press('KeyE')
  await expect(page.getByRole('textbox', { name: 'Мої нотатки' })).toBeFocused()
  await page.keyboard.type('n')
  await page.getByRole('textbox', { name: 'Мої нотатки' }).blur()
  await expect(page.getByText(/Збережено \d\d:\d\d/)).toBeVisible()
  await page.keyboard.press('KeyN')
  await page.waitForURL(lesson(second))
  await page.keyboard.press('KeyP')
  await page.waitForURL(lesson(first))
  await expect(page.getByRole('textbox', { name: 'Мої нотатки' })).toHaveValue('n')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Писати нотатку')).toBeVisible()
})

const words = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const watching = () => ({ blocks: [words('Перший текст'), { type: 'video', attrs: { fileId: video } }], strict: true })
const reading = () => ({ blocks: [words('Перший текст')], strict: false })

let courses = 0
let studentId = ''

/** Creates a course of two lessons for the demo student: with `strict` the first is completed by 80 % of its video. */
async function learn(make: () => { blocks: LessonNode[]; strict: boolean }) {
  const { blocks, strict } = make()
  courses += 1
  const title = `Урок на телефоні ${courses} ${Date.now()}`
  const { courseId } = await course<{ courseId: string }>('create', { title })
  const { moduleId } = await course<{ moduleId: string }>('addModule', { courseId, title: 'Модуль' })
  const add = (title: string, content: LessonNode[]) =>
    course<{ lessonId: string }>('addLesson', { moduleId, title, blocks: { type: 'doc', content } })
  const { lessonId: first } = await add('Перший', blocks)
  const { lessonId: second } = await add('Другий', [words('Другий текст')])
  if (strict) {
    const change = { completionRule: { mode: 'watched', percent: 80 } }
    await course('changeLessons', { courseId, lessonIds: [first], change })
    await course('update', { courseId, progression: 'sequential' })
  }
  await course('publish', { courseId })
  await course('grantAccess', { courseId, studentId })
  return { courseId, first, second }
}

async function course<T>(action: string, body: Record<string, unknown>): Promise<T> {
  const answer = await requestHost(`/v1/module/course/${action}`, { token: owner, body })
  if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${answer.body}`)
  return answer.json() as T
}

/** The demo student's membership, from a list: invitations would be rate-limited. */
async function membership(): Promise<string> {
  const { items } = await read<{ items: { id: string }[] }>('list?status=published')
  for (const { id } of items) {
    const found = await read<{ items: { studentId: string }[] }>(`listStudents?courseId=${id}&q=${STUDENT}`)
    if (found.items[0]) return found.items[0].studentId
  }
  throw new Error('the demo student studies nothing')
}

async function read<T>(procedure: string): Promise<T> {
  return (await requestHost(`/v1/module/course/${procedure}`, { token: owner })).json() as T
}

interface Opened {
  lesson: { completedAt: string | null }
  content: { watched: Record<string, [number, number][]>; note: { text: string } } | null
}

/** The lesson on the server. */
async function opened(lessonId: string): Promise<Opened> {
  const { host, origin } = new URL(addressOf('go'))
  const answer = await requestHost('/v1/module/course/openLesson', {
    token: student,
    body: { lessonId },
    headers: { host, origin },
  })
  if (answer.status !== 200) throw new Error(`openLesson: ${answer.status} ${answer.body}`)
  return answer.json() as Opened
}

async function watched(lessonId: string): Promise<number> {
  const ranges = Object.values((await opened(lessonId)).content?.watched ?? {}).flat()
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0)
}

const lesson = (id: string) => addressOf('go', `/course/lesson/${id}`)

async function play(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /Дивитися|Продовжити/ })
    .first()
    .click()
  const media = page.locator('[data-video] video').first()
  await expect
    .poll(() => media.evaluate((element: HTMLMediaElement) => element.currentTime > 0 && !element.paused))
    .toBe(true)
  return media
}

const reach = (media: Locator, seconds: number) =>
  expect
    .poll(() => media.evaluate((element: HTMLMediaElement) => element.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(seconds)
const pause = (media: Locator) => media.evaluate((element: HTMLMediaElement) => element.pause())

const fileGrid = (page: Page) =>
  page.evaluate(async () =>
    (await caches.has('study-1')) ? (await (await caches.open('study-1')).keys()).map(({ url }) => url) : [],
  )

/** Waits until a lesson and its assets are cached on the device. */
async function kept(page: Page, id: string): Promise<void> {
  await expect
    .poll(async () => {
      const paths = (await fileGrid(page)).map((url) => new URL(url).pathname)
      return paths.includes(`/course/lesson/${id}`) && paths.some((path) => path.endsWith('.css'))
    })
    .toBe(true)
  await page.evaluate(() => navigator.serviceWorker.ready)
}
