import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { type Markup, type MarkupElement, parseHtml, textContent } from './markup.ts'
import { convertTable } from './table-html.ts'
import {
  type DocMark,
  ensureParagraph,
  plainParagraph,
  textBlocks,
  textNode,
  textNodes,
  withLink,
  withMark,
} from './text-blocks.ts'

/** Resolves references from HTML to content outside it. */
export interface HtmlResolver {
  /** Source address of an image to the `src` to store; null for an image that cannot be shown. */
  picture(src: string): string | null
  /** Source address of a link or media to a block for the file; null if it is not a file of the import. */
  file(href: string): LessonNode | null
  /** Source address of a link to the one to store; null for a link without a target, whose text is kept. */
  link?(href: string): string | null
  /** Source address of a frame to a block; null if frames of that site are not allowed. */
  frame(src: string): LessonNode | null
}

/** Deeper nesting is flattened to text. */
const MAX_DEPTH = 10
const IGNORED_ELEMENTS = new Set(
  'script style template noscript head title object applet map svg math select option'.split(' '),
)
const MARKS = dictionary<DocMark>({
  b: { type: 'bold' },
  strong: { type: 'bold' },
  i: { type: 'italic' },
  em: { type: 'italic' },
  cite: { type: 'italic' },
  u: { type: 'underline' },
  ins: { type: 'underline' },
  s: { type: 'strike' },
  strike: { type: 'strike' },
  del: { type: 'strike' },
  code: { type: 'code' },
  kbd: { type: 'code' },
  samp: { type: 'code' },
  tt: { type: 'code' },
})
const INLINE_ELEMENTS = new Set(
  `a abbr b bdi bdo big br cite code data del dfn em font i img iframe audio video input ins kbd label mark q ruby s samp
  small span strike strong sub sup time tt u var wbr`.split(/\s+/),
)

/**
 * Converts HTML to a lesson document. The tags of unknown elements are removed; scripts and styles are removed with
 * their content.
 */
export function docFromHtml(html: string, resolver: HtmlResolver): LessonDoc {
  return docFromNodes(parseHtml(html).children, resolver)
}

/** Converts parsed nodes to a lesson document. */
export function docFromNodes(nodes: readonly Markup[], resolver: HtmlResolver): LessonDoc {
  return { type: 'doc', content: ensureParagraph(convertBlocks(nodes, resolver, 0)) }
}

/** Blocks of nodes that are nested `depth` deep in a text of another format. */
export const blocksFromNodes = (nodes: readonly Markup[], resolver: HtmlResolver, depth: number): LessonNode[] => {
  const blocks = convertBlocks(nodes, resolver, depth)
  return depth > 0 ? withoutEmbeds(blocks) : blocks
}

/** Converts inline nodes. */
export const inlineFromNodes = (nodes: readonly Markup[], resolver: HtmlResolver, marks: DocMark[]): LessonNode[] =>
  convertInline(nodes, resolver, marks, 0)

/** Converts nodes to blocks; consecutive inline nodes become paragraphs. */
function convertBlocks(nodes: readonly Markup[], resolver: HtmlResolver, depth: number): LessonNode[] {
  const blocks: LessonNode[] = []
  let inline: Markup[] = []
  const flushInline = () => {
    blocks.push(...inlineBlocks(inline, resolver, depth))
    inline = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || isInline(node)) inline.push(node)
    else {
      flushInline()
      blocks.push(...convertBlock(node, resolver, depth))
    }
  }
  flushInline()
  return blocks
}

/** Inline elements with block content, which browsers accept, are treated as blocks. */
function isInline(node: MarkupElement): boolean {
  return INLINE_ELEMENTS.has(node.name) && node.children.every((child) => typeof child === 'string' || isInline(child))
}

function convertBlock(node: MarkupElement, resolver: HtmlResolver, depth: number): LessonNode[] {
  if (IGNORED_ELEMENTS.has(node.name)) return []
  if (depth > MAX_DEPTH) return plainParagraph(textContent(node))
  const { name, children } = node
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level) {
    const heading = { type: 'heading', attrs: { level: Math.min(Math.max(Number(level), 2), 4) } }
    return textBlocks(heading, trimmedInline(children, resolver, [], depth))
  }
  switch (name) {
    case 'ul':
    case 'ol':
    case 'menu':
      return convertList(node, resolver, depth)
    case 'blockquote': {
      const content = withoutEmbeds(convertBlocks(children, resolver, depth + 1))
      return content.length > 0 ? [{ type: 'blockquote', content }] : []
    }
    case 'pre': {
      const code = withoutOuterBreaks(textContent(node))
      return code === '' ? [] : [{ type: 'codeBlock', attrs: { language: null }, content: [textNode(code, [])] }]
    }
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'a': {
      const { href } = node.attributes
      return convertBlocks(href ? linkEachText(children, href) : children, resolver, depth)
    }
    case 'table':
      return convertTable(node, (cell) =>
        ensureParagraph(withoutEmbeds(convertBlocks(cell.children, resolver, depth + 1))),
      )
    default:
      return convertBlocks(children, resolver, depth)
  }
}

