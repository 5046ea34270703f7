import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'

/** Loads the texts of the draft tray: every page of the cabinet may show it, but few do. */
export async function loadDraftTranslator(locale: Locale): Promise<Translate> {
  const { drafts, button } = await LOCALE_FILES[locale]()
  const named = Object.entries(drafts).map(([name, text]) => [`shell:drafts.${name}`, text])
  return createTranslator({ ...Object.fromEntries(named), 'shell:button.delete': button.delete }, locale)
}

const LOCALE_FILES = {
  uk: () => import('#locales/uk/shell.json'),
  en: () => import('#locales/en/shell.json'),
} satisfies Record<Locale, unknown>
