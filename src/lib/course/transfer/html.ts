import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { tableOf } from './html-cells.ts'
import { type Markup, type MarkupElement, readHtml, wordsOf } from './markup.ts'
import {
  atLeastAParagraph,
  type DocMark,
  linked,
  marked,
  plainParagraph,
  text,
  textBlocks,
  words,
} from './text-blocks.ts'

/** What a reading of HTML does with what lies outside of it. */
export interface HtmlReading {
  /** Address of an image as written, to the `src` to keep; null for one that cannot be shown. */
  picture(src: string): string | null
  /** Address of a link or a film as written, to a block that stands for the file; null when it is no file of ours. */
  file(href: string): LessonNode | null
  /** Address of a link as written, to the one to keep; null for one that leads nowhere: its words stay. */
  link?(href: string): string | null
  /** Address of a frame, to a block for it; null when it is not let in. */
  frame(src: string): LessonNode | null
}

/** Deeper nesting is flattened to its text: no reader needs it. */
const DEEPEST = 10
const SILENT = new Set('script style template noscript head title object applet map svg math select option'.split(' '))
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
const LINES = new Set(
  `a abbr b bdi bdo big br cite code data del dfn em font i img iframe audio video input ins kbd label mark q ruby s samp
  small span strike strong sub sup time tt u var wbr`.split(/\s+/),
)

/** HTML of another system to a lesson's text. Unknown elements lose their tags, scripts and styles go altogether. */
export function docFromHtml(html: string, reading: HtmlReading): LessonDoc {
  return docFromNodes(readHtml(html).children, reading)
}

/** The same for a part of what was read. */
export function docFromNodes(nodes: readonly Markup[], reading: HtmlReading): LessonDoc {
  return { type: 'doc', content: atLeastAParagraph(blocksOf(nodes, reading, 0)) }
}

/** Blocks of nodes that stand `depth` deep in a text of another format. */
export const blocksFromNodes = (nodes: readonly Markup[], reading: HtmlReading, depth: number): LessonNode[] => {
  const blocks = blocksOf(nodes, reading, depth)
  return depth > 0 ? nested(blocks) : blocks
}

/** The same for nodes that stand in a line. */
export const phrasesFromNodes = (nodes: readonly Markup[], reading: HtmlReading, marks: DocMark[]): LessonNode[] =>
  phrases(nodes, reading, marks, 0)

/** Blocks of some nodes, those that stand in a line gathered into paragraphs. */
function blocksOf(nodes: readonly Markup[], reading: HtmlReading, depth: number): LessonNode[] {
  const found: LessonNode[] = []
  let line: Markup[] = []
  const close = () => {
    found.push(...linesOf(line, reading, depth))
    line = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || isLine(node)) line.push(node)
    else {
      close()
      found.push(...block(node, reading, depth))
    }
  }
  close()
  return found
}

/** A line may hold blocks all the same, since browsers let it: then it is none. */
function isLine(node: MarkupElement): boolean {
  return LINES.has(node.name) && node.children.every((child) => typeof child === 'string' || isLine(child))
}

function block(node: MarkupElement, reading: HtmlReading, depth: number): LessonNode[] {
  if (SILENT.has(node.name)) return []
  if (depth > DEEPEST) return plainParagraph(wordsOf(node))
  const { name, children } = node
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level) {
    const heading = { type: 'heading', attrs: { level: Math.min(Math.max(Number(level), 2), 4) } }
    return textBlocks(heading, spoken(children, reading, [], depth))
  }
  switch (name) {
    case 'ul':
    case 'ol':
    case 'menu':
      return list(node, reading, depth)
    case 'blockquote': {
      const content = nested(blocksOf(children, reading, depth + 1))
      return content.length > 0 ? [{ type: 'blockquote', content }] : []
    }
    case 'pre': {
      const code = withoutOuterBreaks(wordsOf(node))
      return code === '' ? [] : [{ type: 'codeBlock', attrs: { language: null }, content: [text(code, [])] }]
    }
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'table':
      return tableOf(node, (cell) => atLeastAParagraph(nested(blocksOf(cell.children, reading, depth + 1))))
    default:
      return blocksOf(children, reading, depth)
  }
}

/** Browsers pass over the first line break of a `pre`; those at its end are the source's layout. */
function withoutOuterBreaks(code: string): string {
  let end = code.length
  while (code[end - 1] === '\n') end -= 1
  return code.slice(code.startsWith('\n') && end > 0 ? 1 : 0, end)
}

