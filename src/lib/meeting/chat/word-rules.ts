import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

/*
 * The word filter: letters that look alike are one letter, so that a forbidden word is found however it is dressed up.
 * After Unicode's confusables (UTS 39), the part of them that a Ukrainian keyboard can type.
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

/** A text as words of plain letters, each letter standing for all that look like it. */
export function normalizeWords(text: string): string[] {
  const cleaned = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, '')
  const plain = [...cleaned]
    .map((letter) => (letter === 'й' ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .join('')
  return joinSpelledWords(
    [...plain.matchAll(WORD_PATTERN)].map(([word]) => normalizeWord(word)).filter((word) => word !== ''),
  )
}

/** The first forbidden word (or words in a row) of a text, null when there is none. `дур*` forbids all that begins so. */
export function findBadWord(text: string, badWords: readonly string[]): string | null {
  if (badWords.length === 0) return null
  // What stands before a word may be a letter of it, or a sign: `@дурень`.
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
/** Names of hosts and addresses of e-mail, each in whole. */
const HOST_PATTERN = /[\p{L}\p{N}.@-]+/gu
const EMAIL_PATTERN = /^[^@]*@[^@]+$/
const DOMAIN_PATTERN = new RegExp(`[\\p{L}\\p{N}-]\\.(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{N}])`, 'iu')

/** Whether a text leads elsewhere: an address with or without its protocol, but not one of e-mail. */
export function hasLink(text: string): boolean {
  const cleaned = text.normalize('NFKC').replace(INVISIBLE, '')
  return (
    PROTOCOL_PATTERN.test(cleaned) ||
    [...cleaned.matchAll(HOST_PATTERN)].some(([host]) => !EMAIL_PATTERN.test(host) && DOMAIN_PATTERN.test(host))
  )
}

/** `from`: where it begins. */
export type TextPart = { start: number; text: string } & ({ kind: 'text' } | { kind: 'link'; href: string })

const URL_PATTERN = /https?:\/\/[^\s<>"']+[^\s<>"'.,!?;:)\]]/g

/** A text cut at its addresses, for drawing them as links; joined again it is the same text. */
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

// Marks at the end of a word are marks, not letters: `дурень!`.
const normalizeWord = (word: string): string =>
  [...trimEndOf(word.replace(/^[|!]+(?=.)/u, ''), '|!')].map((letter) => LOOKALIKES[letter] ?? letter).join('')

// "д у р е н ь" is one word.
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
