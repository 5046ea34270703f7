import { callApi } from '../support/homework.ts'
import {
  closeContexts,
  createEvent,
  enterStage,
  expectFrames,
  expectSound,
  finishEvent,
  joinInNewContext,
  reopenWithAutoplayBlock,
  unblockSound,
  WITH_DEVICES,
  waitForRoom,
} from '../support/meeting.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(180_000)
// Serial: the plan of a tenant limits the number of simultaneous events.
test.describe.configure({ mode: 'default' })

test('an event from its waiting page to its end', async ({ page: host, browser }) => {
  const event = await createEvent(host)
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко', { timezoneId: 'Asia/Kathmandu' })
  await expect(viewer.getByRole('heading', { name: event.title })).toBeVisible()
  await expect(viewer.locator('[data-start]')).toContainText('Непал')
  await expect(viewer.locator('[data-start]')).toContainText('за Києвом')
  await expect(viewer.locator('[data-countdown]')).toHaveText(/^\d+:\d\d/)
  await expectAccessible(viewer)
  await viewer.evaluate(() => Reflect.set(window, 'stays', true))

  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await expectAccessible(host)
  await enterStage(host)
  await host.keyboard.press('g')
  await expect(host.locator('[data-room]')).toHaveAttribute('data-phase', 'live')

  // The countdown was replaced by the room without a reload.
  await expect(viewer.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  expect(await viewer.evaluate(() => Reflect.get(window, 'stays'))).toBe(true)
  await expectFrames(viewer)
  await expectSound(viewer)

  const slide = viewer.locator('.stage-content canvas')
  await expect(slide).toHaveAttribute('data-page', '1')
  await host.keyboard.press('ArrowRight')
  await expect(slide).toHaveAttribute('data-page', '2')
  await host.keyboard.press('2')
  const stage = viewer.locator('.stage')
  await expect(stage).toHaveAttribute('data-mode', 'preview')
  await host.keyboard.press('4')
  await expect(stage).toHaveAttribute('data-mode', 'presentationAndBroadcast')

  // A late viewer on a phone sees the same.
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page: early, context: latecomer } = await joinInNewContext(browser, event, 'Оля', phone)
  const late = await reopenWithAutoplayBlock(early)
  await expect(late.locator('.stage')).toHaveAttribute('data-mode', 'presentationAndBroadcast')
  await expect(late.locator('.stage-content canvas')).toHaveAttribute('data-page', '2')
  await unblockSound(late)
  await expectFrames(late)
  await expectAccessible(late)
  const { stageBottom, panelTop, wide } = await late.evaluate(() => ({
    stageBottom: document.querySelector('.room-stage')?.getBoundingClientRect().bottom ?? 0,
    panelTop: document.querySelector('.room-panel')?.getBoundingClientRect().top ?? 0,
    wide: document.documentElement.scrollWidth,
  }))
  expect(stageBottom).toBeLessThanOrEqual(panelTop)
  expect(wide).toBeLessThanOrEqual(390)

  // Prepared items: a button is clicked, a poll is answered.
  await host.keyboard.press('l')
  await host.getByRole('button', { name: 'Показати: Хочу на курс' }).click()
  const offer = viewer.getByRole('link', { name: /Хочу на курс/ })
  await offer.evaluate((link) => link.addEventListener('click', (click) => click.preventDefault()))
  await offer.click()
  await expect(host.getByText(/Побачили [1-9]\d*, натиснули 1/)).toBeVisible()
  await host.getByRole('button', { name: 'Почати: Чи все зрозуміло?' }).click()
  await viewer
    .getByRole('radio', { name: 'Так' })
    .or(viewer.getByRole('button', { name: 'Так' }))
    .first()
    .click()
  await host.keyboard.press('Escape')

  await host.reload()
  await waitForRoom(host)
  await expect(host.locator('[data-sending="live"]')).toBeAttached({ timeout: 20_000 })
  await expectFrames(viewer, 20)
  await expectFrames(late)

  await finishEvent(host)
  for (const page of [viewer, late]) await page.waitForURL(/\/meeting\/finished/)
  await closeContexts(context, latecomer)
})

