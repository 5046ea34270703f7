import type { Locale } from '#lib/core/shared/locale.ts'
import { type Say, type Strings, speak } from '#lib/core/shared/text/strings.ts'

/** The words of marks on a work: most visits of a lesson need none. */
export async function marksWords(locale: Locale): Promise<Say> {
  return speak(await WORDS[locale](), locale)
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
