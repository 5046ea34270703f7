import { isLocale, type Locale } from '#lib/core/shared/locale.ts'
import { YEAR_SECONDS } from '#lib/core/shared/time.ts'
import { type CookieStore, type KeyValueStorage, writeCookie } from './cookies.ts'

const TRIED_KEY = 'locale.tried'

export interface LocaleContext {
  storage: KeyValueStorage
  cookies: CookieStore
  reload: () => void
}

/** Sets the language: stores it in local storage, mirrors it in the cookie and reloads the page. */
export function chooseLocale(locale: Locale, context: LocaleContext): void {
  context.storage.setItem('locale', locale)
  writeCookie(context.cookies, 'locale', locale, YEAR_SECONDS)
  context.reload()
}

/**
 * When local storage has another language than the page, mirrors it in the cookie and reloads once. Returns whether it
 * reloads; it never does where cookies are refused, which prevents a loop.
 */
export function syncLocale(pageLocale: string, context: LocaleContext): boolean {
  const storedLocale = context.storage.getItem('locale')
  if (!isLocale(storedLocale) || storedLocale === pageLocale) {
    context.storage.removeItem(TRIED_KEY)
    return false
  }
  if (
    context.storage.getItem(TRIED_KEY) === storedLocale ||
    !writeCookie(context.cookies, 'locale', storedLocale, YEAR_SECONDS)
  )
    return false
  context.storage.setItem(TRIED_KEY, storedLocale)
  context.reload()
  return true
}
