import { readFileSync } from 'node:fs'
import { expectAccessible } from '../support/accessible.ts'
import {
  type Block,
  callCourseApi,
  createLesson,
  openEditor,
  pasteContent,
  readSavedBlocks,
  writeBlocks,
} from '../support/lesson.ts'
import { getSignInCookies, STUDENT } from '../support/sign-in.ts'
import { addressOf, expect, test } from '../support/test.ts'

const pasted = (name: string) => readFileSync(`tests/e2e/pasted/${name}.html`, 'utf8')
const types = (blocks: readonly Block[]) => blocks.map(({ type }) => type)
const wordsOf = ({ text, content = [] }: Block): string => text ?? content.map(wordsOf).join('')

const WHAT_COMES = { timeout: 15_000 }

test('inserts each block from the slash menu by keyboard only', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await page.keyboard.type('/вино')
  await expect(page.getByRole('option', { name: 'Виноска' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Перевірте звук')
  await page.getByRole('combobox', { name: 'Вид виноски' }).selectOption('warning')
  await page.getByRole('textbox', { name: 'Текст уроку' }).press('Control+End')
  await expect
    .poll(async () => (await readSavedBlocks(page, lessonId))[0], WHAT_COMES)
    .toMatchObject({
      type: 'callout',
      attrs: { tone: 'warning' },
    })
})

test('explains the slash, finds blocks by words in both languages, and leaves a table downwards', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  const text = await openEditor(page)
  await expect(text).toHaveAttribute('aria-placeholder', /натисніть \//)
  await expect(text.locator('[data-hint]')).toHaveCount(1)
  await page.keyboard.type('5 / 10 осіб')
  await expect(text.locator('[data-hint]')).toHaveCount(0)
  await expect(page.getByRole('listbox', { name: 'Який блок додати' })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await page.keyboard.type('/two col')
  await expect(page.getByRole('option', { name: 'Дві колонки' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  for (let n = 0; n < '/two col'.length; n += 1) await page.keyboard.press('Backspace')
  await page.keyboard.type('/table')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.type('У клітинці')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('Після таблиці')
  await expect
    .poll(async () => (await readSavedBlocks(page, lessonId)).map(({ type }) => type), WHAT_COMES)
    .toEqual(['paragraph', 'table', 'paragraph'])
  expect(wordsOf((await readSavedBlocks(page, lessonId))[2] ?? { type: '' })).toBe('Після таблиці')
})

test('moves, duplicates and deletes the block of the cursor', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await page.keyboard.type('Перший')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Другий')
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await page.keyboard.type('!')
  const now = async () => (await readSavedBlocks(page, lessonId)).map(wordsOf)
  await expect.poll(now, WHAT_COMES).toEqual(['Другий!', 'Перший'])
  await page.keyboard.press('Control+Shift+D')
  await expect.poll(now, WHAT_COMES).toEqual(['Другий!', 'Другий!', 'Перший'])
  await page.getByRole('button', { name: 'Дії з блоком' }).first().click()
  await page.getByRole('menuitem', { name: 'Видалити блок' }).click()
  await expect.poll(now, WHAT_COMES).toEqual(['Другий!', 'Перший'])
})

test('keeps the structure of text pasted from Word and drops its styles', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await pasteContent(page, { 'text/html': pasted('word'), 'text/plain': 'План вебінару' })
  await expect.poll(async () => (await readSavedBlocks(page, lessonId)).length, WHAT_COMES).toBeGreaterThan(5)
  const blocks = await readSavedBlocks(page, lessonId)
  expect(types(blocks)).toEqual([
    'heading',
    'paragraph',
    'heading',
    'bulletList',
    'paragraph',
    'orderedList',
    'table',
    'paragraph',
  ])
  expect(blocks.filter(({ type }) => type === 'heading').map(({ attrs }) => attrs?.level)).toEqual([2, 3])
  expect(blocks[1]?.content?.filter(({ marks }) => marks).map(({ text, marks }) => [text, marks?.[0]?.type])).toEqual([
    ['Ціль:', 'bold'],
    ['перший', 'italic'],
    ['годину', 'underline'],
    ['панікувати', 'strike'],
  ])
  const [first, second] = blocks[3]?.content ?? []
  expect(types(first?.content ?? [])).toEqual(['paragraph', 'bulletList'])
  expect([wordsOf(first ?? { type: '' }), wordsOf(second ?? { type: '' })]).toEqual([
    'мікрофонзапасний кабель',
    'світло',
  ])
  expect(blocks[6]?.content?.[1]?.content?.[0]?.attrs?.colspan).toBe(2)
  const whole = JSON.stringify(blocks)
  expect(whole).toContain('https://example.com/plan?a=1&b=2')
  expect(whole).not.toMatch(/Прихована|_Toc|Mso|file:|xml/)
})

test('keeps the structure of text pasted from Google Docs and drops its styles', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await pasteContent(page, { 'text/html': pasted('google-docs'), 'text/plain': 'Перший ефір' })
  await expect.poll(async () => (await readSavedBlocks(page, lessonId)).length, WHAT_COMES).toBeGreaterThan(3)
  const blocks = await readSavedBlocks(page, lessonId)
  expect(types(blocks)).toEqual(['heading', 'paragraph', 'bulletList', 'taskList', 'table'])
  expect(blocks[1]?.content?.map(({ text, marks = [] }) => [text, marks.map(({ type }) => type).join()])).toEqual([
    ['Говоріть ', ''],
    ['повільно', 'bold'],
    [' і чітко', 'italic'],
    [' голосно', 'strike'],
    ['. ', ''],
    ['Вправи для голосу', 'link'],
  ])
  expect(blocks[1]?.content?.at(-1)?.marks?.[0]?.attrs?.href).toBe('https://example.com/voice')
  expect(types(blocks[2]?.content?.[0]?.content ?? [])).toEqual(['paragraph', 'bulletList'])
  expect(blocks[3]?.content?.map(({ attrs }) => attrs?.checked)).toEqual([true, false])
})

test('turns the URL of a video into a video block, and loads its frame only after a click', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await pasteContent(page, { 'text/plain': 'https://youtu.be/dQw4w9WgXcQ?t=42' })
  await expect(page.getByRole('button', { name: /YouTube/ })).toBeVisible()
  await expect
    .poll(async () => types(await readSavedBlocks(page, lessonId)), WHAT_COMES)
    .toEqual(['embed', 'paragraph'])
  await pasteContent(page, { 'text/plain': 'https://vimeo.com/76979871' })
  await expect
    .poll(async () => types(await readSavedBlocks(page, lessonId)), WHAT_COMES)
    .toEqual(['embed', 'embed', 'paragraph'])
  const [first] = await readSavedBlocks(page, lessonId)
  expect(first?.attrs?.url).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42')
  const framed: string[] = []
  await page.route(/youtube-nocookie/, (route) => {
    framed.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<p>video</p>' })
  })
  expect(framed).toEqual([])
  await page.getByRole('button', { name: /YouTube/ }).click()
  await expect(page.frameLocator('iframe').getByText('video')).toBeVisible()
})

test('refuses sites that are not on the list, with a message', async ({ page }) => {
  await createLesson(page)
  await openEditor(page)
  await page.getByRole('button', { name: 'Блок', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Вставка з іншого сайту' }).click()
  await page.getByRole('textbox', { name: 'Адреса сторінки або код вставки' }).fill('https://evil.example/embed/1')
  await page.getByRole('button', { name: 'Вставити' }).click()
  await expect(page.getByText('Цього сайту немає серед дозволених.')).toBeVisible()
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function drop(page: Parameters<typeof pasteContent>[0], files: { name: string; type: string; base64: string }[]) {
  await page.getByRole('textbox', { name: 'Текст уроку' }).evaluate((text, given) => {
    const data = new DataTransfer()
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type }))
    }
    const { x, y } = text.getBoundingClientRect()
    text.dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, clientX: x + 20, clientY: y + 10 }),
    )
  }, files)
}

