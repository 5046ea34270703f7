import { childrenOf, type Markup, type MarkupElement, textContent } from '../markup.ts'
import { splitTable } from './split-tables.ts'

/** Resolves the addresses in the pages of a package. */
export interface AddressResolver {
  /** The address to store; null when its target is not imported. */
  link(href: string): string | null
  /** A source of media with its scheme; relative ones unchanged. */
  source(src: string): string
  /** Whether a source of media is a file of the package. */
  isImported(src: string): boolean
}

/**
 * The HTML of a page in a form that `html.ts` converts without loss: embedded players as frames, formulas as TeX, table
 * captions and content outside cells as paragraphs, image maps as links, and every address resolved.
 */
export function prepareMarkup(nodes: readonly Markup[], addresses: AddressResolver): Markup[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [node] : prepareElement(node, addresses)))
}

function prepareElement(node: MarkupElement, addresses: AddressResolver): Markup[] {
  const { name, attributes } = node
  switch (name) {
    case 'object':
    case 'applet':
      return preparePlayer(node, addresses)
    case 'embed':
      return attributes.src ? [frame(addresses.source(attributes.src))] : []
    case 'iframe':
      return attributes.src ? [frame(addresses.source(attributes.src))] : prepareMarkup(node.children, addresses)
    case 'img':
      return prepareImage(node, addresses)
    case 'audio':
    case 'video':
      return prepareMedia(node, addresses)
    case 'a':
      return prepareLink(node, addresses)
    case 'map':
      return childrenOf(node, 'area').flatMap(({ attributes: { href = '', alt = '' } }) =>
        href ? prepareLink(createElement('a', { href }, [alt || href]), addresses) : [],
      )
    case 'math':
      return [createElement('span', {}, [formulaText(node)])]
    case 'select':
      return [
        createElement(
          'ul',
          {},
          childrenDeep(node, 'option').map((option) => createElement('li', {}, [textContent(option)])),
        ),
      ]
    case 'table':
      return splitTable({ ...node, children: prepareMarkup(node.children, addresses) })
    default:
      return [{ ...node, children: prepareMarkup(node.children, addresses) }]
  }
}

const createElement = (name: string, attributes: Record<string, string>, children: Markup[]): MarkupElement => ({
  name,
  attributes,
  children,
})

const frame = (src: string): MarkupElement => createElement('iframe', { src }, [])

/** An old player: its address is in `data`, in a parameter, or in the nested `embed`. */
function preparePlayer(node: MarkupElement, addresses: AddressResolver): Markup[] {
  const { data = '' } = node.attributes
  const params = childrenOf(node, 'param').map(({ attributes }) => attributes)
  const sourceParam = params.find(({ name = '' }) => ['movie', 'src', 'url', 'filename'].includes(name.toLowerCase()))
  const embedSrc = childrenDeep(node, 'embed')[0]?.attributes.src
  const fallback = node.children.filter((child) => typeof child === 'string' || !PLAYER_PARTS.has(child.name))
  const src = data || sourceParam?.value || embedSrc
  return [...(src ? [frame(addresses.source(src))] : []), ...prepareMarkup(fallback, addresses)]
}

const PLAYER_PARTS = new Set(['param', 'embed'])

function prepareImage(node: MarkupElement, addresses: AddressResolver): Markup[] {
  const { src = '', alt = '', title = '' } = node.attributes
  const tex = texOf(node.attributes)
  if (tex !== null) return [createElement('span', {}, [` \\(${tex}\\) `])]
  const resolvedSrc = addresses.source(src)
  // An image that is not imported is replaced by its alternative text, as a link to its site.
  const text = alt.trim() || title.trim() || (/^https?:/i.test(resolvedSrc) ? (resolvedSrc.split(/[?#]/)[0] ?? '') : '')
  const image = { ...node, attributes: { ...node.attributes, src: resolvedSrc, alt: text } }
  return addresses.isImported(src) ? [image] : [' ', image, ' ']
}

/** Canvas and Moodle render formulas as images with the TeX in an attribute. */
function texOf({ class: className = '', alt = '', src = '', ...more }: Record<string, string>): string | null {
  const tex = more['data-equation-content']
  if (tex) return tex
  const isFormula = /equation_image|texrender/.test(className) || src.includes('/equation_images/')
  return isFormula && alt ? alt.replace(/^LaTeX:\s*/, '') : null
}

/** A player without a `src` plays its first source; the others become file links. */
function prepareMedia(node: MarkupElement, addresses: AddressResolver): Markup[] {
  const sources = [node, ...childrenOf(node, 'source')].flatMap(({ attributes }) => attributes.src ?? [])
  const others = node.children.filter((child) => typeof child === 'string' || !MEDIA_PARTS.has(child.name))
  const player = [...new Set(sources)]
    .slice(0, 1)
    .map((src) => createElement(node.name, { src: addresses.source(src) }, []))
  return [...player, ...prepareMarkup(others, addresses)]
}

const MEDIA_PARTS = new Set(['source', 'track'])

function prepareLink(node: MarkupElement, addresses: AddressResolver): Markup[] {
  const { href = '', title = '' } = node.attributes
  const children = prepareMarkup(node.children, addresses)
  const target = href === '' ? null : addresses.link(href)
  if (target === null) return [createElement('span', {}, children)]
  if (children.some((child) => textContent(child).trim() !== ''))
    return [{ ...node, attributes: { ...node.attributes, href: target }, children }]
  // Only text can be a link in a lesson: a linked image is followed by a link with its name.
  const alt = childrenDeep(node, 'img')[0]?.attributes.alt ?? ''
  if (children.length === 0) return []
  return [...children, createElement('a', { href: target }, [title.trim() || alt.trim() || target]), ' ']
}

function formulaText(node: MarkupElement): string {
  const tex = childrenDeep(node, 'annotation').find(({ attributes }) => /tex/i.test(attributes.encoding ?? ''))
  return tex ? ` \\(${textContent(tex).trim()}\\) ` : textContent(node)
}

/** Descendants with a name; the depth is limited by the parser. */
export function childrenDeep(node: MarkupElement, name: string): MarkupElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return [...(child.name === name ? [child] : []), ...childrenDeep(child, name)]
  })
}
