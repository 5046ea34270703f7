import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

type Words = { [name: string]: string | Words }

/** The tray's words come with the tray: every page of the cabinet may show it, and few do. */
export async function trayWords(locale: Locale): Promise<Translate> {
  return createTranslator(flat(await WORDS[locale](), 'storage:'), locale)
}

const WORDS: Record<Locale, () => Promise<Words>> = {
  uk: async () => {
    const { tray, why, hint } = await import('#locales/uk/storage.json')
    return { tray, why, hint }
  },
  en: async () => {
    const { tray, why, hint } = await import('#locales/en/storage.json')
    return { tray, why, hint }
  },
}

function flat(words: Words, before: string): Strings {
  const pairs = Object.entries(words).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${before}${name}`, text]] : Object.entries(flat(text, `${before}${name}.`)),
  )
  return Object.fromEntries(pairs)
}
