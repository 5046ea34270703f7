import type { Definition, List, ListItem, Nodes, Parents, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { blocksFromNodes, phrasesFromNodes } from '../html.ts'
import { readHtml } from '../markup.ts'
import {
  atLeastAParagraph,
  type DocMark,
  linked,
  marked,
  plainParagraph,
  text,
  textBlocks,
  words,
} from '../text-blocks.ts'
import { limitDepth } from './depth.ts'
import { type MarkdownReading, wikiPhrases } from './wiki.ts'

/** Takes an image address as written, gives the `src` to store, or null for an image that cannot be shown here. */
export type ImageSource = (url: string) => string | null

interface Reading {
  imageSource: ImageSource
  outside: MarkdownReading | null
  definitions: Map<string, Definition>
}

/** Deeper nesting is flattened to its text: no reader needs it and a hostile file would exhaust the stack. */
const DEEPEST = 10
const WIDEST = 20
const LONGEST = 200

/**
 * Markdown (CommonMark with GitHub's tables, task lists and strikethrough) to a lesson document.
 * With an image source alone raw HTML loses its tags and keeps its text; a whole reading reads it too, and the links of
 * wikis. Links that `isSafeHref` refuses keep their text.
 */
export function docFromMarkdown(markdown: string, outside: ImageSource | MarkdownReading): LessonDoc {
  const tree = fromMarkdown(limitDepth(markdown.toWellFormed()), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  const reading: Reading =
    typeof outside === 'function'
      ? { imageSource: outside, outside: null, definitions: new Map() }
      : { imageSource: outside.picture, outside, definitions: new Map() }
  for (const node of tree.children) if (node.type === 'definition') reading.definitions.set(node.identifier, node)
  return { type: 'doc', content: atLeastAParagraph(blocks(tree.children, reading, 0)) }
}

/** All text under a Markdown node, without recursion, so that depth does not matter. */
export function plainText(root: Nodes): string {
  const waiting: Nodes[] = [root]
  let text = ''
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'html') text += withoutTags(node.value)
    else if ('value' in node) text += node.value
    else if ('alt' in node) text += node.alt ?? ''
    if ('children' in node) waiting.push(...[...(node as Parents).children].reverse())
  }
  return text
}

function withoutTags(html: string): string {
  return html.replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<[^>]*(>|$)/g, '')
}

function blocks(nodes: readonly RootContent[], reading: Reading, depth: number): LessonNode[] {
  return nodes.flatMap((node) => block(node, reading, depth))
}

