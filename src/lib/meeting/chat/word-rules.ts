import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

/*
 * Word filter: look-alike letters are mapped to one letter, so that disguised spellings of a forbidden word are found.
 * Based on Unicode confusables (UTS 39), limited to characters of a Ukrainian keyboard.
 */

const LOOKALIKES: Record<string, string> = {
  a: 'а',
  b: 'в',
  c: 'с',
  e: 'е',
  g: 'г',
  h: 'н',
  i: 'і',
  k: 'к',
  m: 'м',
  n: 'п',
  o: 'о',
  p: 'р',
  t: 'т',
  x: 'х',
  y: 'у',
  u: 'и',
  s: 'ѕ',
  ё: 'е',
  ґ: 'г',
  ї: 'і',
  l: 'і',
  '|': 'і',
  '!': 'і',
  $: 'ѕ',
  '@': 'а',
  0: 'о',
  1: 'і',
  3: 'з',
  4: 'ч',
  6: 'б',
}

const APOSTROPHES = /['’‘ʼʹ′`´"“”«»]/gu
const INVISIBLE = /[\p{Cf}\u00ad]/gu
const SIGN_PREFIX = /(?<![\p{L}\p{N}])[@$]+/gu
const WORD_PATTERN = /[\p{L}\p{N}|!$@]+/gu

/** Splits a text into words and maps each letter to the representative of its look-alikes. */
export function normalizeWords(text: string): string[] {
  const cleaned = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, '')
  const plain = [...cleaned]
    .map((letter) => (letter === 'й' ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .join('')
  return joinSpelledWords(
    [...plain.matchAll(WORD_PATTERN)].map(([word]) => normalizeWord(word)).filter((word) => word !== ''),
  )
}

/** First forbidden word or phrase in a text; null when there is none. `дур*` matches every word with that prefix. */
export function findBadWord(text: string, badWords: readonly string[]): string | null {
  if (badWords.length === 0) return null
  // A sign before a word may replace a letter or be a mention: `@дурень`.
  const readings = [text, text.replace(SIGN_PREFIX, '')].map(normalizeWords)
  const isFound = (entry: string) => {
    const phrase = normalizeWords(trimEndOf(entry, '*'))
    return readings.some((words) => containsPhrase(words, phrase, /\*$/.test(entry.trim())))
  }
  return badWords.find(isFound) ?? null
}

const TOP_LEVEL_DOMAINS =
  'com|net|org|ua|укр|info|me|io|ru|biz|app|link|shop|site|online|dev|edu|gov|eu|pl|de|uk|tv|ly|gg|cc|co|pro|store|top|xyz|club|live|bio|page|school|education|tech|space|fun|click'
const PROTOCOL_PATTERN = /(?:https?:\/\/|www\.)\S/iu
/** Host names and email addresses. */
const HOST_PATTERN = /[\p{L}\p{N}.@-]+/gu
const EMAIL_PATTERN = /^[^@]*@[^@]+$/
const DOMAIN_PATTERN = new RegExp(`[\\p{L}\\p{N}-]\\.(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{N}])`, 'iu')

/** Whether a text contains a link, with or without protocol; email addresses do not count. */
export function hasLink(text: string): boolean {
  const cleaned = text.normalize('NFKC').replace(INVISIBLE, '')
  return (
    PROTOCOL_PATTERN.test(cleaned) ||
    [...cleaned.matchAll(HOST_PATTERN)].some(([host]) => !EMAIL_PATTERN.test(host) && DOMAIN_PATTERN.test(host))
  )
}

/** `start`: index of the part in the text. */
export type TextPart = { start: number; text: string } & ({ kind: 'text' } | { kind: 'link'; href: string })

const URL_PATTERN = /https?:\/\/[^\s<>"']+[^\s<>"'.,!?;:)\]]/g

/** Splits a text into text and links for rendering; the joined parts are the same text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(URL_PATTERN)) {
    if (!URL.canParse(address)) continue
    if (index > end) parts.push({ kind: 'text', start: end, text: text.slice(end, index) })
    parts.push({ kind: 'link', start: index, text: address, href: new URL(address).href })
    end = index + address.length
  }
  if (end < text.length) parts.push({ kind: 'text', start: end, text: text.slice(end) })
  return parts
}

// Punctuation at the end of a word is not a letter: `дурень!`.
const normalizeWord = (word: string): string =>
  [...trimEndOf(word.replace(/^[|!]+(?=.)/u, ''), '|!')].map((letter) => LOOKALIKES[letter] ?? letter).join('')

// Letters separated by spaces, "д у р е н ь", are one word.
function joinSpelledWords(words: string[]): string[] {
  const joined: string[] = []
  let letters: string[] = []
  const close = () => {
    if (letters.length > 2) joined.push(letters.join(''))
    else joined.push(...letters)
    letters = []
  }
  for (const word of words) {
    if ([...word].length === 1) letters.push(word)
    else {
      close()
      joined.push(word)
    }
  }
  close()
  return joined
}

function containsPhrase(words: readonly string[], phrase: readonly string[], isPrefix: boolean): boolean {
  const last = phrase.length - 1
  if (last < 0) return false
  return words.some((_, start) =>
    phrase.every((phraseWord, index) => {
      const word = words[start + index]
      return isPrefix && index === last ? (word?.startsWith(phraseWord) ?? false) : word === phraseWord
    }),
  )
}