test('a viewer enters the stage and leaves it', async ({ page: host, browser }) => {
  const event = await createEvent(host)
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await host.getByRole('button', { name: 'Пропустити' }).click()
  await host.keyboard.press('g')
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко', {
    permissions: ['camera', 'microphone'],
  })

  // A viewer has no controls for modes, slides and the end of the event.
  await expect(viewer.getByRole('button', { name: 'Завершити' })).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: 'Лише слайди' })).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: 'Увімкнути мікрофон' })).toHaveCount(0)

  await viewer.keyboard.press('h')
  await expect(viewer.getByRole('button', { name: 'Опустити руку' })).toBeVisible()
  await host.keyboard.press('h')
  await host.getByRole('button', { name: 'Запросити на сцену' }).click()
  await viewer.getByRole('button', { name: 'Вийти на сцену' }).click()
  await viewer.getByRole('button', { name: 'Увімкнути камеру' }).click()
  await expect(viewer.locator('[data-sending="live"]')).toBeAttached({ timeout: 20_000 })
  await expect(host.locator('.tile-label')).toContainText('Марко')
  await expectFrames(host)

  await host.getByRole('button', { name: 'Прибрати зі сцени' }).click()
  await expect(host.locator('.tile')).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: 'Увімкнути камеру' })).toHaveCount(0)

  // Typed captions are shown to all participants, and each can hide them.
  await host.keyboard.press('y')
  await host.getByRole('textbox', { name: 'Рядок субтитрів' }).fill('Вітаю всіх у залі')
  await host.keyboard.press('Enter')
  await expect(viewer.locator('[data-captions]')).toHaveText('Вітаю всіх у залі')
  await viewer.keyboard.press('c')
  await expect(viewer.locator('[data-captions]')).toHaveCount(0)

  // The presenter view on a second screen.
  const second = await host.context().newPage()
  await second.goto(`${event.roomUrl}?view=presenter`)
  await expect(second.locator('[data-now] canvas')).toHaveAttribute('data-page', '1')
  await second.keyboard.press('ArrowRight')
  await expect(host.locator('.stage-content canvas')).toHaveAttribute('data-page', '2')
  await expectAccessible(second)
  await second.close()

  await host.getByRole('button', { name: 'Завершити' }).click()
  await host.getByRole('button', { name: 'Завершити для всіх' }).click()
  await viewer.waitForURL(/\/meeting\/finished/)
  await closeContexts(context)
})

test('the host keeps the slide controls after a reload while a guest of the stage shares a screen', async ({
  page: host,
  browser,
}) => {
  const event = await createEvent(host)
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await host.getByRole('button', { name: 'Пропустити' }).click()
  await host.keyboard.press('g')
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  // Headless browsers have no screen to share.
  await viewer.evaluate(() => {
    navigator.mediaDevices.getDisplayMedia = async () => {
      const canvas = document.createElement('canvas')
      const paint = () => canvas.getContext('2d')?.fillRect(Math.random() * 200, 0, 100, 100)
      setInterval(paint, 100)
      return canvas.captureStream(10)
    }
  })
  await viewer.keyboard.press('h')
  await host.keyboard.press('h')
  await host.getByRole('button', { name: 'Запросити на сцену' }).click()
  await viewer.getByRole('button', { name: 'Вийти на сцену' }).click()
  await viewer.locator('[data-action="screen"]').click()
  const sharedScreen = host.locator('.stage-content video')
  const slides = host.locator('.stage-content canvas')
  await expect(sharedScreen).toBeVisible({ timeout: 20_000 })
  await expect(slides).toHaveCount(0)

  await host.reload()
  await waitForRoom(host)
  await expect(sharedScreen).toBeVisible({ timeout: 20_000 })
  await expect(slides).toHaveCount(0)
  const pages = host.getByRole('group', { name: 'Слайди' })
  await expect(pages).toContainText('1 / 3')
  await pages.getByRole('button', { name: 'Наступний слайд' }).click()
  await expect(pages).toContainText('2 / 3')
  await finishEvent(host)
  await viewer.waitForURL(/\/meeting\/finished/)
  await closeContexts(context)
})

