/** How a typed text is compared with the accepted ones. */
export interface TextComparison {
  caseSensitive: boolean
  trim: boolean
  wildcards: boolean
  /** A full stop at the end and Latin letters inside Cyrillic words are ignored, unless this is false. */
  lenient?: boolean | undefined
}

/**
 * Whether a typed text matches the accepted one. Unicode normalization forms and the kinds of apostrophe (', ’, ʼ) are
 * always ignored. With wildcards, `*` matches any text and `\*` a literal asterisk; the comparison runs in linear time
 * without a regular expression.
 */
export function matchesText(typed: string, accepted: string, comparison: TextComparison): boolean {
  if (comparison.lenient !== false) {
    const strict = { ...comparison, lenient: false }
    return matchesText(simplify(typed), simplify(accepted), strict) || matchesText(typed, accepted, strict)
  }
  const text = normalizeText(typed, comparison)
  if (!comparison.wildcards) return text === normalizeText(accepted, comparison)
  const pieces = splitAtWildcards(accepted).map((piece) => normalizeText(piece, { ...comparison, trim: false }))
  const trimmed = comparison.trim ? trimOuter(pieces) : pieces
  return matchesPieces(text, trimmed)
}

// Latin letters with their Cyrillic look-alikes.
const LATIN = 'aAeEoOpPcCxXyYiIïÏBHKMTkmt'
const CYRILLIC =
  '\u0430\u0410\u0435\u0415\u043e\u041e\u0440\u0420\u0441\u0421\u0445\u0425\u0443\u0423\u0456\u0406\u0457\u0407\u0412\u041d\u041a\u041c\u0422\u043a\u043c\u0442'
const LOOKALIKES = new Map([...LATIN].map((letter, index) => [letter, [...CYRILLIC][index] ?? letter]))

/** Without a full stop at the end, and with Cyrillic letters for Latin look-alikes in words that contain Cyrillic. */
function simplify(text: string): string {
  const folded = text
    .normalize('NFC')
    .replace(/[\p{L}’'ʼ]+/gu, (word) =>
      /\p{Script=Cyrillic}/u.test(word) ? [...word].map((letter) => LOOKALIKES.get(letter) ?? letter).join('') : word,
    )
  return /[^.\s]\s*\.\s*$/u.test(folded) ? folded.trimEnd().slice(0, -1) : folded
}

function normalizeText(text: string, { caseSensitive, trim }: Pick<TextComparison, 'caseSensitive' | 'trim'>): string {
  const unified = text.normalize('NFC').replace(/['’ʼ‘`]/g, '’')
  const spaced = trim ? unified.replace(/\s+/g, ' ').trim() : unified
  return caseSensitive ? spaced : spaced.toLowerCase()
}

/** The texts between the wildcards; one piece for a text without wildcards. */
function splitAtWildcards(pattern: string): string[] {
  const pieces = ['']
  for (let index = 0; index < pattern.length; index += 1) {
    const isEscaped = pattern[index] === '\\' && pattern[index + 1] === '*'
    if (isEscaped) index += 1
    if (pattern[index] === '*' && !isEscaped) pieces.push('')
    else pieces[pieces.length - 1] += pattern[index] ?? ''
  }
  return pieces
}

function trimOuter(pieces: string[]): string[] {
  const spaced = pieces.map((piece) => piece.replace(/\s+/g, ' '))
  return spaced.map((piece, index) => {
    const start = index === 0 ? piece.trimStart() : piece
    return index === spaced.length - 1 ? start.trimEnd() : start
  })
}

/** The first piece starts the text, the last one ends it, and those between follow each other without overlap. */
function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  const end = text.length - last.length
  let position = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, position)
    if (found < 0 || found + piece.length > end) return false
    position = found + piece.length
  }
  return position <= end
}