function block(node: RootContent, reading: Reading, depth: number): LessonNode[] {
  if (depth > DEEPEST) return plainParagraph(plainText(node))
  switch (node.type) {
    case 'paragraph':
      return textBlocks({ type: 'paragraph' }, inline(node.children, reading, [], depth))
    case 'heading': {
      const level = Math.min(Math.max(node.depth, 2), 4)
      return textBlocks({ type: 'heading', attrs: { level } }, inline(node.children, reading, [], depth))
    }
    case 'blockquote': {
      const content = blocks(node.children, reading, depth + 1)
      return content.length > 0 ? [{ type: 'blockquote', content }] : []
    }
    case 'list':
      return list(node, reading, depth)
    case 'code': {
      const language = node.lang && /^[\w+#.-]{1,30}$/.test(node.lang) ? node.lang : null
      return [{ type: 'codeBlock', attrs: { language }, ...(node.value ? { content: [text(node.value, [])] } : {}) }]
    }
    case 'table':
      return [table(node, reading, depth)]
    case 'thematicBreak':
      return [{ type: 'horizontalRule' }]
    case 'html':
      if (!reading.outside) return plainParagraph(withoutTags(node.value))
      return blocksFromNodes(readHtml(node.value).children, reading.outside, depth)
    case 'footnoteDefinition': {
      const content = blocks(node.children, reading, depth + 1)
      return [...plainParagraph(`[${node.label ?? node.identifier}]`), ...content]
    }
    default:
      return []
  }
}

function list(node: List, reading: Reading, depth: number): LessonNode[] {
  if (node.children.length === 0) return []
  const tasks = node.children.some((item) => typeof item.checked === 'boolean')
  const type = tasks ? 'taskList' : node.ordered ? 'orderedList' : 'bulletList'
  const attrs = type === 'orderedList' && node.start ? { attrs: { start: Math.min(node.start, 1_000_000) } } : {}
  return [{ type, ...attrs, content: node.children.map((item) => listItem(item, tasks, reading, depth)) }]
}

/** The editor wants a paragraph first in every item: an item that opens with anything else gets an empty one. */
function listItem(item: ListItem, task: boolean, reading: Reading, depth: number): LessonNode {
  const content = atLeastAParagraph(blocks(item.children, reading, depth + 1))
  if (content[0]?.type !== 'paragraph') content.unshift({ type: 'paragraph' })
  return task ? { type: 'taskItem', attrs: { checked: item.checked === true }, content } : { type: 'listItem', content }
}

function table(node: Table, reading: Reading, depth: number): LessonNode {
  const width = Math.min(Math.max(1, ...node.children.map((row) => row.children.length)), WIDEST)
  const rows = node.children.slice(0, LONGEST).map((row, rowIndex) => ({
    type: 'tableRow',
    content: Array.from({ length: width }, (_, column) => ({
      type: rowIndex === 0 ? 'tableHeader' : 'tableCell',
      content: atLeastAParagraph(
        textBlocks({ type: 'paragraph' }, inline(row.children[column]?.children ?? [], reading, [], depth + 1)),
      ),
    })),
  }))
  return { type: 'table', content: rows }
}

function inline(nodes: readonly PhrasingContent[], reading: Reading, marks: DocMark[], depth: number): LessonNode[] {
  return nodes.flatMap((node) => phrase(node, reading, marks, depth))
}

function phrase(node: PhrasingContent, reading: Reading, marks: DocMark[], depth: number): LessonNode[] {
  if (depth > DEEPEST + 6) return words(plainText(node), marks)
  switch (node.type) {
    case 'text':
      return reading.outside ? wikiPhrases(node.value, reading.outside, marks) : words(node.value, marks)
    case 'strong':
      return inline(node.children, reading, marked(marks, { type: 'bold' }), depth + 1)
    case 'emphasis':
      return inline(node.children, reading, marked(marks, { type: 'italic' }), depth + 1)
    case 'delete':
      return inline(node.children, reading, marked(marks, { type: 'strike' }), depth + 1)
    case 'inlineCode':
      // The editor's code mark excludes every other; a link is worth more to the reader than its typeface.
      return words(node.value, marks.some((mark) => mark.type === 'link') ? marks : [{ type: 'code' }])
    case 'break':
      return [{ type: 'hardBreak' }]
    case 'html':
      if (/^<br\s*\/?>$/i.test(node.value)) return [{ type: 'hardBreak' }]
      return reading.outside && /^<(?:img|video|audio|iframe)\b/i.test(node.value)
        ? phrasesFromNodes(readHtml(node.value).children, reading.outside, marks)
        : []
    case 'link':
      return link(node.url, node.children, reading, marks, depth)
    case 'linkReference':
      return link(reading.definitions.get(node.identifier)?.url ?? '', node.children, reading, marks, depth)
    case 'image':
      return image(node.url, node.alt ?? '', reading, marks)
    case 'imageReference':
      return image(reading.definitions.get(node.identifier)?.url ?? '', node.alt ?? '', reading, marks)
    case 'footnoteReference':
      return words(`[${node.label ?? node.identifier}]`, marks)
    default:
      return []
  }
}

function link(
  url: string,
  children: readonly PhrasingContent[],
  reading: Reading,
  marks: DocMark[],
  depth: number,
): LessonNode[] {
  const file = url === '' ? null : (reading.outside?.file(url) ?? null)
  const href = file || url === '' ? null : reading.outside?.link ? reading.outside.link(url) : url
  const said = inline(children, reading, href === null ? marks : linked(marks, href), depth + 1)
  return file ? [...said, file] : said
}

function image(url: string, alt: string, reading: Reading, marks: DocMark[]): LessonNode[] {
  const src = reading.imageSource(url)
  return src === null
    ? words(alt || url, linked(marks, url))
    : [{ type: 'image', attrs: { src, alt: alt.slice(0, 500).toWellFormed() } }]
}
