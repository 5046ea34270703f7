import { isLocale, type Locale } from '#lib/core/shared/locale.ts'
import { type Jar, type Shelf, writeCookie } from './keeping.ts'

const YEAR = 365 * 24 * 3600
const TRIED = 'locale.tried'

export interface LocaleParts {
  shelf: Shelf
  jar: Jar
  reload: () => void
}

/** The person chooses a language: local storage is its source, the cookie its mirror, the page comes again in it. */
export function chooseLocale(locale: Locale, parts: LocaleParts): void {
  parts.shelf.setItem('locale', locale)
  writeCookie(parts.jar, 'locale', locale, YEAR)
  parts.reload()
}

/**
 * On arrival: when local storage says another language than the page came in, mirror it and load once more.
 * Answers whether a reload was asked for; where cookies are refused it never asks, so that nothing loops.
 */
export function agreeOnLocale(shown: string, parts: LocaleParts): boolean {
  const wanted = parts.shelf.getItem('locale')
  if (!isLocale(wanted) || wanted === shown) {
    parts.shelf.removeItem(TRIED)
    return false
  }
  if (parts.shelf.getItem(TRIED) === wanted || !writeCookie(parts.jar, 'locale', wanted, YEAR)) return false
  parts.shelf.setItem(TRIED, wanted)
  parts.reload()
  return true
}
