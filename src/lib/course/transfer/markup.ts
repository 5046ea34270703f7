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

/** Deeper elements lose their tags and keep their text: a hostile depth must not exhaust the stack of what follows. */
const MAX_DEPTH = 120
/** The parser itself slows down with every open element: what is nested so deep is no text. */
const MAX_IGNORED = 5000

/** HTML as a browser would take it, whatever is wrong with it. */
export const parseHtml = (html: string): MarkupElement => parseMarkup(html, false)

/**
 * An XML file of an archive. Document types are refused, and with them entities of its own: none of the formats that we
 * read has one. Refuses with unprocessable (import_xml) for that and for another root than the one expected;
 * null expects any.
 */
export function parseXml(bytes: Buffer, expectedRoot: string | null, path: string): MarkupElement {
  const root = parseMarkup(decodeMarkupText(bytes), true, path).children.find((child) => typeof child !== 'string')
  if (!root || typeof root === 'string' || (expectedRoot !== null && root.name !== expectedRoot)) throw xmlRefusal(path)
  return root
}

/** Elements of a name among the children. */
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

/** All text below a node. Depth is bounded by the reading. */
export function textContent(node: Markup | undefined): string {
  if (node === undefined) return ''
  return typeof node === 'string' ? node : node.children.map(textContent).join('')
}

/** The text at the end of a path of names, trimmed; Moodle writes `$@NULL@$` for nothing. */
export function textAtPath(node: MarkupElement | undefined, ...names: string[]): string {
  const words = textContent(childAt(node, ...names)).trim()
  return words === '$@NULL@$' ? '' : words
}

/** UTF-8, or UTF-16 with its mark. */
export function decodeMarkupText(bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes)
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
  // What the database cannot hold is no text: NUL, and halves of surrogate pairs.
  parser.end(text.toWellFormed().replaceAll('\0', ''))
  return root
}

const xmlRefusal = (path: string) =>
  new Refusal('unprocessable', { fields: { file: ['import_xml'] }, variables: { path: path.slice(0, 200) } })
