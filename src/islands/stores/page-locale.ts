import { DEFAULT_LOCALE, isLocale, type Locale } from '#lib/core/shared/locale.ts'

/** The language of the page that is open now; client-side navigation can change it only by a full load. */
export function readPageLocale(): Locale {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : DEFAULT_LOCALE
}