test('the join page explains every refusal without JavaScript', async ({ page: owner, browser }) => {
  const open = await createEvent(owner)
  const registered = await createEvent(owner, { access: 'registration' })
  const students = await createEvent(owner, { access: 'students' })
  const context = await browser.newContext({ locale: 'uk-UA', javaScriptEnabled: false })
  const page = await context.newPage()

  await page.goto(registered.roomUrl)
  await expect(page).toHaveURL(/\/workshops\/register\//)
  await page.goto(students.roomUrl)
  await expect(page.getByRole('link', { name: 'Увійти до акаунта' })).toBeVisible()

  await page.goto(open.roomUrl)
  await expect(page.getByRole('heading', { name: open.title })).toBeVisible()
  await page.getByRole('button', { name: 'Увійти' }).click()
  await expect(page.getByLabel('Ваше ім’я')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Ваше ім’я').fill('Ганна')
  await page.getByRole('button', { name: 'Увійти' }).click()
  await expect(page.locator('[data-countdown]')).toHaveText(/^\d+:\d\d/)

  await callApi(owner, 'workshop/cancel', { workshopId: open.workshopId })
  await page.goto(open.roomUrl)
  await expect(page.getByText('Подію скасовано')).toBeVisible()
  await context.close()
})

test('every command is reachable by keyboard at any width, and the focus returns', async ({ page: host, browser }) => {
  const event = await createEvent(host)
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  await expect(host.getByRole('dialog', { name: 'Перевірте камеру й мікрофон' })).toBeFocused()
  await host.keyboard.press('Escape')
  await host.keyboard.press('g')
  await expect(host.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
  const action = (name: string) => host.locator(`[data-action="${name}"]`)
  const rows = () =>
    host
      .locator('.room-bar .room-button:visible')
      .evaluateAll((all) => new Set(all.map((element) => Math.round(element.getBoundingClientRect().top))).size)

  for (const width of [1440, 1024, 768]) {
    await host.setViewportSize({ width, height: 900 })
    await expect.poll(rows).toBe(1)
  }
  await host.setViewportSize({ width: 390, height: 844 })
  await expect.poll(rows).toBe(2)
  await action('more').click()
  await host.getByRole('menuitemcheckbox', { name: 'Слайди й ведучий у кутку' }).click()
  await expect(host.locator('.stage')).toHaveAttribute('data-mode', 'preview')
  await host.keyboard.press('Escape')
  await host.setViewportSize({ width: 1440, height: 900 })

  // Drawers open one after another without covering the stage; the focus returns to the first opener.
  await host.keyboard.press('l')
  await expect(host.getByRole('region', { name: 'Показати глядачам' })).toBeFocused()
  await host.keyboard.press('t')
  const drawer = host.getByRole('region', { name: 'Усі слайди' })
  await expect(drawer).toBeFocused()
  const [beside, stage] = [await drawer.boundingBox(), await host.locator('.room-stage').boundingBox()]
  expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThanOrEqual(stage?.x ?? 0)
  await host.keyboard.press('Escape')
  await expect(action('launcher')).toBeFocused()

  await host.keyboard.press('y')
  await expect(host.getByRole('textbox', { name: 'Рядок субтитрів' })).toBeFocused()
  await host.keyboard.press('Escape')
  await host.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur())

  // A dialog is visible in full screen too.
  await host.keyboard.press('f')
  await expect.poll(() => host.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML')
  await host.keyboard.press('q')
  await expect(host.getByRole('dialog', { name: 'Вийти з кімнати?' })).toBeVisible()
  await host.getByRole('button', { name: 'Скасувати' }).press('Enter')
  await expect(action('leave')).toBeFocused()
  await host.keyboard.press('f')

  // The time zone of the reader is used for the times of messages.
  const errors: string[] = []
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  await viewer.getByRole('textbox', { name: 'Повідомлення' }).fill('Чутно добре')
  await viewer.keyboard.press('Enter')
  await expect(viewer.getByText('надсилаємо…')).toHaveCount(0)
  viewer.on('pageerror', ({ message }) => errors.push(message))
  await viewer.reload()
  await waitForRoom(viewer)
  await expect(viewer.locator('.chat-row time')).toHaveText(/^\d\d:\d\d$/)
  expect(errors).toEqual([])
  await finishEvent(host)
  await viewer.waitForURL(/\/meeting\/finished/)
  await closeContexts(context)
})
