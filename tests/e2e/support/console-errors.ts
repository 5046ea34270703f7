import type { Browser, BrowserContext, Page } from '@playwright/test'
import { addressOf } from './address.ts'
import type { Crawler, SentPage } from './crawl.ts'
import { STAFF_ROLES, staffEmail } from './sign-in.ts'

/** High enough that every island that becomes visible is hydrated. */
const VIEWPORT = { width: 1440, height: 4000 }
/** Number of concurrent browser contexts. */
const CONTEXTS = 2
const OTHER_STAFF: ReadonlySet<string> = new Set(STAFF_ROLES.filter((role) => role !== 'owner').map(staffEmail))
const HYDRATION_TIMEOUT_MS = 15_000
/** Plays streams that are not published, which a browser reports as failed requests. */
const TRIAL_PATH = '/dev/broadcast'

/**
 * The pages to open: for the owner, the student and visitors one of each route, tab and part; for other roles, whose
 * pages of single objects equal the owner's, the pages without an id.
 */
export function pagesToOpen(pages: readonly SentPage[]): SentPage[] {
  const seen = new Set<string>()
  return pages.filter(({ crawler, method, status, pattern, url }) => {
    const isMain = pattern !== null && !pattern.includes('{') && url.search === ''
    const shown = ['tab', 'part', 'from'].map((name) => url.searchParams.get(name))
    const kind = [crawler.name, url.host, pattern ?? url.pathname, ...shown].join(' ')
    if (method !== 'GET' || status !== 200 || seen.has(kind) || url.pathname === TRIAL_PATH) return false
    if (OTHER_STAFF.has(crawler.name) && !isMain) return false
    seen.add(kind)
    return true
  })
}

/**
 * Opens the pages in a browser as their crawlers, hydrates their islands, and returns errors that their consoles show:
 * messages, uncaught errors, requests that failed, violations of the Content-Security-Policy.
 */
export async function findConsoleErrors(browser: Browser, pages: readonly SentPage[]): Promise<string[]> {
  const errors: string[] = []
  const crawlers = [...new Set(pages.map(({ crawler }) => crawler))]
  const openNext = async (): Promise<void> => {
    for (let crawler = crawlers.shift(); crawler; crawler = crawlers.shift()) {
      const own = pages.filter((page) => page.crawler === crawler)
      errors.push(...(await openAll(browser, crawler, own)))
    }
  }
  await Promise.all(Array.from({ length: CONTEXTS }, openNext))
  return errors
}

async function openAll(browser: Browser, crawler: Crawler, pages: readonly SentPage[]): Promise<string[]> {
  const errors: string[] = []
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'uk-UA', timezoneId: 'Europe/Kyiv' })
  await context.addCookies(cookiesOf(crawler))
  await listenForViolations(context)
  const page = await context.newPage()
  let opened = ''
  page.on('pageerror', (error) => errors.push(`${opened}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${opened}: ${message.text()} ${message.location().url}`)
  })
  for (const { name, url } of pages) {
    opened = name
    await page.goto(url.href, { waitUntil: 'load' })
    await waitForHydration(page)
  }
  await context.close()
  return errors
}

const cookiesOf = ({ cookie }: Crawler) =>
  cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=')
    const domain = `.${new URL(addressOf(null)).hostname}`
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain, path: '/' }
  })

/** Chromium does not log blocked evaluations. */
const listenForViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      console.error(`Content-Security-Policy: ${effectiveDirective}: ${blockedURI} ${sourceFile}`),
    )
  })

/** Waits until the visible islands are hydrated and the browser is idle. */
async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('astro-island[ssr]')]
        .flatMap((island) => [...island.children])
        .every((part) => {
          const { width, height, top } = part.getBoundingClientRect()
          return width * height === 0 || top > innerHeight
        }),
    undefined,
    { timeout: HYDRATION_TIMEOUT_MS },
  )
  await page.evaluate(
    () => new Promise<void>((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve()))),
  )
}
