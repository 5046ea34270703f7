import type { Definition, List, ListItem, Nodes, Parents, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { blocksFromNodes, inlineFromNodes } from '../html.ts'
import { parseHtml } from '../markup.ts'
import {
  type DocMark,
  ensureParagraph,
  plainParagraph,
  textBlocks,
  textNode,
  textNodes,
  withLink,
  withMark,
} from '../text-blocks.ts'
import { limitDepth } from './depth.ts'
import { convertWikiLinks, type MarkdownResolver } from './wiki.ts'

/** Converts the address of an image to the `src` to store, or to null for an image that cannot be shown. */
export type ImageSource = (url: string) => string | null

interface MarkdownContext {
  imageSource: ImageSource
  resolver: MarkdownResolver | null
  definitions: Map<string, Definition>
}

/** Deeper nesting is flattened to text, because a malicious file could overflow the stack. */
const MAX_DEPTH = 10
const MAX_COLUMNS = 20
const MAX_ROWS = 200

/**
 * Markdown (CommonMark with GitHub's tables, task lists and strikethrough) to a lesson document. With only an image
 * source, the tags of raw HTML are removed and its text is kept; with a full resolver, raw HTML and wiki links are
 * converted too. Of links that `isSafeHref` rejects the text is kept.
 */
export function docFromMarkdown(markdown: string, source: ImageSource | MarkdownResolver): LessonDoc {
  const tree = fromMarkdown(limitDepth(markdown.toWellFormed()), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  const context: MarkdownContext =
    typeof source === 'function'
      ? { imageSource: source, resolver: null, definitions: new Map() }
      : { imageSource: source.picture, resolver: source, definitions: new Map() }
  for (const node of tree.children) if (node.type === 'definition') context.definitions.set(node.identifier, node)
  return { type: 'doc', content: ensureParagraph(convertBlocks(tree.children, context, 0)) }
}

/** All text below a Markdown node, without recursion, because the depth is unlimited. */
export function plainMarkdownText(root: Nodes): string {
  const stack: Nodes[] = [root]
  let text = ''
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'html') text += stripTags(node.value)
    else if ('value' in node) text += node.value
    else if ('alt' in node) text += node.alt ?? ''
    if ('children' in node) stack.push(...[...(node as Parents).children].reverse())
  }
  return text
}

function stripTags(html: string): string {
  return html.replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<[^>]*(>|$)/g, '')
}

function convertBlocks(nodes: readonly RootContent[], context: MarkdownContext, depth: number): LessonNode[] {
  return nodes.flatMap((node) => convertBlock(node, context, depth))
}

