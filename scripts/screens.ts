import fs from 'node:fs'
import path from 'node:path'
import { type BrowserContext, type Cookie, chromium } from '@playwright/test'
import { addressOf } from '../tests/e2e/support/address.ts'
import { eachLook, type Look, wear } from '../tests/e2e/support/look.ts'
import { STUDENT, signIn, staff } from '../tests/e2e/support/sign-in.ts'
import { startProduct } from '../tests/setup/product.ts'
import { BROWSER_FLAGS, bringBrowser } from './test-browser.ts'

/*
 * npm run screens: pictures of the pages into screens/, at 390, 768 and 1440 px, in both languages, by day and by night.
 *   npm run screens -- courses login              only pages whose name holds one of these words
 *   npm run screens -- --origin http://kafedra.localhost:4321    of a product that runs already
 */
interface Shot {
  name: string
  host: string | null
  path: string
  /** Who looks; null for a visitor. */
  email: string | null
  /** Follows the first link on the page whose address begins so, for pages that have an id. */
  follow?: string
}

const OWNER = staff('owner')
const SHOTS: Shot[] = [
  { name: 'landing', host: null, path: '/', email: null },
  { name: 'login', host: null, path: '/login', email: null },
  { name: 'register', host: null, path: '/register', email: null },
  { name: 'forgot-password', host: null, path: '/forgot-password', email: null },
  { name: 'email-verify', host: null, path: '/email-verify', email: null },
  { name: 'unknown-school', host: 'nobody-here', path: '/', email: null },
  { name: 'styleguide', host: null, path: '/dev/styleguide', email: null },
  { name: 'outbox', host: null, path: '/dev/outbox', email: null },
  { name: 'dashboard', host: 'demo', path: '/', email: OWNER },
  { name: 'courses', host: 'demo', path: '/courses', email: OWNER },
  { name: 'course-create', host: 'demo', path: '/course/create', email: OWNER },
  { name: 'course-edit', host: 'demo', path: '/courses', email: OWNER, follow: '/course/edit/' },
  { name: 'profile', host: 'demo', path: '/profile', email: OWNER },
  { name: 'dashboard-mentor', host: 'demo', path: '/', email: staff('mentor') },
  { name: 'student-profile', host: 'go', path: '/profile', email: STUDENT },
  { name: 'student-courses', host: 'go', path: '/courses', email: STUDENT },
  { name: 'student-course', host: 'go', path: '/courses', email: STUDENT, follow: '/course/view/' },
  { name: 'student-lesson', host: 'go', path: '/profile', email: STUDENT, follow: '/course/lesson/' },
]

const signedIn = new Map<string, Cookie[]>()
const FOLDER = path.resolve(import.meta.dirname, '../screens')
const words = process.argv.slice(2)
const flag = words.indexOf('--origin')
const origin = flag >= 0 ? words.splice(flag, 2)[1] : undefined
const shots = SHOTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

const executablePath = bringBrowser()
const product = origin ? null : await startProduct()
process.env.E2E_ORIGIN = origin ?? product?.at(null, '')
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS })
fs.mkdirSync(FOLDER, { recursive: true })
try {
  for (const email of new Set(shots.map((shot) => shot.email))) {
    const mine = shots.filter((shot) => shot.email === email)
    for (const look of eachLook()) await photograph(mine, look, email)
  }
} finally {
  await browser.close()
  await product?.stop()
}

async function photograph(mine: Shot[], look: Look, email: string | null): Promise<void> {
  const context = await browser.newContext({
    locale: look.locale === 'uk' ? 'uk-UA' : 'en-GB',
    reducedMotion: 'reduce',
  })
  if (email) await context.addCookies(await cookiesOf(email))
  for (const shot of mine) await take(context, shot, look)
  await context.close()
}

async function take(context: BrowserContext, shot: Shot, look: Look): Promise<void> {
  const page = await context.newPage()
  await wear(page, look)
  await page.goto(addressOf(shot.host, shot.path), { waitUntil: 'load' })
  if (shot.follow) {
    const link = page.locator(`a[href*="${shot.follow}"]`).first()
    const href = (await link.count()) > 0 ? await link.getAttribute('href') : null
    if (href) await page.goto(new URL(href, page.url()).href, { waitUntil: 'load' })
    else console.log(`${shot.name}: no link to ${shot.follow} on ${page.url()}`)
  }
  await page.evaluate(() => document.fonts.ready)
  const file = `${shot.name}-${look.width}-${look.locale}-${look.theme}.png`
  await page.screenshot({ path: path.join(FOLDER, file), fullPage: true })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  console.log(wide > 0 ? `${file}: ${wide} px wider than the window` : file)
  await page.close()
}

// Signing in is throttled, as it should be: once a person is enough.
async function cookiesOf(email: string): Promise<Cookie[]> {
  const known = signedIn.get(email)
  if (known) return known
  const context = await browser.newContext()
  await signIn(await context.newPage(), email)
  const cookies = (await context.cookies()).filter(({ name }) => name === 'token')
  await context.close()
  signedIn.set(email, cookies)
  return cookies
}
