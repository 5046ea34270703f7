import { isLocale, type Locale } from '#lib/core/shared/locale.ts'
import { type CookieJar, type KeyValueStorage, writeCookie } from './cookies.ts'

const YEAR = 365 * 24 * 3600
const TRIED = 'locale.tried'

export interface LocaleContext {
  storage: KeyValueStorage
  cookies: CookieJar
  reload: () => void
}

/** The person chooses a language: local storage is its source, the cookie its mirror, the page comes again in it. */
export function chooseLocale(locale: Locale, parts: LocaleContext): void {
  parts.storage.setItem('locale', locale)
  writeCookie(parts.cookies, 'locale', locale, YEAR)
  parts.reload()
}

/**
 * On arrival: when local storage says another language than the page came in, mirror it and load once more.
 * Answers whether a reload was asked for; where cookies are refused it never asks, so that nothing loops.
 */
export function syncLocale(shown: string, parts: LocaleContext): boolean {
  const wanted = parts.storage.getItem('locale')
  if (!isLocale(wanted) || wanted === shown) {
    parts.storage.removeItem(TRIED)
    return false
  }
  if (parts.storage.getItem(TRIED) === wanted || !writeCookie(parts.cookies, 'locale', wanted, YEAR)) return false
  parts.storage.setItem(TRIED, wanted)
  parts.reload()
  return true
}
