import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

/** Loads the strings of annotations; most lesson pages need none. */
export async function loadAnnotationStrings(locale: Locale): Promise<Translate> {
  return createTranslator(await LOCALE_STRINGS[locale](), locale)
}

const LOCALE_STRINGS: Record<Locale, () => Promise<Strings>> = {
  uk: async () => {
    const { mark, review } = await import('#locales/uk/homework.json')
    return toStrings(mark, review)
  },
  en: async () => {
    const { mark, review } = await import('#locales/en/homework.json')
    return toStrings(mark, review)
  },
}

const REVIEW_KEYS = ['page', 'pageOf', 'pageBefore', 'pageAfter', 'fileFailed', 'loading'] as const

function toStrings(mark: Record<string, string>, review: Record<(typeof REVIEW_KEYS)[number], string>): Strings {
  return Object.fromEntries([
    ...Object.entries(mark).map(([key, text]) => [`homework:mark.${key}`, text]),
    ...REVIEW_KEYS.map((key) => [`homework:review.${key}`, review[key]]),
  ])
}
