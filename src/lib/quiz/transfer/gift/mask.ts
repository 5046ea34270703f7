import { type Delimiters, replaceFormulas, TEX_DELIMITERS } from '../text/tex-spans.ts'

/** The characters with a meaning in GIFT; each has a control character as its mask, which texts do not contain. */
const SIGNS = ['~', '=', '#', '{', '}', ':', '\\', '\n'] as const
const MASKS = new Map<string, string>(SIGNS.map((sign, index) => [sign, String.fromCharCode(index + 1)]))
const SIGNS_BY_MASK = new Map<string, string>([...MASKS].map(([sign, mask]) => [mask, sign]))
const BACKSLASH = MASKS.get('\\') ?? ''

/**
 * Masks the characters that have no meaning: escaped ones (`\=`, `\n` is a line break), those in the tags of HTML, and
 * with `formulas` those in TeX formulas.
 */
export function maskSource(source: string, { formulas }: { formulas: boolean }): string {
  const escaped = maskEscapes(withoutMasks(source))
  const tagged = escaped.replace(/<[a-z][^<>]{0,5000}>/gi, (tag) => (tag.includes('="') ? maskAll(tag) : tag))
  return formulas ? replaceFormulas(tagged, FORMULAS, maskAll) : tagged
}

export const unmask = (text: string): string => replaceEach(text, SIGNS_BY_MASK)

const withoutMasks = (text: string): string => [...text].filter((character) => !SIGNS_BY_MASK.has(character)).join('')

function maskEscapes(source: string): string {
  const parts: string[] = []
  for (let at = 0; at < source.length; at += 1) {
    const next = source[at + 1] ?? ''
    const mask = source[at] !== '\\' ? undefined : next === 'n' ? MASKS.get('\n') : MASKS.get(next)
    if (mask === undefined || next === '\n') parts.push(source[at] ?? '')
    else {
      parts.push(mask)
      at += 1
    }
  }
  return parts.join('')
}

const FORMULAS: Delimiters = [...TEX_DELIMITERS, [`${BACKSLASH}(`, `${BACKSLASH})`], [`${BACKSLASH}[`, `${BACKSLASH}]`]]

/** Line breaks stay. */
const maskAll = (text: string): string =>
  replaceEach(text, new Map([...MASKS].filter(([sign]) => sign !== '\n' && sign !== '\\')))

const replaceEach = (text: string, values: ReadonlyMap<string, string>): string =>
  [...text].map((character) => values.get(character) ?? character).join('')
