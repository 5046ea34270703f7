import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** What each page's islands say. */
const SAID = {
  queue: /^(homework:(bulk|clock)\.|shell:button\.)/,
  review: /^(homework:(desk|clock|state|talk|voice|mark|snippet|event|rubric)\.|shell:(button|save)\.|editor:|player:)/,
} as const

const known = new Map<string, Strings>()

export function wordsFor(page: keyof typeof SAID, locale: Locale): Strings {
  const key = `${page} ${locale}`
  const kept = import.meta.env.PROD ? known.get(key) : undefined
  if (kept) return kept
  const all = Object.entries(stringsFor(locale, 'homework', 'shell', 'editor', 'player'))
  const said = Object.fromEntries(all.filter(([name]) => SAID[page].test(name)))
  known.set(key, said)
  return said
}