const unique = () => Math.random().toString(36).slice(2)
const fileOf = (name: string, type: string, bytes: Buffer | string) => ({
  name,
  type,
  base64: Buffer.concat([
    Buffer.from(bytes),
    Buffer.from(type.startsWith('image') ? unique() : `\n${unique()}`),
  ]).toString('base64'),
})

/** One second of silence, as a WAV of 8000 samples. */
function silence(): Buffer {
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
  const rate = 8000
  head.writeUInt32LE(36 + rate * 2, 4)
  head.writeUInt32LE(16, 16)
  for (const [at, value] of [[20, 1] as const, [22, 1] as const, [32, 2] as const, [34, 16] as const]) {
    head.writeUInt16LE(value, at)
  }
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt32LE(rate * 2, 40)
  return Buffer.concat([head, Buffer.alloc(rate * 2)])
}

test('turns each dropped file into the matching block', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await drop(page, [
    fileOf('схема.png', 'image/png', PNG),
    fileOf('план.pdf', 'application/pdf', '%PDF-1.4\n%%EOF'),
    fileOf('дані.csv', 'text/csv', 'a,b\n1,2'),
    fileOf('тиша.wav', 'audio/wav', silence()),
  ])
  await expect
    .poll(async () => types(await readSavedBlocks(page, lessonId)), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['image', 'pdf', 'file', 'audio']))
  expect(JSON.stringify(await readSavedBlocks(page, lessonId))).not.toContain('"upload"')
})

