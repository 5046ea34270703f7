import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

const PICKER_KEYS = /^(editor:(pick|upload)\.|shell:button\.|transfer:chooseTitle$)/

/** The strings of the file picker. */
export function pickerStrings(locale: Locale): Strings {
  const all = Object.entries(stringsFor(locale, 'editor', 'shell', 'transfer'))
  return Object.fromEntries(all.filter(([key]) => PICKER_KEYS.test(key)))
}

/** The strings of the course settings, including all editor strings for the description. */
export function settingsStrings(locale: Locale): Strings {
  const all = Object.entries(stringsFor(locale, 'editor', 'shell', 'course'))
  return Object.fromEntries(all.filter(([key]) => /^(editor:|shell:button\.|course:field\.description$)/.test(key)))
}
