import type { Page } from '@playwright/test'
import { createLesson, openEditor, writeBlocks } from '../support/lesson.ts'
import { callStorageApi, getAuthToken, uploadClip, waitUntilEncoded } from '../support/storage.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

// One upload serves the whole file.
test.describe.configure({ mode: 'default' })

const SRT = `1
00:00:00,000 --> 00:00:02,000
Добрий <font color="red">день</font>

2
00:00:02,000 --> 00:00:04,000
Почнімо з головного
`
const NAME = `Урок ${Date.now()}.mp4`

let expert: string
let fileId: string
test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  const page = await (await browser.newContext()).newPage()
  expert = await getAuthToken(page, staffEmail('expert'))
  fileId = await uploadClip(expert, NAME, {
    size: '320x180',
    rate: 10,
    seconds: 5,
    tone: 440,
    options: ['-movflags', '+faststart'],
  })
  await waitUntilEncoded(expert, fileId)
  await page.context().close()
})
test.beforeEach(async ({ page }) => page.context().addCookies(await getSignInCookies(page, staffEmail('expert'))))

async function openVideoEditor(page: Page) {
  await page.goto(addressOf('demo', `/storage?q=${encodeURIComponent(NAME)}`))
  await page.getByRole('button', { name: `Дії: ${NAME}` }).click()
  await page.getByRole('menuitem', { name: 'Докладно' }).click()
  await page.getByRole('button', { name: /субтитри, розділи/ }).click()
  const editor = page.getByRole('region', { name: /Редактор відео/ })
  await editor.getByRole('tab', { name: 'Субтитри' }).click()
  return editor
}

/** The captions on the server, in WebVTT. */
const kept = async () =>
  (await callStorageApi<{ cues: { text: string }[] }>(expert, 'getCaption', { fileId, lang: 'uk' })).cues.map(
    ({ text }) => text,
  )

/** Encodes Cyrillic letters in windows-1251; of Ґ, Є, І and Ї only the і of this text. */
const encode1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((sign) => {
      if (sign === 'і') return 0xb3
      return sign >= 'А' && sign <= 'я' ? sign.charCodeAt(0) - 0x350 : sign.charCodeAt(0)
    }),
  )

const saved = (page: Page) => expect(page.getByText(/^Збережено \d\d:\d\d$/).first()).toBeVisible()

test('captions are uploaded, corrected and played after a reload', async ({ page }) => {
  const editor = await openVideoEditor(page)
  const picker = editor.locator('input[type=file]').first()
  await picker.setInputFiles({ name: 'bad.srt', mimeType: 'text/plain', buffer: Buffer.from('просто слова') })
  await expect(editor.getByRole('alert')).toHaveText(/^Рядок 1: це не WebVTT і не SubRip/)
  // In windows-1251, with a caption whose end precedes its start.
  const mixed = encode1251(
    `${SRT}\n3\n00:00:09,000 --> 00:00:08,000\nХибна\n\n4\n00:00:10,000 --> 00:00:11,000\nПізня\n`,
  )
  await picker.setInputFiles({ name: 'old.srt', mimeType: 'text/plain', buffer: mixed })
  await expect(editor.getByRole('alert')).toContainText('1 репліку з помилкою пропущено')
  await expect(editor.getByRole('alert')).toContainText('Рядок 10: кінець має бути пізніше за початок')
  await expect(editor.getByText('Субтитри закінчуються на 0:11, а відео триває 0:05.')).toBeVisible()
  await expect.poll(kept).toContain('Пізня')
  await picker.setInputFiles({ name: 'uk.srt', mimeType: 'text/plain', buffer: Buffer.from(SRT) })
  await expect.poll(kept).toEqual(['Добрий день', 'Почнімо з головного'])
  await expect(editor.getByText('Готові')).toBeVisible()

  await editor.getByRole('button', { name: 'Редагувати субтитри: Українська' }).click()
  const first = editor.getByRole('textbox', { name: 'Текст репліки 1' })
  await expect(first).toHaveValue('Добрий день')
  await first.fill('Добрий вечір & вітання')
  await expect.poll(kept).toEqual(['Добрий вечір &amp; вітання', 'Почнімо з головного'])

  // Split at the cursor, and joined again with Backspace.
  await first.press('End')
  for (const _ of '& вітання') await first.press('ArrowLeft')
  await first.press('Control+Enter')
  const second = editor.getByRole('textbox', { name: 'Текст репліки 2' })
  await expect(second).toBeFocused()
  await expect(second).toHaveValue('& вітання')
  await second.press('Home')
  await second.press('Backspace')
  await expect(first).toHaveValue('Добрий вечір\n& вітання')
  await editor.getByRole('button', { name: 'Видалити репліку 2' }).click()
  // Undo works after the removal was saved; the pointer over the notice keeps it open.
  const undo = editor.getByRole('button', { name: 'Повернути' })
  await undo.hover()
  await expect.poll(kept).toEqual(['Добрий вечір\n&amp; вітання'])
  await saved(page)
  await undo.click()
  await expect(second).toHaveValue('Почнімо з головного')
  await expect.poll(kept).toEqual(['Добрий вечір\n&amp; вітання', 'Почнімо з головного'])
  await expectAccessible(page)

  await page.reload()
  const again = await openVideoEditor(page)
  await again.getByRole('button', { name: 'Дивитися' }).click()
  await expect
    .poll(() =>
      again.locator('video').evaluate((video: HTMLVideoElement) => {
        const [track] = video.textTracks
        if (!track) return null
        track.mode = 'hidden'
        return [...(track.cues ?? [])].map((cue) => (cue instanceof VTTCue ? cue.text : ''))
      }),
    )
    .toEqual(['Добрий вечір\n&amp; вітання', 'Почнімо з головного'])
})

