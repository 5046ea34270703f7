/** How a typed text is compared with the accepted ones. */
export interface TextComparison {
  caseSensitive: boolean
  trim: boolean
  wildcards: boolean
}

/**
 * Whether a typed text matches the accepted one. Unicode normalization forms and the kinds of apostrophe (', ’, ʼ) are
 * always ignored. With wildcards, `*` matches any text and `\*` a literal asterisk; the comparison runs in linear time
 * without a regular expression.
 */
export function matchesText(typed: string, accepted: string, comparison: TextComparison): boolean {
  const text = normalizeText(typed, comparison)
  if (!comparison.wildcards) return text === normalizeText(accepted, comparison)
  const pieces = splitAtWildcards(accepted).map((piece) => normalizeText(piece, { ...comparison, trim: false }))
  const trimmed = comparison.trim ? trimOuter(pieces) : pieces
  return matchesPieces(text, trimmed)
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