function list(node: MarkupElement, reading: HtmlReading, depth: number): LessonNode[] {
  const items = node.children.filter(
    (child): child is MarkupElement => typeof child !== 'string' && !SILENT.has(child.name),
  )
  if (items.length === 0) return []
  const start = Math.trunc(Number(node.attributes.start))
  const attrs = node.name === 'ol' && start > 1 ? { attrs: { start: Math.min(start, 1_000_000) } } : {}
  const content = items.map((item) => {
    const inner = item.name === 'li' ? item.children : [item]
    const blocks = atLeastAParagraph(nested(blocksOf(inner, reading, depth + 1)))
    // The editor wants a paragraph first in every item.
    if (blocks[0]?.type !== 'paragraph') blocks.unshift({ type: 'paragraph' })
    return { type: 'listItem', content: blocks }
  })
  return [{ type: node.name === 'ol' ? 'orderedList' : 'bulletList', ...attrs, content }]
}

function linesOf(line: readonly Markup[], reading: HtmlReading, depth: number): LessonNode[] {
  return line.length === 0 ? [] : textBlocks({ type: 'paragraph' }, spoken(line, reading, [], depth))
}

/** White space at the ends of a line is what the source was laid out with. */
function spoken(nodes: readonly Markup[], reading: HtmlReading, marks: DocMark[], depth: number): LessonNode[] {
  const found = phrases(nodes, reading, marks, depth)
  const first = found[0]
  const last = found.at(-1)
  if (first?.text) first.text = first.text.trimStart()
  if (last?.text) last.text = last.text.trimEnd()
  return found.filter((node) => node.type !== 'text' || node.text)
}

function phrases(nodes: readonly Markup[], reading: HtmlReading, marks: DocMark[], depth: number): LessonNode[] {
  return nodes.flatMap((node) => phrase(node, reading, marks, depth))
}

function phrase(node: Markup, reading: HtmlReading, marks: DocMark[], depth: number): LessonNode[] {
  if (typeof node === 'string') return words(node.replace(/[ \t\r\n\f]+/g, ' '), marks)
  if (SILENT.has(node.name)) return []
  const { name, attributes, children } = node
  switch (name) {
    case 'br':
      return [{ type: 'hardBreak' }]
    case 'img':
      return image(attributes, reading, marks)
    case 'iframe':
      return outside(attributes.src ?? '', reading.frame, marks)
    case 'audio':
    case 'video': {
      const source = children.find(
        (child): child is MarkupElement => typeof child !== 'string' && child.name === 'source',
      )
      return outside(attributes.src ?? source?.attributes.src ?? '', reading.file, marks)
    }
    case 'a': {
      const href = attributes.href ?? ''
      const file = href === '' ? null : reading.file(href)
      const kept = file || href === '' ? null : reading.link ? reading.link(href) : href
      const said = phrases(children, reading, kept === null ? marks : linked(marks, kept), depth)
      return file ? [...said, file] : said
    }
    default:
      return phrases(children, reading, withMark(marks, MARKS[name]), depth)
  }
}

/** The editor's code mark excludes every other; a link is worth more to the reader than its typeface. */
function withMark(marks: DocMark[], mark: DocMark | undefined): DocMark[] {
  if (!mark || marks.some(({ type }) => type === 'code')) return marks
  if (mark.type !== 'code') return marked(marks, mark)
  return marks.some(({ type }) => type === 'link') ? marks : [mark]
}

function image({ src = '', alt = '' }: Record<string, string>, reading: HtmlReading, marks: DocMark[]): LessonNode[] {
  const kept = src === '' ? null : reading.picture(src)
  if (kept) return [{ type: 'image', attrs: { src: kept, alt: alt.trim().slice(0, 500).toWellFormed() } }]
  return alt.trim() ? words(alt.trim(), linked(marks, src)) : []
}

function outside(src: string, find: (src: string) => LessonNode | null, marks: DocMark[]): LessonNode[] {
  const found = src === '' ? null : find(src)
  return found ? [found] : words(src, linked(marks, src))
}

/** Films and frames stand between the blocks of a lesson only: inside of one they become a link to what they show. */
function nested(blocks: LessonNode[]): LessonNode[] {
  return blocks.flatMap((node) => {
    if (node.type !== 'embed') return [node]
    const href = String(node.attrs?.url)
    return [{ type: 'paragraph', content: words(href, linked([], href)) }]
  })
}
