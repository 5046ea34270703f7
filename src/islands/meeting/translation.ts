import { createContext, use } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

/** Translation function, locale and texts of the room. */
export interface RoomTranslation {
  t: Translate
  locale: Locale
  strings: Strings
}

export const createTranslation = (strings: Strings, locale: Locale): RoomTranslation => ({
  t: createTranslator(strings, locale),
  locale,
  strings,
})

const NO_TRANSLATION: RoomTranslation = { t: (key) => key, locale: 'uk', strings: {} }
export const TranslationContext = createContext<RoomTranslation>(NO_TRANSLATION)
export const useTranslation = (): RoomTranslation => use(TranslationContext)
