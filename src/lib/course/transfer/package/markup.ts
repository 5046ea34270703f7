import { childrenOf, type Markup, type MarkupElement, wordsOf } from '../markup.ts'
import { tablesOf } from './cells.ts'

/** What a reader of packages knows about addresses in its pages. */
export interface Addresses {
  /** The address to write instead; null when it leads to nothing that is imported. */
  link(href: string): string | null
  /** A source of media with its scheme; relative ones unchanged. */
  source(src: string): string
  /** Whether a source of media is a file of the package. */
  isImported(src: string): boolean
}

/**
 * The HTML of a page in the form that `html.ts` converts without a loss: embedded players as frames, formulas as TeX,
 * table captions and stray table content as paragraphs, image maps as links, and every address resolved.
 */
export function prepared(nodes: readonly Markup[], addresses: Addresses): Markup[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [node] : element(node, addresses)))
}

function element(node: MarkupElement, addresses: Addresses): Markup[] {
  const { name, attributes } = node
  switch (name) {
    case 'object':
    case 'applet':
      return player(node, addresses)
    case 'embed':
      return attributes.src ? [frame(addresses.source(attributes.src))] : []
    case 'iframe':
      return attributes.src ? [frame(addresses.source(attributes.src))] : prepared(node.children, addresses)
    case 'img':
      return picture(node, addresses)
    case 'audio':
    case 'video':
      return media(node, addresses)
    case 'a':
      return anchor(node, addresses)
    case 'map':
      return childrenOf(node, 'area').flatMap(({ attributes: { href = '', alt = '' } }) =>
        href ? anchor(make('a', { href }, [alt || href]), addresses) : [],
      )
    case 'math':
      return [make('span', {}, [formula(node)])]
    case 'select':
      return [
        make(
          'ul',
          {},
          childrenDeep(node, 'option').map((option) => make('li', {}, [wordsOf(option)])),
        ),
      ]
    case 'ul':
    case 'ol':
    case 'menu':
      return [{ ...node, children: prepared(node.children, addresses).map(item) }]
    case 'table':
      return tablesOf({ ...node, children: prepared(node.children, addresses) })
    default:
      return [{ ...node, children: prepared(node.children, addresses) }]
  }
}

export const make = (name: string, attributes: Record<string, string>, children: Markup[]): MarkupElement => ({
  name,
  attributes,
  children,
})

const frame = (src: string): MarkupElement => make('iframe', { src }, [])

/** An old player: its address stands in `data`, in a parameter, or in the `embed` inside of it. */
function player(node: MarkupElement, addresses: Addresses): Markup[] {
  const { data = '' } = node.attributes
  const params = childrenOf(node, 'param').map(({ attributes }) => attributes)
  const named = params.find(({ name = '' }) => ['movie', 'src', 'url', 'filename'].includes(name.toLowerCase()))
  const inner = childrenDeep(node, 'embed')[0]?.attributes.src
  const fallback = node.children.filter((child) => typeof child === 'string' || !PLAYER_PARTS.has(child.name))
  const src = data || named?.value || inner
  return [...(src ? [frame(addresses.source(src))] : []), ...prepared(fallback, addresses)]
}

const PLAYER_PARTS = new Set(['param', 'embed'])

function picture(node: MarkupElement, addresses: Addresses): Markup[] {
  const { src = '', alt = '', title = '' } = node.attributes
  const tex = texOf(node.attributes)
  if (tex !== null) return [make('span', {}, [` \\(${tex}\\) `])]
  const found = addresses.source(src)
  // An image that does not come along leaves its text, as a link to its site.
  const text = alt.trim() || title.trim() || (/^https?:/i.test(found) ? (found.split(/[?#]/)[0] ?? '') : '')
  const image = { ...node, attributes: { ...node.attributes, src: found, alt: text } }
  return addresses.isImported(src) ? [image] : [' ', image, ' ']
}

/** Canvas and Moodle draw formulas as images and keep their TeX beside them. */
function texOf({ class: style = '', alt = '', src = '', ...more }: Record<string, string>): string | null {
  const tex = more['data-equation-content']
  if (tex) return tex
  const drawn = /equation_image|texrender/.test(style) || src.includes('/equation_images/')
  return drawn && alt ? alt.replace(/^LaTeX:\s*/, '') : null
}

/** A player without a source of its own plays the first; the others are offered as files. */
function media(node: MarkupElement, addresses: Addresses): Markup[] {
  const sources = [node, ...childrenOf(node, 'source')].flatMap(({ attributes }) => attributes.src ?? [])
  const others = node.children.filter((child) => typeof child === 'string' || !MEDIA_PARTS.has(child.name))
  const own = [...new Set(sources)].slice(0, 1).map((src) => make(node.name, { src: addresses.source(src) }, []))
  return [...own, ...prepared(others, addresses)]
}

const MEDIA_PARTS = new Set(['source', 'track'])

function anchor(node: MarkupElement, addresses: Addresses): Markup[] {
  const { href = '', title = '' } = node.attributes
  const children = prepared(node.children, addresses)
  const to = href === '' ? null : addresses.link(href)
  if (to === null) return [make('span', {}, children)]
  if (children.some((child) => wordsOf(child).trim() !== '')) {
    if (children.some(holdsBlocks)) return linkTexts(children, to)
    return [{ ...node, attributes: { ...node.attributes, href: to }, children }]
  }
  // Only text can be a link in a lesson: a linked image is followed by a link with its name.
  const alt = childrenDeep(node, 'img')[0]?.attributes.alt ?? ''
  if (children.length === 0) return []
  return [...children, make('a', { href: to }, [title.trim() || alt.trim() || to]), ' ']
}

const BLOCKS = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li table tr td th section article figure blockquote pre'.split(' '),
)

const holdsBlocks = (node: Markup): boolean =>
  typeof node !== 'string' && (BLOCKS.has(node.name) || node.children.some(holdsBlocks))

/** A link around blocks becomes a link around each of their texts. */
function linkTexts(nodes: readonly Markup[], href: string): Markup[] {
  return nodes.map((node) => {
    if (typeof node !== 'string') return { ...node, children: linkTexts(node.children, href) }
    return node.trim() === '' ? node : make('a', { href }, [node])
  })
}

function formula(node: MarkupElement): string {
  const tex = childrenDeep(node, 'annotation').find(({ attributes }) => /tex/i.test(attributes.encoding ?? ''))
  return tex ? ` \\(${wordsOf(tex).trim()}\\) ` : wordsOf(node)
}

/** Text and elements directly inside of a list are items too. */
function item(child: Markup): Markup {
  if (typeof child === 'string') return child.trim() === '' ? child : make('li', {}, [child])
  return child
}

/** Elements of a name at any depth; depth is bounded by the reading. */
export function childrenDeep(node: MarkupElement, name: string): MarkupElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return [...(child.name === name ? [child] : []), ...childrenDeep(child, name)]
  })
}
