import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

/** The words of marks on a work: most visits of a lesson need none. */
export async function marksWords(locale: Locale): Promise<Translate> {
  return createTranslator(await WORDS[locale](), locale)
}

const WORDS: Record<Locale, () => Promise<Strings>> = {
  uk: async () => {
    const { mark, desk } = await import('#locales/uk/homework.json')
    return wordsOf(mark, desk)
  },
  en: async () => {
    const { mark, desk } = await import('#locales/en/homework.json')
    return wordsOf(mark, desk)
  },
}

const SHOWN = ['page', 'pageOf', 'pageBefore', 'pageAfter', 'fileFailed', 'loading'] as const

function wordsOf(mark: Record<string, string>, desk: Record<(typeof SHOWN)[number], string>): Strings {
  return Object.fromEntries([
    ...Object.entries(mark).map(([key, text]) => [`homework:mark.${key}`, text]),
    ...SHOWN.map((key) => [`homework:desk.${key}`, desk[key]]),
  ])
}
