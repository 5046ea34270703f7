import { dictionary } from '#lib/core/shared/dictionary.ts'
import { escapeText } from '#lib/core/shared/text/escape.ts'
import { childAt, childrenOf, type Markup, type MarkupElement, parseXml, textContent } from '../markup.ts'

/**
 * The main text of a Word document with its formulas (Office Math, ECMA-376 part 1, 22.1) as runs of linear text, such
 * as `x=(−b±√(b²−4ac))/(2a)`: the library that reads the document ignores them.
 */
export function withLinearMath(xml: string): string {
  if (!xml.includes(OPENING)) return xml
  const parts: string[] = []
  let position = 0
  for (;;) {
    const start = findOpening(xml, position)
    const end = start === -1 ? -1 : xml.indexOf(CLOSING, start)
    if (end === -1) break
    const formula = xml.slice(start, end + CLOSING.length)
    const text = toLinearText(parseXml(Buffer.from(formula), 'oMath', 'word/document.xml')).trim()
    parts.push(xml.slice(position, start), `<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`)
    position = end + CLOSING.length
  }
  parts.push(xml.slice(position))
  // The wrapper of a formula on a separate line would hide the run.
  return parts.join('').replace(/<\/?m:oMathPara(?:\s[^<>]*)?>/g, '')
}

const OPENING = '<m:oMath'
const CLOSING = '</m:oMath>'

/** Index of the first non-empty formula, with attributes or without; -1 when there is none. */
function findOpening(xml: string, from: number): number {
  let start = xml.indexOf(OPENING, from)
  while (start !== -1 && !/^(?:>|\s[^<>]*(?<!\/)>)/.test(xml.slice(start + OPENING.length, start + MAX_TAG_LENGTH))) {
    start = xml.indexOf(OPENING, start + 1)
  }
  return start
}

/** Maximum length of a tag in characters; it may contain namespaces. */
const MAX_TAG_LENGTH = 4096

const SUPERSCRIPTS = dictionary<string>({
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  n: 'ⁿ',
})

function toLinearText(node: Markup | undefined): string {
  if (node === undefined) return ''
  if (typeof node === 'string') return node.trim()
  const childText = (name: string) => toLinearText(childAt(node, name))
  switch (node.name) {
    case 't':
      return textContent(node)
    case 'f':
      return `${parenthesizeIfLong(childText('num'))}/${parenthesizeIfLong(childText('den'))}`
    case 'sSup':
      return childText('e') + superscript(childText('sup'))
    case 'sSub':
      return childText('e') + subscript(childText('sub'))
    case 'sSubSup':
      return childText('e') + subscript(childText('sub')) + superscript(childText('sup'))
    case 'rad': {
      const degree = childText('deg')
      return `${degree === '' ? '' : (SUPERSCRIPTS[degree] ?? `[${degree}]`)}√${parenthesized(childText('e'))}`
    }
    case 'nary': {
      const sign = property(node, 'naryPr', 'chr') ?? '∫'
      return `${sign}${subscript(childText('sub'))}${superscript(childText('sup'))} ${childText('e')}`
    }
    case 'd': {
      const [open, close] = [property(node, 'dPr', 'begChr') ?? '(', property(node, 'dPr', 'endChr') ?? ')']
      const separator = property(node, 'dPr', 'sepChr') ?? '|'
      return `${open}${childrenOf(node, 'e').map(toLinearText).join(separator)}${close}`
    }
    case 'func':
      return `${childText('fName')} ${childText('e')}`
    case 'limLow':
      return childText('e') + subscript(childText('lim'))
    case 'limUpp':
      return childText('e') + superscript(childText('lim'))
    case 'm':
      return `[${childrenOf(node, 'mr')
        .map((row) => childrenOf(row, 'e').map(toLinearText).join(', '))
        .join('; ')}]`
    case 'eqArr':
      return childrenOf(node, 'e').map(toLinearText).join('; ')
    case 'acc':
      return childText('e') + (property(node, 'accPr', 'chr') ?? '\u0302')
    default:
      return node.name.endsWith('Pr') ? '' : node.children.map(toLinearText).join('')
  }
}

/** The character that a property specifies. */
const property = (node: MarkupElement, list: string, name: string): string | undefined =>
  childAt(node, list, name)?.attributes['m:val']

const parenthesized = (text: string): string => `(${text})`
const parenthesizeIfLong = (text: string): string => (/^(?:\p{L}|\p{N}+)$/u.test(text) ? text : parenthesized(text))
const superscript = (text: string): string =>
  text === '' ? '' : (SUPERSCRIPTS[text] ?? (text.length === 1 ? `^${text}` : `^(${text})`))
const subscript = (text: string): string => (text === '' ? '' : text.length === 1 ? `_${text}` : `_(${text})`)