function convertBlock(node: RootContent, context: MarkdownContext, depth: number): LessonNode[] {
  if (depth > MAX_DEPTH) return plainParagraph(plainMarkdownText(node))
  switch (node.type) {
    case 'paragraph':
      return textBlocks({ type: 'paragraph' }, convertInline(node.children, context, [], depth))
    case 'heading': {
      const level = Math.min(Math.max(node.depth, 2), 4)
      return textBlocks({ type: 'heading', attrs: { level } }, convertInline(node.children, context, [], depth))
    }
    case 'blockquote': {
      const content = convertBlocks(node.children, context, depth + 1)
      return content.length > 0 ? [{ type: 'blockquote', content }] : []
    }
    case 'list':
      return convertList(node, context, depth)
    case 'code': {
      const language = node.lang && /^[\w+#.-]{1,30}$/.test(node.lang) ? node.lang : null
      return [
        { type: 'codeBlock', attrs: { language }, ...(node.value ? { content: [textNode(node.value, [])] } : {}) },
      ]
    }
    case 'table':
      return [convertTable(node, context, depth)]
    case 'thematicBreak':
      return [{ type: 'horizontalRule' }]
    case 'html':
      if (!context.resolver) return plainParagraph(stripTags(node.value))
      return blocksFromNodes(parseHtml(node.value).children, context.resolver, depth)
    case 'footnoteDefinition': {
      const content = convertBlocks(node.children, context, depth + 1)
      return [...plainParagraph(`[${node.label ?? node.identifier}]`), ...content]
    }
    default:
      return []
  }
}

function convertList(node: List, context: MarkdownContext, depth: number): LessonNode[] {
  if (node.children.length === 0) return []
  const tasks = node.children.some((item) => typeof item.checked === 'boolean')
  const type = tasks ? 'taskList' : node.ordered ? 'orderedList' : 'bulletList'
  const attrs = type === 'orderedList' && node.start ? { attrs: { start: Math.min(node.start, 1_000_000) } } : {}
  return [{ type, ...attrs, content: node.children.map((item) => convertListItem(item, tasks, context, depth)) }]
}

/** The editor requires each item to start with a paragraph: other items get an empty one. */
function convertListItem(item: ListItem, task: boolean, context: MarkdownContext, depth: number): LessonNode {
  const content = ensureParagraph(convertBlocks(item.children, context, depth + 1))
  if (content[0]?.type !== 'paragraph') content.unshift({ type: 'paragraph' })
  return task ? { type: 'taskItem', attrs: { checked: item.checked === true }, content } : { type: 'listItem', content }
}

function convertTable(node: Table, context: MarkdownContext, depth: number): LessonNode {
  const width = Math.min(Math.max(1, ...node.children.map((row) => row.children.length)), MAX_COLUMNS)
  const rows = node.children.slice(0, MAX_ROWS).map((row, rowIndex) => ({
    type: 'tableRow',
    content: Array.from({ length: width }, (_, column) => ({
      type: rowIndex === 0 ? 'tableHeader' : 'tableCell',
      content: ensureParagraph(
        textBlocks({ type: 'paragraph' }, convertInline(row.children[column]?.children ?? [], context, [], depth + 1)),
      ),
    })),
  }))
  return { type: 'table', content: rows }
}

function convertInline(
  nodes: readonly PhrasingContent[],
  context: MarkdownContext,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  return nodes.flatMap((node) => convertInlineNode(node, context, marks, depth))
}

function convertInlineNode(
  node: PhrasingContent,
  context: MarkdownContext,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  if (depth > MAX_DEPTH + 6) return textNodes(plainMarkdownText(node), marks)
  switch (node.type) {
    case 'text':
      return context.resolver ? convertWikiLinks(node.value, context.resolver, marks) : textNodes(node.value, marks)
    case 'strong':
      return convertInline(node.children, context, withMark(marks, { type: 'bold' }), depth + 1)
    case 'emphasis':
      return convertInline(node.children, context, withMark(marks, { type: 'italic' }), depth + 1)
    case 'delete':
      return convertInline(node.children, context, withMark(marks, { type: 'strike' }), depth + 1)
    case 'inlineCode':
      // The editor's code mark excludes all others; a link is kept rather than the code mark.
      return textNodes(node.value, marks.some((mark) => mark.type === 'link') ? marks : [{ type: 'code' }])
    case 'break':
      return [{ type: 'hardBreak' }]
    case 'html':
      if (/^<br\s*\/?>$/i.test(node.value)) return [{ type: 'hardBreak' }]
      return context.resolver && /^<(?:img|video|audio|iframe)\b/i.test(node.value)
        ? inlineFromNodes(parseHtml(node.value).children, context.resolver, marks)
        : []
    case 'link':
      return convertLink(node.url, node.children, context, marks, depth)
    case 'linkReference':
      return convertLink(context.definitions.get(node.identifier)?.url ?? '', node.children, context, marks, depth)
    case 'image':
      return convertImage(node.url, node.alt ?? '', context, marks)
    case 'imageReference':
      return convertImage(context.definitions.get(node.identifier)?.url ?? '', node.alt ?? '', context, marks)
    case 'footnoteReference':
      return textNodes(`[${node.label ?? node.identifier}]`, marks)
    default:
      return []
  }
}

function convertLink(
  url: string,
  children: readonly PhrasingContent[],
  context: MarkdownContext,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  const file = url === '' ? null : (context.resolver?.file(url) ?? null)
  const href = file || url === '' ? null : context.resolver?.link ? context.resolver.link(url) : url
  const content = convertInline(children, context, href === null ? marks : withLink(marks, href), depth + 1)
  return file ? [...content, file] : content
}

function convertImage(url: string, alt: string, context: MarkdownContext, marks: DocMark[]): LessonNode[] {
  const src = context.imageSource(url)
  return src === null
    ? textNodes(alt || url, withLink(marks, url))
    : [{ type: 'image', attrs: { src, alt: alt.slice(0, 500).toWellFormed() } }]
}
