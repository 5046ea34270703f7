import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** The strings of the storage's list; others are loaded on demand. */
const USED_KEYS = /^(storage:(page|list|details|trash|zip|quota|kind|state|failure|hint)\.|shell:button\.)/

const known = new Map<Locale, Strings>()

export function wordsOf(locale: Locale): Strings {
  const cached = import.meta.env.PROD ? known.get(locale) : undefined
  if (cached) return cached
  const all = Object.entries(stringsFor(locale, 'storage', 'shell'))
  const strings = Object.fromEntries(all.filter(([key]) => USED_KEYS.test(key)))
  known.set(locale, strings)
  return strings
}
