import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** The strings that the islands of each page use. */
const USED_KEYS = {
  queue: /^(homework:(bulk|clock)\.|shell:button\.)/,
  review:
    /^(homework:(review|clock|state|conversation|voice|mark|snippet|event|rubric)\.|shell:(button|save)\.|editor:|player:)/,
} as const

const known = new Map<string, Strings>()

export function wordsFor(page: keyof typeof USED_KEYS, locale: Locale): Strings {
  const key = `${page} ${locale}`
  const cached = import.meta.env.PROD ? known.get(key) : undefined
  if (cached) return cached
  const all = Object.entries(stringsFor(locale, 'homework', 'shell', 'editor', 'player'))
  const strings = Object.fromEntries(all.filter(([name]) => USED_KEYS[page].test(name)))
  known.set(key, strings)
  return strings
}