test('typed text is not lost without a network, and an invalid time is not saved', async ({ page, context }) => {
  await callStorageApi(expert, 'saveCaption', {
    fileId,
    lang: 'en',
    text: 'WEBVTT\n\n00:00.000 --> 00:02.000\nGood day\n',
  })
  const editor = await openVideoEditor(page)
  await editor.getByRole('button', { name: 'Редагувати субтитри: Англійська' }).click()
  const text = editor.getByRole('textbox', { name: 'Текст репліки 1' })
  await expect(text).toHaveValue('Good day')
  await context.setOffline(true)
  await text.fill('Good evening')
  await expect(editor.getByText('Тільки на цьому пристрої')).toBeVisible()
  await context.setOffline(false)
  await saved(page)
  const end = editor.getByRole('textbox', { name: 'Кінець репліки 1' })
  await end.fill('0:00')
  await end.blur()
  await expect(editor.getByText('Не збережено: виправте час у позначених репліках.')).toBeVisible()
  await end.fill('0:03')
  await saved(page)
  expect(await callStorageApi(expert, 'getCaption', { fileId, lang: 'en' })).toMatchObject({
    cues: [{ start: 0, end: 3, text: 'Good evening' }],
  })
})

test('chapters, name and poster are changed; without a language service generation is not offered', async ({
  page,
}) => {
  const editor = await openVideoEditor(page)
  await expect(editor.getByRole('button', { name: /Розпізнати/ })).toHaveCount(0)
  await editor.getByRole('tab', { name: 'Розділи' }).click()
  await editor.getByRole('button', { name: 'Додати розділ', exact: true }).click()
  await editor.getByRole('textbox', { name: 'Назва розділу 1' }).fill('Знайомство')
  await saved(page)
  await editor.getByRole('tab', { name: 'Обкладинка' }).click()
  await editor.getByRole('radio', { name: 'Кадр 2' }).check()
  await expect
    .poll(() => callStorageApi(expert, 'getVideoEditor', { fileId }))
    .toMatchObject({
      poster: 1,
      chapters: [{ at: 0, title: 'Знайомство' }],
    })
  await expectAccessible(page)
})

test('captions are opened from a video’s preview and from its block in a lesson', async ({ page, browser }) => {
  await page.goto(addressOf('demo', `/storage?q=${encodeURIComponent(NAME)}`))
  await expect(page.locator('[data-storage-live]')).toBeVisible()
  await page.getByRole('button', { name: `Дії: ${NAME}` }).click()
  await page.getByRole('menuitem', { name: 'Переглянути' }).click()
  await page.getByRole('dialog', { name: NAME }).getByRole('button', { name: 'Субтитри' }).click()
  const captions = page.getByRole('tab', { name: 'Субтитри', selected: true })
  await expect(captions).toBeVisible()

  const owner = await (await browser.newContext({ locale: 'uk-UA' })).newPage()
  const { lessonId } = await createLesson(owner)
  await writeBlocks(owner, lessonId, [{ type: 'video', attrs: { fileId } }])
  await owner.reload()
  await openEditor(owner)
  const opener = owner.getByRole('button', { name: /^Субтитри: / })
  await opener.click()
  await expect(owner.getByRole('tab', { name: 'Субтитри', selected: true })).toBeVisible()
  await owner.getByRole('dialog').getByRole('button', { name: 'Закрити' }).first().click()
  await expect(owner.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await owner.context().close()
})
