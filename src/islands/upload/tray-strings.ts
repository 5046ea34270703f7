import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

type StringTree = { [name: string]: string | StringTree }

/** Loads the strings of the tray with the tray: few pages show it. */
export async function loadTrayStrings(locale: Locale): Promise<Translate> {
  return createTranslator(flattenTrayStrings(await LOCALE_STRINGS[locale](), 'storage:'), locale)
}

const LOCALE_STRINGS: Record<Locale, () => Promise<StringTree>> = {
  uk: async () => {
    const { tray, failure, hint } = await import('#locales/uk/storage.json')
    return { tray, failure, hint }
  },
  en: async () => {
    const { tray, failure, hint } = await import('#locales/en/storage.json')
    return { tray, failure, hint }
  },
}

function flattenTrayStrings(tree: StringTree, before: string): Strings {
  const pairs = Object.entries(tree).flatMap(([name, text]) =>
    typeof text === 'string'
      ? [[`${before}${name}`, text]]
      : Object.entries(flattenTrayStrings(text, `${before}${name}.`)),
  )
  return Object.fromEntries(pairs)
}
