import { createContext, use } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'

/** Translation function, locale and texts of the room. */
export interface RoomTranslation {
  t: Translate
  locale: Locale
  strings: Strings
}

/** Rooms with texts of their own: sessions with a mentor, and rehearsals. */
export type RoomTexts = 'event' | 'session' | 'rehearsal'

export const createTranslation = (strings: Strings, locale: Locale, kind: RoomTexts = 'event'): RoomTranslation => {
  const texts = kind === 'event' ? strings : replaceTexts(strings, OWN_KEYS[kind])
  return { t: createTranslator(texts, locale), locale, strings: texts }
}

// `stage:session.stage.end.title` is the text of `stage:end.title` in the room of a session.
const OWN_KEYS = {
  session: (key: string) => `stage:session.${key.replace(':', '.')}`,
  rehearsal: (key: string) => `stage:rehearsal.${key.replace(':', '.')}`,
}

const replaceTexts = (strings: Strings, ownKey: (key: string) => string): Strings =>
  Object.fromEntries(Object.entries(strings).map(([key, text]) => [key, strings[ownKey(key)] ?? text]))

const NO_TRANSLATION: RoomTranslation = { t: (key) => key, locale: 'uk', strings: {} }
export const TranslationContext = createContext<RoomTranslation>(NO_TRANSLATION)
export const useTranslation = (): RoomTranslation => use(TranslationContext)
