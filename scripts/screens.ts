import fs from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { type Appearance, allAppearances, applyAppearance } from '../tests/e2e/support/appearance.ts'
import { openScreen, SCREENS, type Screen } from '../tests/e2e/support/screen.ts'
import { getSignInCookies } from '../tests/e2e/support/sign-in.ts'
import { startProduct } from '../tests/setup/product.ts'
import { BROWSER_FLAGS, bringBrowser } from './test/browser.ts'

/*
 * npm run screens: takes screenshots of the pages into screens/, at 390, 768 and 1440 px, in both languages and themes.
 *   npm run screens -- course login              only pages whose name contains one of these filters
 *   npm run screens -- --origin http://kafedra.localhost:4321    of a running product
 */
const FOLDER = path.resolve(import.meta.dirname, '../screens')
const filters = process.argv.slice(2)
const flag = filters.indexOf('--origin')
const origin = flag >= 0 ? filters.splice(flag, 2)[1] : undefined
const screens = SCREENS.filter(({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter)))

const executablePath = bringBrowser()
const product = origin ? null : await startProduct()
process.env.E2E_ORIGIN = origin ?? product?.addressOf(null, '')
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS })
fs.mkdirSync(FOLDER, { recursive: true })
try {
  for (const screen of screens) for (const appearance of allAppearances()) await takeScreenshot(screen, appearance)
} finally {
  await browser.close()
  await product?.stop()
}

async function takeScreenshot(screen: Screen, appearance: Appearance): Promise<void> {
  const file = `${screen.name}-${appearance.width}-${appearance.locale}-${appearance.theme}.png`
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Kyiv' })
  const page = await context.newPage()
  try {
    if (screen.email) await context.addCookies(await getSignInCookies(page, screen.email))
    await applyAppearance(page, appearance)
    await openScreen(page, screen)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: path.join(FOLDER, file), fullPage: true })
    console.log(file)
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  } finally {
    await context.close()
  }
}
