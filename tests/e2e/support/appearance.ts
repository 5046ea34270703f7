import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'

/** How a page is looked at: language, theme and width of the window in pixels. */
export interface Appearance {
  locale: 'uk' | 'en'
  theme: 'day' | 'night'
  width: number
}

/** All looks that a screen must hold: 390, 768 and 1440 px, both languages, day and night. */
export function allAppearances(widths: readonly number[] = [390, 768, 1440]): Appearance[] {
  const locales = ['uk', 'en'] as const
  const themes = ['day', 'night'] as const
  return widths.flatMap((width) => locales.flatMap((locale) => themes.map((theme) => ({ locale, theme, width }))))
}

/** Puts a look on: the cookies for the server's first byte, local storage for the browser, the window's size. */
export async function applyAppearance(page: Page, look: Appearance): Promise<void> {
  const domain = new URL(addressOf(null)).hostname
  const pairs = { locale: look.locale, theme: look.theme }
  await page.context().addCookies(
    Object.entries(pairs).map(([name, value]) => ({
      name,
      value,
      domain: `.${domain}`,
      path: '/',
      sameSite: 'Lax' as const,
    })),
  )
  await page.addInitScript((kept) => {
    // A letter in its sandbox has no storage of its own.
    if (window.top !== window) return
    for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value)
  }, pairs)
  await page.setViewportSize({ width: look.width, height: look.width < 600 ? 844 : 900 })
}