test('keeps the place of an uploading file through a reload, and inserts it when it is complete', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  let hold = true
  await page.route(/\/v1\/part\//, async (route) => {
    if (hold) return route.abort()
    return route.continue()
  })
  const file = fileOf('звіт.csv', 'text/csv', 'a,b\n1,2')
  await drop(page, [file])
  await expect
    .poll(
      async () => (await readSavedBlocks(page, lessonId)).find(({ type }) => type === 'upload')?.attrs?.fileId,
      WHAT_COMES,
    )
    .toBeTruthy()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await openEditor(page)
  await expect(page.getByText('Завантаження «звіт.csv» зупинилося.', { exact: false })).toBeVisible()
  hold = false
  await page
    .getByLabel('Вибрати файл', { exact: true })
    .setInputFiles({ name: file.name, mimeType: file.type, buffer: Buffer.from(file.base64, 'base64') })
  await expect
    .poll(async () => types(await readSavedBlocks(page, lessonId)), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['file']))
})

test('inserts an uploaded file while the author is on another page', async ({ page }) => {
  const { courseId, lessonId } = await createLesson(page)
  await openEditor(page)
  let release = () => {}
  const gone = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/v1\/part\//, async (route) => {
    await gone
    await route.continue()
  })
  await drop(page, [fileOf('нотатки.csv', 'text/csv', 'a,b\n1,2')])
  const upload = async () => (await readSavedBlocks(page, lessonId)).find(({ type }) => type === 'upload')
  await expect.poll(async () => (await upload())?.attrs?.fileId, WHAT_COMES).toBeTruthy()
  await page.getByRole('link', { name: 'Курси' }).first().click()
  await expect(page.getByRole('heading', { name: 'Курси', level: 1 })).toBeVisible()
  release()
  const fileId = String((await upload())?.attrs?.fileId)
  const arrived = () => page.evaluate(async (id) => (await fetch(`/v1/module/storage/get?fileId=${id}`)).status, fileId)
  await expect.poll(arrived, { timeout: 30_000 }).toBe(200)
  await page.goto(addressOf('demo', `/course/edit/${courseId}?lesson=${lessonId}`))
  await expect(page.getByRole('link', { name: /нотатки\.csv/ })).toBeVisible()
  await openEditor(page)
  await expect.poll(async () => types(await readSavedBlocks(page, lessonId)), WHAT_COMES).toContain('file')
})

test('selects an image from the storage and asks for its alternative text', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await page.keyboard.type('/зобра')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Зображення' })
  await dialog.getByRole('list', { name: 'Файли школи' }).getByRole('button').first().click()
  await expect(page.getByText('порада до тексту')).toBeVisible()
  await page.getByRole('textbox', { name: /Що на зображенні/ }).fill('Сцена зі світлом')
  await expect(page.getByText('порада до тексту')).toBeHidden()
  await expect
    .poll(async () => (await readSavedBlocks(page, lessonId))[0], WHAT_COMES)
    .toMatchObject({
      type: 'image',
      attrs: { alt: 'Сцена зі світлом' },
    })
})

const HOSTILE = `<p>Початок</p><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">
<svg onload="window.hacked = 1"><a xlink:href="javascript:window.hacked=1">х</a></svg>
<a href="javascript:window.hacked=1">посилання</a><iframe src="javascript:parent.hacked=1"></iframe>
<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><iframe src="https://evil.example/embed/1"></iframe>
<div data-lesson="button" data-label="кнопка" data-href="javascript:window.hacked=1"></div>
<div data-lesson="embed" data-url="https://evil.example/embed/1"></div>
<div data-lesson="file" data-fileId="../../x" data-name="x"></div>
<img src="/v1/file/../../x" alt="x"><p style="background:url(javascript:window.hacked=1)">Кінець</p>`

