/*
 * Detects the encoding of a captions file. Old programs wrote SubRip in the system's code page without declaring it, so
 * it is derived from the letters.
 */

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1251' | 'windows-1252'

/** Letters besides a to z of languages written in a code page. */
const ALPHABETS: Record<'windows-1250' | 'windows-1252', string[]> = {
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ'],
  'windows-1252': [
    'äöüß',
    'àâæçéèêëîïôœùûüÿ',
    'áéíñóúüªº',
    'áâãàçéêíóôõúü',
    'àèéìíîòóùú',
    'åäöæøé',
    'áéíóúýðþæö',
    'áéëèïöüó',
  ],
}
const MAX_EXAMINED_BYTES = 200_000
/** Share of damaged non-ASCII letters that is accepted in UTF-8. */
const MAX_DAMAGED_SHARE = 0.05

/** The text of a captions file; null for binary data. */
export function decodeCaption(bytes: Uint8Array<ArrayBuffer>): string | null {
  const encoding = detectEncoding(bytes)
  return encoding && new TextDecoder(encoding).decode(bytes)
}

/** Null for binary data. */
export function detectEncoding(bytes: Uint8Array<ArrayBuffer>): Encoding | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (bytes.includes(0)) return detectUtf16(bytes)
  return isUtf8(bytes) ? 'utf-8' : detectCodePage(bytes.subarray(0, MAX_EXAMINED_BYTES))
}

// Times and line ends are ASCII: in UTF-16 each has a zero byte, always on the same side.
function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0]
  const length = Math.min(bytes.length, MAX_EXAMINED_BYTES)
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (bytes.length % 2 === 1) return null
  if (Math.max(even, odd) < length / 20 || Math.min(even, odd) > length / 200) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  const text = new TextDecoder('utf-8').decode(bytes)
  let [beyond, damaged] = [0, 0]
  for (const character of text) {
    if (character === '\uFFFD') damaged += 1
    else if (character > '\u007F') beyond += 1
  }
  return damaged <= beyond * MAX_DAMAGED_SHARE
}

function detectCodePage(bytes: Uint8Array<ArrayBuffer>): Encoding {
  if (isCyrillic(new TextDecoder('windows-1251').decode(bytes))) return 'windows-1251'
  const [central, western] = [scoreEncoding(bytes, 'windows-1250'), scoreEncoding(bytes, 'windows-1252')]
  return central > western ? 'windows-1250' : 'windows-1252'
}

/** Cyrillic words have no Latin letters; a Latin text decoded this way has words with both. */
function isCyrillic(text: string): boolean {
  let [wordCount, mixed] = [0, 0]
  for (const [word] of text.matchAll(/\p{L}+/gu)) {
    if (!/\p{Script=Cyrillic}/u.test(word)) continue
    if (/[a-z]/i.test(word)) mixed += 1
    else wordCount += 1
  }
  return wordCount > mixed
}

/** The share of non-ASCII letters that the best matching language has. */
function scoreEncoding(bytes: Uint8Array<ArrayBuffer>, encoding: 'windows-1250' | 'windows-1252'): number {
  const text = new TextDecoder(encoding).decode(bytes).toLowerCase()
  const letters = [...text].filter((character) => character > '\u007F' && !PUNCTUATION.has(character))
  if (letters.length === 0) return 0
  const best = Math.max(
    ...ALPHABETS[encoding].map((alphabet) => letters.filter((letter) => alphabet.includes(letter)).length),
  )
  return best / letters.length
}

/** Characters that have the same code in both code pages. */
const PUNCTUATION = new Set('€‚„…†‡‰‹‘’“”•–—™› ¤¦§¨©«¬®°±´µ¶·¸»\u00AD')