/** A link around blocks becomes a link around each of their texts. */
function linkEachText(nodes: readonly Markup[], href: string): Markup[] {
  return nodes.map((node) => {
    if (typeof node !== 'string') return { ...node, children: linkEachText(node.children, href) }
    return node.trim() === '' ? node : { name: 'a', attributes: { href }, children: [node] }
  })
}

/** Browsers ignore the first line break of a `pre`; trailing ones are formatting of the source. */
function withoutOuterBreaks(code: string): string {
  let end = code.length
  while (code[end - 1] === '\n') end -= 1
  return code.slice(code.startsWith('\n') && end > 0 ? 1 : 0, end)
}

function convertList(node: MarkupElement, resolver: HtmlResolver, depth: number): LessonNode[] {
  // Text and elements directly inside a list are items too.
  const items = node.children.filter((child) =>
    typeof child === 'string' ? child.trim() !== '' : !IGNORED_ELEMENTS.has(child.name),
  )
  if (items.length === 0) return []
  const start = Math.trunc(Number(node.attributes.start))
  const attrs = node.name === 'ol' && start > 1 ? { attrs: { start: Math.min(start, 1_000_000) } } : {}
  const content = items.map((item) => {
    const inner = typeof item !== 'string' && item.name === 'li' ? item.children : [item]
    const blocks = ensureParagraph(withoutEmbeds(convertBlocks(inner, resolver, depth + 1)))
    // The editor requires a paragraph first in every item.
    if (blocks[0]?.type !== 'paragraph') blocks.unshift({ type: 'paragraph' })
    return { type: 'listItem', content: blocks }
  })
  return [{ type: node.name === 'ol' ? 'orderedList' : 'bulletList', ...attrs, content }]
}

function inlineBlocks(nodes: readonly Markup[], resolver: HtmlResolver, depth: number): LessonNode[] {
  return nodes.length === 0 ? [] : textBlocks({ type: 'paragraph' }, trimmedInline(nodes, resolver, [], depth))
}

/** White space at the ends of inline content is formatting of the source. */
function trimmedInline(
  nodes: readonly Markup[],
  resolver: HtmlResolver,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  const inline = convertInline(nodes, resolver, marks, depth)
  const first = inline[0]
  const last = inline.at(-1)
  if (first?.text) first.text = first.text.trimStart()
  if (last?.text) last.text = last.text.trimEnd()
  return inline.filter((node) => node.type !== 'text' || node.text)
}

function convertInline(
  nodes: readonly Markup[],
  resolver: HtmlResolver,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  return nodes.flatMap((node) => convertInlineNode(node, resolver, marks, depth))
}

function convertInlineNode(node: Markup, resolver: HtmlResolver, marks: DocMark[], depth: number): LessonNode[] {
  if (typeof node === 'string') return textNodes(node.replace(/[ \t\r\n\f]+/g, ' '), marks)
  if (IGNORED_ELEMENTS.has(node.name)) return []
  const { name, attributes, children } = node
  switch (name) {
    case 'br':
      return [{ type: 'hardBreak' }]
    case 'img':
      return convertImage(attributes, resolver, marks)
    case 'iframe':
      return embeddedOrLink(attributes.src ?? '', resolver.frame, marks)
    case 'audio':
    case 'video': {
      const source = children.find(
        (child): child is MarkupElement => typeof child !== 'string' && child.name === 'source',
      )
      return embeddedOrLink(attributes.src ?? source?.attributes.src ?? '', resolver.file, marks)
    }
    case 'a': {
      const href = attributes.href ?? ''
      const file = href === '' ? null : resolver.file(href)
      const target = file || href === '' ? null : resolver.link ? resolver.link(href) : href
      const content = convertInline(children, resolver, target === null ? marks : withLink(marks, target), depth)
      return file ? [...content, file] : content
    }
    default:
      return convertInline(children, resolver, withElementMark(marks, MARKS[name]), depth)
  }
}

/** The editor's code mark excludes all others; a link is kept rather than the code mark. */
function withElementMark(marks: DocMark[], mark: DocMark | undefined): DocMark[] {
  if (!mark || marks.some(({ type }) => type === 'code')) return marks
  if (mark.type !== 'code') return withMark(marks, mark)
  return marks.some(({ type }) => type === 'link') ? marks : [mark]
}

function convertImage(
  { src = '', alt = '' }: Record<string, string>,
  resolver: HtmlResolver,
  marks: DocMark[],
): LessonNode[] {
  const storedSrc = src === '' ? null : resolver.picture(src)
  if (storedSrc) return [{ type: 'image', attrs: { src: storedSrc, alt: alt.trim().slice(0, 500).toWellFormed() } }]
  return alt.trim() ? textNodes(alt.trim(), withLink(marks, src)) : []
}

function embeddedOrLink(src: string, resolve: (src: string) => LessonNode | null, marks: DocMark[]): LessonNode[] {
  const embedded = src === '' ? null : resolve(src)
  return embedded ? [embedded] : textNodes(src, withLink(marks, src))
}

/** Media and frames are allowed at the top level only: nested ones become links. */
function withoutEmbeds(blocks: LessonNode[]): LessonNode[] {
  return blocks.flatMap((node) => {
    if (node.type !== 'embed') return [node]
    const href = String(node.attrs?.url)
    return [{ type: 'paragraph', content: textNodes(href, withLink([], href)) }]
  })
}
