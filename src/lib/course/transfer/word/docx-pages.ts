import type { Markup, MarkupElement } from '../markup.ts'

/** Separates two pages. */
export const PAGE_BREAK: MarkupElement = { name: 'br', attributes: { class: 'page' }, children: [] }

const BREAK = '<w:r><w:br w:type="page"/></w:r>'
const PROPERTIES_END = '</w:pPr>'
const PARAGRAPH_END = '</w:p>'

/**
 * The main text of a Word document with a break where a paragraph starts a page or ends a section (ECMA-376 part 1,
 * 17.3.1.23 and 17.6.18): the library that reads the document only supports breaks in the text.
 */
export function withPageBreaks(xml: string): string {
  const parts: string[] = []
  let position = 0
  for (;;) {
    const start = xml.indexOf('<w:pPr>', position)
    const end = start === -1 ? -1 : xml.indexOf(PROPERTIES_END, start)
    if (end === -1) break
    const properties = xml.slice(start, end)
    const propertiesEnd = end + PROPERTIES_END.length
    parts.push(xml.slice(position, propertiesEnd))
    position = propertiesEnd
    if (beginsPage(properties)) parts.push(BREAK)
    const paragraphEnd = endsPage(properties) ? xml.indexOf(PARAGRAPH_END, propertiesEnd) : -1
    if (paragraphEnd === -1) continue
    parts.push(xml.slice(propertiesEnd, paragraphEnd), BREAK)
    position = paragraphEnd
  }
  parts.push(xml.slice(position))
  return parts.join('')
}

function beginsPage(properties: string): boolean {
  const [, tag] = /<w:pageBreakBefore([^<>]*)>/.exec(properties) ?? []
  return tag !== undefined && !/"(?:0|false|off)"/.test(tag)
}

function endsPage(properties: string): boolean {
  return properties.includes('<w:sectPr') && !/<w:type [^<>]*"(?:continuous|nextColumn)"/.test(properties)
}

/** Elements with PAGE_BREAK between those of two pages. Breaks inside lists and tables are dropped. */
export function separatePages(nodes: readonly Markup[]): Markup[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !/^(?:p|h[1-6])$/.test(node.name)) return withoutBreaks([node])
    return splitAtBreaks(node).flatMap((part, index) => (index > 0 ? [PAGE_BREAK, ...part] : part))
  })
}

const isBreak = (node: Markup): boolean =>
  typeof node !== 'string' && node.name === 'br' && node.attributes.class === 'page'

/** Splits the content of an element at the breaks; each part is in a copy of the element. */
function splitAtBreaks(node: Markup): Markup[][] {
  if (typeof node === 'string') return [[node]]
  if (isBreak(node)) return [[], []]
  const parts: Markup[][] = [[]]
  for (const child of node.children) {
    const [first = [], ...more] = splitAtBreaks(child)
    parts.at(-1)?.push(...first)
    parts.push(...more)
  }
  return parts.map((children) => [{ ...node, children }])
}

function withoutBreaks(nodes: readonly Markup[]): Markup[] {
  return nodes.flatMap((node): Markup[] => {
    if (typeof node === 'string') return [node]
    return isBreak(node) ? [] : [{ ...node, children: withoutBreaks(node.children) }]
  })
}
