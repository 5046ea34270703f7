import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

/*
 * The word filter: letters that look alike are one letter, so that a forbidden word is found however it is dressed up.
 * After Unicode's confusables (UTS 39), the part of them that a Ukrainian keyboard can type.
 */

const ALIKE: Record<string, string> = {
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
const SIGN = /(?<![\p{L}\p{N}])[@$]+/gu
const WORD = /[\p{L}\p{N}|!$@]+/gu

/** A text as words of plain letters, each letter standing for all that look like it. */
export function skeletonOf(text: string): string[] {
  const bare = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, '')
  const plain = [...bare]
    .map((letter) => (letter === 'й' ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .join('')
  return joinSpelled([...plain.matchAll(WORD)].map(([word]) => plainWord(word)).filter((word) => word !== ''))
}

/** The first forbidden word (or words in a row) of a text, null when there is none. `дур*` forbids all that begins so. */
export function findBadWord(text: string, badWords: readonly string[]): string | null {
  if (badWords.length === 0) return null
  // What stands before a word may be a letter of it, or a sign: `@дурень`.
  const readings = [text, text.replace(SIGN, '')].map(skeletonOf)
  const forbids = (bad: string) => {
    const word = skeletonOf(trimEndOf(bad, '*'))
    return readings.some((words) => holds(words, word, /\*$/.test(bad.trim())))
  }
  return badWords.find(forbids) ?? null
}

const ZONES =
  'com|net|org|ua|укр|info|me|io|ru|biz|app|link|shop|site|online|dev|edu|gov|eu|pl|de|uk|tv|ly|gg|cc|co|pro|store|top|xyz|club|live|bio|page|school|education|tech|space|fun|click'
const PROTOCOL = /(?:https?:\/\/|www\.)\S/iu
/** Names of hosts and addresses of e-mail, each in whole. */
const HOST = /[\p{L}\p{N}.@-]+/gu
const EMAIL = /^[^@]*@[^@]+$/
const ZONE = new RegExp(`[\\p{L}\\p{N}-]\\.(?:${ZONES})(?![\\p{L}\\p{N}])`, 'iu')

/** Whether a text leads elsewhere: an address with or without its protocol, but not one of e-mail. */
export function hasLink(text: string): boolean {
  const bare = text.normalize('NFKC').replace(INVISIBLE, '')
  return PROTOCOL.test(bare) || [...bare.matchAll(HOST)].some(([host]) => !EMAIL.test(host) && ZONE.test(host))
}

/** `from`: where it begins. */
export type TextPart = { from: number; text: string } & ({ kind: 'text' } | { kind: 'link'; href: string })

const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,!?;:)\]]/g

/** A text cut at its addresses, for drawing them as links; joined again it is the same text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (!URL.canParse(address)) continue
    if (index > end) parts.push({ kind: 'text', from: end, text: text.slice(end, index) })
    parts.push({ kind: 'link', from: index, text: address, href: new URL(address).href })
    end = index + address.length
  }
  if (end < text.length) parts.push({ kind: 'text', from: end, text: text.slice(end) })
  return parts
}

// Marks at the end of a word are marks, not letters: `дурень!`.
const plainWord = (word: string): string =>
  [...trimEndOf(word.replace(/^[|!]+(?=.)/u, ''), '|!')].map((letter) => ALIKE[letter] ?? letter).join('')

// "д у р е н ь" is one word.
function joinSpelled(words: string[]): string[] {
  const joined: string[] = []
  let row: string[] = []
  const close = () => {
    if (row.length > 2) joined.push(row.join(''))
    else joined.push(...row)
    row = []
  }
  for (const word of words) {
    if ([...word].length === 1) row.push(word)
    else {
      close()
      joined.push(word)
    }
  }
  close()
  return joined
}

function holds(words: readonly string[], bad: readonly string[], beginning: boolean): boolean {
  const last = bad.length - 1
  if (last < 0) return false
  return words.some((_, from) =>
    bad.every((one, at) => {
      const word = words[from + at]
      return beginning && at === last ? (word?.startsWith(one) ?? false) : word === one
    }),
  )
}
