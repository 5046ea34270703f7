import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import {
  activateEditor,
  createWrittenLesson,
  lessonTextBox,
  openSecondAuthor,
  readSavedText,
} from '../support/written-lesson.ts'

/*
 * Real browsers and the built product: two authors, killed tabs, network failures, expired cookies, in an order
 * determined by a seed. At the end every typed word is in the lesson. `npm run soak` runs more seeds.
 */
const RUNS = Number(process.env.BROWSER_CHAOS_RUNS ?? 2)
const STEPS = 14

interface Author {
  context: BrowserContext
  cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  pages: Page[]
  name: string
}

for (let seed = 1; seed <= RUNS; seed += 1) {
  test(`no typed word is lost, seed ${seed}`, async ({ page }) => {
    test.setTimeout(180_000)
    const pick = seeded(seed)
    const { lessonId, url } = await createWrittenLesson(page, 'Раз.', 'Два.', 'Три.', 'Чотири.')
    const { page: other } = await openSecondAuthor(page, 'expert')
    const authors: Author[] = []
    for (const [name, tab] of Object.entries({ a: page, b: other })) {
      const context = tab.context()
      authors.push({ context, cookies: await context.cookies(), pages: [tab], name })
      await arrive(tab, url)
    }
    const words: string[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const author = authors[pick(2)]
      if (author) await happen(author, { url, pick, words })
    }
    for (const author of authors) await comeBack(author, url)
    const text = await readSavedText(page.isClosed() ? (authors[0]?.pages[0] ?? page) : page, lessonId)
    expect(words.filter((word) => !text.includes(word))).toEqual([])
    await other.context().close()
  })
}

interface Scene {
  url: string
  pick: (below: number) => number
  words: string[]
}

async function happen(author: Author, { url, pick, words }: Scene): Promise<void> {
  const at = pick(author.pages.length)
  const tab = author.pages[at]
  if (!tab) return openTab(author, url)
  const action = pick(12)
  if (action < 5) await write(tab, author, words, pick)
  else if (action < 6) await author.context.setOffline(true)
  else if (action < 7) await author.context.setOffline(false)
  else if (action < 8) await author.context.clearCookies({ name: 'token' })
  else if (action < 9) await author.context.addCookies(author.cookies)
  else if (action < 11) {
    await write(tab, author, words, pick)
    author.pages.splice(at, 1)
    await kill(tab, pick)
  } else if (author.pages.length < 2) await openTab(author, url)
}

async function write(tab: Page, author: Author, words: string[], pick: (below: number) => number): Promise<void> {
  const text = lessonTextBox(tab)
  if (!(await text.isVisible())) return
  const blocks = text.locator(':scope > p')
  await blocks.nth(pick(await blocks.count())).click()
  await tab.keyboard.press('End')
  const word = `${author.name}${words.length}z`
  await tab.keyboard.type(` ${word}`)
  words.push(word)
}

// A crashed renderer fires no unload events; a closed tab may.
async function kill(tab: Page, pick: (below: number) => number): Promise<void> {
  if (pick(2) === 0) {
    const session = await tab.context().newCDPSession(tab)
    const crashed = tab.waitForEvent('crash')
    void session.send('Page.crash').catch(() => undefined)
    await crashed
  }
  await tab.close({ runBeforeUnload: false })
}

async function openTab(author: Author, url: string): Promise<void> {
  await author.context.setOffline(false)
  await author.context.addCookies(author.cookies)
  const tab = await author.context.newPage()
  author.pages.push(tab)
  await arrive(tab, url)
}

async function arrive(tab: Page, url: string): Promise<void> {
  await tab.goto(url)
  await activateEditor(tab)
}

/** Network and login session are restored, and both texts are kept where a choice is offered. */
async function comeBack(author: Author, url: string): Promise<void> {
  await author.context.setOffline(false)
  await author.context.addCookies(author.cookies)
  if (author.pages.length === 0) await openTab(author, url)
  for (let round = 0; round < 3; round += 1) {
    for (const tab of author.pages) {
      await tab.bringToFront()
      await tab.evaluate(() => window.dispatchEvent(new Event('focus')))
      await settle(tab)
    }
  }
  // The draft of a killed tab is found by the next page.
  const [first] = author.pages
  await first?.reload()
  if (first) {
    await activateEditor(first)
    await settle(first)
  }
}

async function settle(tab: Page): Promise<void> {
  const both = tab.getByRole('button', { name: 'Залишити обидві' })
  const quiet = tab.getByText(/^Збережено \d\d:\d\d$/)
  await expect(async () => {
    if (await both.isVisible()) await both.click()
    await tab.evaluate(() => window.dispatchEvent(new Event('focus')))
    const busy = await tab.getByText(/Зберігаємо|Тільки на цьому пристрої|Конфлікт/).count()
    expect(busy, 'still to be sent').toBe(0)
  }).toPass({ timeout: 40_000 })
  await quiet.or(lessonTextBox(tab)).first().waitFor()
}

/** Pseudorandom numbers of a seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
