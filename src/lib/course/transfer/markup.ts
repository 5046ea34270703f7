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
const DEEPEST = 120
/** The parser itself slows down with every open element: what is nested so deep is no text. */
const ABSURD = 5000

/** HTML as a browser would take it, whatever is wrong with it. */
export const readHtml = (html: string): MarkupElement => build(html, false)

/**
 * An XML file of an archive. Document types are refused, and with them entities of its own: none of the formats that we
 * read has one. Refuses with unprocessable (import_xml) for that and for another root than the one expected;
 * null expects any.
 */
export function readXml(bytes: Buffer, root: string | null, path: string): MarkupElement {
  const found = build(textOf(bytes), true, path).children.find((one) => typeof one !== 'string')
  if (!found || typeof found === 'string' || (root !== null && found.name !== root)) throw wrongXml(path)
  return found
}

/** Elements of a name among the children. */
export function childrenOf(node: MarkupElement | undefined, name: string): MarkupElement[] {
  const found: MarkupElement[] = []
  for (const child of node?.children ?? []) if (typeof child !== 'string' && child.name === name) found.push(child)
  return found
}

/** The first element down a path of names. */
export function childAt(node: MarkupElement | undefined, ...names: string[]): MarkupElement | undefined {
  let found = node
  for (const name of names) found = childrenOf(found, name)[0]
  return found
}

/** All text below a node. Depth is bounded by the reading. */
export function wordsOf(node: Markup | undefined): string {
  if (node === undefined) return ''
  return typeof node === 'string' ? node : node.children.map(wordsOf).join('')
}

/** The text at the end of a path of names, trimmed; Moodle writes `$@NULL@$` for nothing. */
export function wordsAt(node: MarkupElement | undefined, ...names: string[]): string {
  const words = wordsOf(childAt(node, ...names)).trim()
  return words === '$@NULL@$' ? '' : words
}

/** UTF-8, or UTF-16 with its mark. */
export function textOf(bytes: Buffer): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  return new TextDecoder(wide ?? 'utf-8').decode(bytes)
}

function build(text: string, xml: boolean, path = ''): MarkupElement {
  const top: MarkupElement = { name: '', attributes: {}, children: [] }
  const open: MarkupElement[] = [top]
  let ignored = 0
  const put = (node: Markup) => open.at(-1)?.children.push(node)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (open.length > DEEPEST) {
          ignored += 1
          if (ignored > ABSURD) throw wrongXml(path)
          return
        }
        const element = { name: xml ? name.replace(/^.*:/, '') : name, attributes, children: [] }
        put(element)
        open.push(element)
      },
      onclosetag: () => {
        if (ignored > 0) ignored -= 1
        else if (open.length > 1) open.pop()
      },
      ontext: put,
      onprocessinginstruction: (name) => {
        if (xml && name.startsWith('!')) throw wrongXml(path)
      },
    },
    { xmlMode: xml, decodeEntities: true, recognizeCDATA: true },
  )
  // What the database cannot hold is no text: NUL, and halves of surrogate pairs.
  parser.end(text.toWellFormed().replaceAll('\0', ''))
  return top
}

const wrongXml = (path: string) =>
  new Refusal('unprocessable', { fields: { file: ['import_xml'] }, variables: { path: path.slice(0, 200) } })
