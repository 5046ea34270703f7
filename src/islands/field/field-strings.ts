import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

type Group = 'field' | 'errors'

const FILES: Record<Group, Record<Locale, () => Promise<{ default: object }>>> = {
  field: { uk: () => import('#locales/uk/field.json'), en: () => import('#locales/en/field.json') },
  errors: { uk: () => import('#locales/uk/errors.json'), en: () => import('#locales/en/errors.json') },
}
const loaded = new Map<string, Promise<Strings>>()

/** Loads the texts of form fields in the language of the page; those of errors are loaded on demand. */
export async function loadFieldStrings(group: Group = 'field'): Promise<Translate> {
  const locale = readPageLocale()
  const key = `${locale}/${group}`
  const strings = loaded.get(key) ?? FILES[group][locale]().then((file) => flattenStrings(file.default, `${group}:`))
  loaded.set(key, strings)
  strings.catch(() => loaded.delete(key))
  return createTranslator(await strings, locale)
}
