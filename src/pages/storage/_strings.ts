import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** What the storage's list says by itself; the rest is fetched by those who open it. */
const SAID = /^(storage:(page|list|details|trash|zip|quota|kind|state|why|hint)\.|shell:button\.)/

const known = new Map<Locale, Strings>()

export function wordsOf(locale: Locale): Strings {
  const kept = import.meta.env.PROD ? known.get(locale) : undefined
  if (kept) return kept
  const all = Object.entries(stringsFor(locale, 'storage', 'shell'))
  const said = Object.fromEntries(all.filter(([key]) => SAID.test(key)))
  known.set(locale, said)
  return said
}
