import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

const PICKER_KEYS = /^(editor:(pick|upload)\.|shell:button\.|transfer:chooseTitle$)/

/** What the choice of a file says: the page carries no more. */
export function pickerStrings(locale: Locale): Strings {
  const all = Object.entries(stringsFor(locale, 'editor', 'shell', 'transfer'))
  return Object.fromEntries(all.filter(([key]) => PICKER_KEYS.test(key)))
}

/** What the settings of a course say beyond it: the description is written with all of the editor's words. */
export function settingsStrings(locale: Locale): Strings {
  const all = Object.entries(stringsFor(locale, 'editor', 'shell', 'course'))
  return Object.fromEntries(all.filter(([key]) => /^(editor:|shell:button\.|course:field\.description$)/.test(key)))
}
