import { createContext, use } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type Say, type Strings, speak } from '#lib/core/shared/text/strings.ts'

/** What every part of the room speaks with. */
export interface RoomWords {
  say: Say
  locale: Locale
  strings: Strings
}

export const wordsOf = (strings: Strings, locale: Locale): RoomWords => ({
  say: speak(strings, locale),
  locale,
  strings,
})

const NOTHING: RoomWords = { say: (key) => key, locale: 'uk', strings: {} }
export const WordsContext = createContext<RoomWords>(NOTHING)
export const useWords = (): RoomWords => use(WordsContext)
