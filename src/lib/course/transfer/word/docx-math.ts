import { dictionary } from '#lib/core/shared/dictionary.ts'
import { childAt, childrenOf, type Markup, type MarkupElement, readXml, wordsOf } from '../markup.ts'

/**
 * The main text of a Word document with its formulas (Office Math, ECMA-376 part 1, 22.1) as runs of linear text, such as
 * `x=(−b±√(b²−4ac))/(2a)`: the library that reads the document passes over them.
 */
export function withLinearMath(xml: string): string {
  if (!xml.includes(OPENING)) return xml
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = openingIn(xml, at)
    const end = start === -1 ? -1 : xml.indexOf(CLOSING, start)
    if (end === -1) break
    const formula = xml.slice(start, end + CLOSING.length)
    const text = linear(readXml(Buffer.from(formula), 'oMath', 'word/document.xml')).trim()
    parts.push(xml.slice(at, start), `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`)
    at = end + CLOSING.length
  }
  parts.push(xml.slice(at))
  // The wrapper of a formula on a line of its own would hide the run.
  return parts.join('').replace(/<\/?m:oMathPara(?:\s[^<>]*)?>/g, '')
}

const OPENING = '<m:oMath'
const CLOSING = '</m:oMath>'

/** Where a formula that is not empty begins, with attributes or without; -1 when there is none. */
function openingIn(xml: string, from: number): number {
  let start = xml.indexOf(OPENING, from)
  while (start !== -1 && !/^(?:>|\s[^<>]*(?<!\/)>)/.test(xml.slice(start + OPENING.length, start + LONGEST_TAG))) {
    start = xml.indexOf(OPENING, start + 1)
  }
  return start
}

/** Namespaces may stand in the tag. Characters. */
const LONGEST_TAG = 4096

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

function linear(node: Markup | undefined): string {
  if (node === undefined) return ''
  if (typeof node === 'string') return node.trim()
  const part = (name: string) => linear(childAt(node, name))
  switch (node.name) {
    case 't':
      return wordsOf(node)
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`
    case 'sSup':
      return part('e') + raised(part('sup'))
    case 'sSub':
      return part('e') + lowered(part('sub'))
    case 'sSubSup':
      return part('e') + lowered(part('sub')) + raised(part('sup'))
    case 'rad': {
      const degree = part('deg')
      return `${degree === '' ? '' : (SUPERSCRIPTS[degree] ?? `[${degree}]`)}√${parenthesized(part('e'))}`
    }
    case 'nary': {
      const sign = property(node, 'naryPr', 'chr') ?? '∫'
      return `${sign}${lowered(part('sub'))}${raised(part('sup'))} ${part('e')}`
    }
    case 'd': {
      const [open, close] = [property(node, 'dPr', 'begChr') ?? '(', property(node, 'dPr', 'endChr') ?? ')']
      const separator = property(node, 'dPr', 'sepChr') ?? '|'
      return `${open}${childrenOf(node, 'e').map(linear).join(separator)}${close}`
    }
    case 'func':
      return `${part('fName')} ${part('e')}`
    case 'limLow':
      return part('e') + lowered(part('lim'))
    case 'limUpp':
      return part('e') + raised(part('lim'))
    case 'm':
      return `[${childrenOf(node, 'mr')
        .map((row) => childrenOf(row, 'e').map(linear).join(', '))
        .join('; ')}]`
    case 'eqArr':
      return childrenOf(node, 'e').map(linear).join('; ')
    case 'acc':
      return part('e') + (property(node, 'accPr', 'chr') ?? '\u0302')
    default:
      return node.name.endsWith('Pr') ? '' : node.children.map(linear).join('')
  }
}

/** The character that a property names. */
const property = (node: MarkupElement, list: string, name: string): string | undefined =>
  childAt(node, list, name)?.attributes['m:val']

const parenthesized = (text: string): string => `(${text})`
const grouped = (text: string): string => (/^(?:\p{L}|\p{N}+)$/u.test(text) ? text : parenthesized(text))
const raised = (text: string): string =>
  text === '' ? '' : (SUPERSCRIPTS[text] ?? (text.length === 1 ? `^${text}` : `^(${text})`))
const lowered = (text: string): string => (text === '' ? '' : text.length === 1 ? `_${text}` : `_(${text})`)

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
