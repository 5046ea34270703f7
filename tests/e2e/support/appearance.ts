import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'

/** Language, theme and window width (in pixels) of a page. */
export interface Appearance {
  locale: 'uk' | 'en'
  theme: 'day' | 'night'
  width: number
}

/** Returns all combinations that a screen must support: each width, both languages, day and night. */
export function allAppearances(widths: readonly number[] = [390, 768, 1440]): Appearance[] {
  const locales = ['uk', 'en'] as const
  const themes = ['day', 'night'] as const
  return widths.flatMap((width) => locales.flatMap((locale) => themes.map((theme) => ({ locale, theme, width }))))
}

/** Applies an appearance: cookies for the server, local storage for the browser, and the window size. */
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
    // The sandboxed frame of an email has no storage.
    if (window.top !== window) return
    for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value)
  }, pairs)
  await page.setViewportSize({ width: look.width, height: look.width < 600 ? 844 : 900 })
}
