import { openScreen, SCREENS } from './support/screen.ts'
import { expect, expectAccessible, type Look, test, tokenOf, wear } from './support/test.ts'

const LOOKS: Look[] = [
  { locale: 'uk', theme: 'day', width: 1440 },
  { locale: 'en', theme: 'night', width: 390 },
]

for (const screen of SCREENS) {
  for (const look of LOOKS) {
    test(`${screen.name} is accessible and no wider than ${look.width} px, ${look.locale}, by ${look.theme}`, async ({
      page,
    }) => {
      await wear(page, look)
      if (screen.email) await page.context().addCookies(await tokenOf(page, screen.email))
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
