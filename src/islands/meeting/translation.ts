import { createContext, use } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

/** Translation function, locale and texts of the room. */
export interface RoomTranslation {
  t: Translate
  locale: Locale
  strings: Strings
}

/** `isSession`: the room of a session with a mentor, which has texts of its own. */
export const createTranslation = (strings: Strings, locale: Locale, isSession = false): RoomTranslation => {
  const texts = isSession ? sessionTexts(strings) : strings
  return { t: createTranslator(texts, locale), locale, strings: texts }
}

// `stage:session.stage.end.title` is the text of `stage:end.title` in the room of a session.
const sessionTexts = (strings: Strings): Strings =>
  Object.fromEntries(
    Object.entries(strings).map(([key, text]) => [key, strings[`stage:session.${key.replace(':', '.')}`] ?? text]),
  )

const NO_TRANSLATION: RoomTranslation = { t: (key) => key, locale: 'uk', strings: {} }
export const TranslationContext = createContext<RoomTranslation>(NO_TRANSLATION)
export const useTranslation = (): RoomTranslation => use(TranslationContext)
