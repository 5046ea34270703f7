import { openScreen, SCREENS } from './support/screen.ts'
import { type Appearance, applyAppearance, expect, expectAccessible, getSignInCookies, test } from './support/test.ts'

const LOOKS: Appearance[] = [
  { locale: 'uk', theme: 'day', width: 1440 },
  { locale: 'en', theme: 'night', width: 390 },
]

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
