import { Parser } from 'htmlparser2'
import { Refusal } from '#lib/core/http/refusal.ts'

/** A node of HTML or XML: an element or a text. */
export type Markup = MarkupElement | string
export interface MarkupElement {
  /** Lower case in HTML; in XML as written, without its prefix. */
  name: string
  attributes: Record<string, string>
  children: Markup[]
}

/**
 * The tags of deeper elements are removed and their text is kept, because an unlimited depth could overflow the stack.
 */
const MAX_DEPTH = 120
/** The parser becomes slower with every open element; content nested so deep is dropped. */
const MAX_IGNORED = 5000

/** Parses HTML like a browser, including invalid HTML. */
export const parseHtml = (html: string): MarkupElement => parseMarkup(html, false)

/**
 * Parses an XML file of an archive. A document type is dropped and nothing is loaded for it. Refuses with unprocessable
 * (import_xml) for one that declares entities, and for another root than `expectedRoot`; null accepts any root.
 */
export function parseXml(bytes: Buffer, expectedRoot: string | null, path: string): MarkupElement {
  const root = parseMarkup(withoutDoctype(decodeMarkupText(bytes), path), true, path).children.find(
    (child) => typeof child !== 'string',
  )
  if (!root || typeof root === 'string' || (expectedRoot !== null && root.name !== expectedRoot)) throw xmlRefusal(path)
  return root
}

/** Children with a name. */
export function childrenOf(node: MarkupElement | undefined, name: string): MarkupElement[] {
  const matching: MarkupElement[] = []
  for (const child of node?.children ?? []) if (typeof child !== 'string' && child.name === name) matching.push(child)
  return matching
}

/** The first element down a path of names. */
export function childAt(node: MarkupElement | undefined, ...names: string[]): MarkupElement | undefined {
  let current = node
  for (const name of names) current = childrenOf(current, name)[0]
  return current
}

/** All text below a node. The depth is limited by the parser. */
export function textContent(node: Markup | undefined): string {
  if (node === undefined) return ''
  return typeof node === 'string' ? node : node.children.map(textContent).join('')
}

/** The text of the element at a path of names, trimmed; Moodle writes `$@NULL@$` for null. */
export function textAtPath(node: MarkupElement | undefined, ...names: string[]): string {
  const words = textContent(childAt(node, ...names)).trim()
  return words === '$@NULL@$' ? '' : words
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
export function decodeMarkupText(bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes)
}

/** The text without a document type before the root; it may have comments and declarations in brackets. */
function withoutDoctype(text: string, path: string): string {
  let start = 0
  for (;;) {
    start = text.indexOf('<', start)
    if (start < 0) return text
    const closing = text.startsWith('<!--', start) ? '-->' : text.startsWith('<?', start) ? '?>' : null
    if (closing === null) break
    const end = text.indexOf(closing, start + 2)
    if (end < 0) return text
    start = end + closing.length
  }
  if (!/^<!doctype\s/i.test(text.slice(start, start + 10))) return text
  const end = endOfDoctype(text, start)
  if (end < 0 || /<!ENTITY/i.test(text.slice(start, end))) throw xmlRefusal(path)
  // The lines of the rest keep their numbers.
  return text.slice(0, start) + '\n'.repeat(text.slice(start, end).split('\n').length - 1) + text.slice(end)
}

/** The position after the document type that starts at `start`; -1 without an end. */
function endOfDoctype(text: string, start: number): number {
  let isInside = false
  for (let at = start + 2; at < text.length; at += 1) {
    const character = text[at] ?? ''
    const closing = text.startsWith('<!--', at) ? '-->' : character === '"' || character === "'" ? character : null
    if (closing !== null) {
      const end = text.indexOf(closing, at + 1)
      if (end < 0) return -1
      at = end + closing.length - 1
    } else if (character === '[') isInside = true
    else if (character === ']') isInside = false
    else if (character === '>' && !isInside) return at + 1
  }
  return -1
}

function parseMarkup(text: string, xml: boolean, path = ''): MarkupElement {
  const root: MarkupElement = { name: '', attributes: {}, children: [] }
  const openElements: MarkupElement[] = [root]
  let ignored = 0
  const append = (node: Markup) => openElements.at(-1)?.children.push(node)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (openElements.length > MAX_DEPTH) {
          ignored += 1
          if (ignored > MAX_IGNORED) throw xmlRefusal(path)
          return
        }
        const element = { name: xml ? name.replace(/^.*:/, '') : name, attributes, children: [] }
        append(element)
        openElements.push(element)
      },
      onclosetag: () => {
        if (ignored > 0) ignored -= 1
        else if (openElements.length > 1) openElements.pop()
      },
      ontext: append,
      onprocessinginstruction: (name) => {
        if (xml && name.startsWith('!')) throw xmlRefusal(path)
      },
    },
    { xmlMode: xml, decodeEntities: true, recognizeCDATA: true },
  )
  // The database cannot store NUL and lone surrogates.
  parser.end(text.toWellFormed().replaceAll('\0', ''))
  return root
}

const xmlRefusal = (path: string) =>
  new Refusal('unprocessable', { fields: { file: ['import_xml'] }, variables: { path: path.slice(0, 200) } })
