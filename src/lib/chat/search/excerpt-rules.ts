import { foldForSearch } from '#lib/core/shared/text/search-text.ts'

/** A part of a text; `isMatch` marks what was searched for. */
export interface ExcerptPart {
  text: string
  isMatch: boolean
}

const LENGTH = 220
const BEFORE_MATCH = 60

/** The text around its first match. `matches`: words in the form of the database function `search_words`. */
export function excerptOf(text: string, matches: ReadonlySet<string>): ExcerptPart[] {
  const first = [...text.matchAll(WORD)].find(([word]) => isFound(word, matches))
  const startIndex = first && first.index > BEFORE_MATCH ? startOfWord(text, first.index - BEFORE_MATCH) : 0
  const part = text.slice(startIndex, startIndex + LENGTH)
  const parts: ExcerptPart[] = startIndex > 0 ? [{ text: '…', isMatch: false }] : []
  let end = 0
  for (const { 0: word, index } of part.matchAll(WORD)) {
    if (!isFound(word, matches)) continue
    if (index > end) parts.push({ text: part.slice(end, index), isMatch: false })
    parts.push({ text: word, isMatch: true })
    end = index + word.length
  }
  const rest = `${part.slice(end)}${startIndex + LENGTH < text.length ? '…' : ''}`
  return rest === '' ? parts : [...parts, { text: rest, isMatch: false }]
}

const WORD = /(?:[\p{L}\p{Nd}'’ʼ‘´`′\u00ad\u200b-\u200d\u2060\ufeff]|[\u0300-\u036f])+(?:\+\+|#)?/gu

const startOfWord = (text: string, index: number): number => {
  const space = text.indexOf(' ', index)
  return space < 0 ? index : space + 1
}

const MAX_WORD_LENGTH = 40

/** A name such as "C++" is also found by its letters. */
const isFound = (word: string, matches: ReadonlySet<string>): boolean =>
  matches.has(searchedForm(word)) || matches.has(searchedForm(word.replace(/(?:\+\+|#)$/, '')))

/** A word in the form of `search_words`: folded, without apostrophes, stress marks and invisible characters. */
export function searchedForm(word: string): string {
  const letters = foldForSearch(word).replace(/['\u00ad\u200b-\u200d\u2060\ufeff]|[\u0300-\u036f]/g, '')
  return [...letters].slice(0, MAX_WORD_LENGTH).join('')
}
