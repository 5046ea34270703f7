import { openScreen, SCREENS } from './support/screen.ts'
import {
  type Appearance,
  addressOf,
  applyAppearance,
  expect,
  expectAccessible,
  getSignInCookies,
  STUDENT,
  staffEmail,
  test,
} from './support/test.ts'

const LOOKS: Appearance[] = [
  { locale: 'uk', theme: 'day', width: 1440 },
  { locale: 'en', theme: 'night', width: 390 },
]

for (const email of [staffEmail('owner'), STUDENT]) {
  for (const locale of ['uk', 'en'] as const) {
    test(`the labels of the phone's menu are not cut, for ${email}, ${locale}`, async ({ page }) => {
      await applyAppearance(page, { locale, theme: 'day', width: 390 })
      await page.context().addCookies(await getSignInCookies(page, email))
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
  for (const look of LOOKS) {
    test(`${screen.name} is accessible and no wider than ${look.width} px, ${look.locale}, by ${look.theme}`, async ({
      page,
    }) => {
      await applyAppearance(page, look)
      if (screen.email) await page.context().addCookies(await getSignInCookies(page, screen.email))
      await openScreen(page, screen)
      await expect(page.locator('html')).toHaveAttribute('lang', look.locale)
      await expectAccessible(page)
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(tooWide, 'pixels to scroll sideways').toBe(0)
    })
  }
}