test('pastes nothing from a malicious clipboard that would be executed or could not be saved', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  const text = await openEditor(page)
  await pasteContent(page, { 'text/html': HOSTILE, 'text/plain': 'Початок' })
  await expect(text).toContainText('Кінець')
  await expect.poll(async () => (await readSavedBlocks(page, lessonId)).map(wordsOf), WHAT_COMES).toContain('Кінець')
  expect(JSON.stringify(await readSavedBlocks(page, lessonId))).not.toMatch(/javascript|evil|hacked/)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('uploads images of the clipboard to the storage and lists those that cannot be uploaded', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  const inside = fileOf('x.png', 'image/png', PNG).base64
  const html = `<p>Схема</p><img src="data:image/png;base64,${inside}"><img src="https://lh7.googleusercontent.com/x">`
  await pasteContent(page, { 'text/html': html, 'text/plain': 'Схема' })
  await expect(page.getByText('1 зображення не перенеслося', { exact: false })).toBeVisible()
  await expect
    .poll(async () => types(await readSavedBlocks(page, lessonId)), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['paragraph', 'image']))
})

test('changes a table by its menu', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  await openEditor(page)
  await page.keyboard.type('/табл')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Час')
  const action = async (name: string) => {
    await page.getByRole('button', { name: 'Таблиця' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await action('Стовпець праворуч')
  await action('Рядок нижче')
  await action('Видалити стовпець')
  const size = async () => {
    const table = (await readSavedBlocks(page, lessonId)).find(({ type }) => type === 'table')
    return [table?.content?.length, table?.content?.[0]?.content?.length]
  }
  await expect.poll(size, WHAT_COMES).toEqual([4, 3])
})

test('creates a task where its block is inserted, and links to its panel', async ({ page }) => {
  const { lessonId } = await createLesson(page)
  const text = await openEditor(page)
  await page.keyboard.type('/завд')
  await page.keyboard.press('Enter')
  await expect(text.getByRole('button', { name: 'Відкрити завдання' })).toBeVisible()
  await expect
    .poll(
      async () => (await readSavedBlocks(page, lessonId)).find(({ type }) => type === 'task')?.attrs?.taskId,
      WHAT_COMES,
    )
    .toMatch(/^[0-9a-f-]{36}$/)
})

const words = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const EVERY: Block[] = [
  { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Перед ефіром' }] },
  { type: 'callout', attrs: { tone: 'tip' }, content: [words('Говоріть повільно')] },
  {
    type: 'columns',
    content: [
      { type: 'column', content: [words('Ліворуч')] },
      { type: 'column', content: [words('Праворуч')] },
    ],
  },
  { type: 'embed', attrs: { url: 'https://player.vimeo.com/video/76979871', title: 'Ефір' } },
  { type: 'button', attrs: { label: 'До курсів', href: '/courses' } },
  { type: 'test', attrs: { testId: null } },
  words('Кінець'),
]

test('is accessible, as editor and as lesson', async ({ page, browser }) => {
  const { courseId, lessonId } = await createLesson(page)
  await writeBlocks(page, lessonId, EVERY)
  await page.reload()
  await expectAccessible(page)
  await openEditor(page)
  await expectAccessible(page)
  await callCourseApi(page, 'publishLesson', { lessonId })
  await callCourseApi(page, 'publish', { courseId })
  await callCourseApi(page, 'invite', { courseId, email: STUDENT })
  const phone = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const reader = await phone.newPage()
  await phone.addCookies(await getSignInCookies(reader, STUDENT))
  await reader.goto(addressOf('demo', `/course/lesson/${lessonId}`))
  await expect(reader.getByRole('note')).toContainText('Порада')
  await expectAccessible(reader)
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await reader.route(/player\.vimeo\.com/, (route) => route.fulfill({ contentType: 'text/html', body: '<p>video</p>' }))
  await reader.getByRole('link', { name: /Vimeo: Ефір/ }).click()
  await expect(reader.frameLocator('iframe[title="Vimeo: Ефір"]').getByText('video')).toBeVisible()
  await phone.close()
})
