import { test as base, type Page } from '@playwright/test'
import { allAppearances } from './support/appearance.ts'
import { openScreen, SCREENS, type Screen } from './support/screen.ts'
import {
  type Appearance,
  addressOf,
  applyAppearance,
  collectComplaints,
  expect,
  expectAccessible,
  getSignInCookies,
  STUDENT,
  staffEmail,
} from './support/test.ts'

interface ScreenSupport {
  /** Opens a page for a user, null for a visitor. Pages of one appearance share the cache of the browser. */
  openPage(look: Appearance, email: string | null): Promise<{ page: Page; complaints: string[] }>
}

const test = base.extend<object, ScreenSupport>({
  openPage: [
    async ({ browser }, use) => {
      const contexts = new Map<Appearance, ReturnType<typeof createContext>>()
      const createContext = async () => {
        const context = await browser.newContext()
        return { context, complaints: await collectComplaints(context) }
      }
      await use(async (look, email) => {
        const created = contexts.get(look) ?? createContext()
        contexts.set(look, created)
        const { context, complaints } = await created
        complaints.length = 0
        await context.clearCookies()
        const page = await context.newPage()
        await applyAppearance(page, look)
        if (email) await context.addCookies(await getSignInCookies(page, email))
        return { page, complaints }
      })
      for (const created of contexts.values()) await (await created).context.close()
    },
    { scope: 'worker' },
  ],
})

// The reference of the API is long, and `npm run soak -- appearances` checks each screen twelve times.
const checksAll = process.env.ALL_APPEARANCES === '1'
test.setTimeout(checksAll ? 400_000 : 90_000)

const PHONES: Record<'uk' | 'en', Appearance> = {
  uk: { locale: 'uk', theme: 'day', width: 390 },
  en: { locale: 'en', theme: 'night', width: 390 },
}
const LOOKS: Appearance[] = [{ locale: 'uk', theme: 'day', width: 1440 }, PHONES.en]

/** The appearances of a screen: neighboring screens have different ones, unless all are checked. */
const appearancesOf = (screen: Screen): Appearance[] =>
  checksAll ? allAppearances() : LOOKS.filter((_, nth) => nth === SCREENS.indexOf(screen) % LOOKS.length)

for (const email of [staffEmail('owner'), STUDENT]) {
  for (const locale of ['uk', 'en'] as const) {
    test(`the labels of the phone's menu are not cut, for ${email}, ${locale}`, async ({ openPage }) => {
      const { page } = await openPage(PHONES[locale], email)
      await page.goto(email === STUDENT ? addressOf('go', '/profile') : addressOf('demo', '/'))
      const labels = page.locator('.dock-item span')
      await expect(labels.first()).toBeVisible()
      const cut = await labels.evaluateAll((elements) =>
        elements.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
      )
      expect(cut).toEqual([])
    })
  }
}

for (const screen of SCREENS) {
  test(`${screen.name} is accessible and no wider than its window`, async ({ openPage }) => {
    let address: string | undefined
    for (const look of appearancesOf(screen)) {
      await test.step(`${look.width} px, ${look.locale}, by ${look.theme}`, async () => {
        const { page, complaints } = await openPage(look, screen.email)
        address = await openOnce(page, screen, address)
        await expect(page.locator('html')).toHaveAttribute('lang', look.locale)
        await expectAccessible(page)
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(tooWide, 'pixels to scroll sideways').toBe(0)
        expect(complaints, 'errors thrown in the page, violations of its policy').toEqual([])
        await page.close()
      })
    }
  })
}

/** Opens a screen through the links to it, or directly when its address is known. Returns its address. */
async function openOnce(page: Page, screen: Screen, address: string | undefined): Promise<string> {
  if (address) await page.goto(address, { waitUntil: 'load' })
  else await openScreen(page, screen)
  return page.url()
}
