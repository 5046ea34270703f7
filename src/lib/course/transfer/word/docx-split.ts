import { DOCUMENT_SPLITS, type DocumentSplit } from '#lib/core/shared/learning.ts'
import { type Markup, type MarkupElement, textContent } from '../markup.ts'
import { PAGE_BREAK } from './docx-pages.ts'
import { headingLevel, isBoldLine, isShort, numberedDepth, titleText } from './docx-titles.ts'

/** A document shorter than this stays one lesson unless it has headings. Characters. */
const MIN_SPLIT_CHARACTERS = 2000

export interface DocumentPart {
  /** Null for content before the first title, and for a document that is not split. */
  title: string | null
  nodes: Markup[]
  /** The title of the module; only with the split into modules. */
  module?: string | null
}

/** The document's title, empty without one, and the remaining nodes. */
export function separateTitle(nodes: readonly Markup[]): { title: string; body: Markup[] } {
  const titleNode = nodes.find(isTitle) ?? soleTopHeading(nodes)
  return { title: titleText(titleNode), body: nodes.filter((node) => node !== titleNode) }
}

const isTitle = (node: Markup): boolean => typeof node !== 'string' && node.attributes.class === 'title'

/** The only heading of the highest level, with several below it. */
function soleTopHeading(nodes: readonly Markup[]): Markup | undefined {
  const [first, ...others] = nodes.flatMap((node) => headingLevel(node) ?? [])
  const isSole = first !== undefined && others.length > 1 && others.every((level) => level > first)
  return isSole ? nodes.find((node) => headingLevel(node) === first) : undefined
}

/**
 * The split of a document when none was chosen: by headings; without headings a long document by the first way that
 * divides it.
 */
export function defaultSplit(body: readonly Markup[]): DocumentSplit {
  if (body.some((node) => headingLevel(node) !== null)) return 'headings'
  if (body.reduce((sum, node) => sum + textContent(node).length, 0) < MIN_SPLIT_CHARACTERS) return 'none'
  return DOCUMENT_SPLITS.find((split) => countTitles(body, split) > 1) ?? 'none'
}

const countTitles = (body: readonly Markup[], split: DocumentSplit): number =>
  splitDocument(body, split).filter(({ title }) => title !== null).length

/** Divides a document into parts, each a lesson. An empty part before the first title is dropped. */
export function splitDocument(body: readonly Markup[], split: DocumentSplit): DocumentPart[] {
  if (split === 'pages') return splitByPages(body)
  if (split === 'modules') return splitByModules(body)
  const isStart = startPredicate(body, split)
  const top = split === 'headings' ? Math.min(...body.flatMap((node) => headingLevel(node) ?? [])) : 0
  const first: DocumentPart = { title: null, nodes: [] }
  const parts = [first]
  for (const node of body) {
    if (node === PAGE_BREAK) continue
    if (isStart(node)) parts.push({ title: titleText(node), nodes: [] })
    else parts.at(-1)?.nodes.push(lowerHeading(node, top))
  }
  return parts.filter((part) => part !== first || hasContent(part.nodes))
}

/**
 * The headings of the highest level are modules, those of the next one lessons. Text between the two is a lesson with
 * the title of the module. No parts unless two modules have lessons.
 */
function splitByModules(body: readonly Markup[]): DocumentPart[] {
  const levels = [...new Set(body.flatMap((node) => headingLevel(node) ?? []))].sort((a, b) => a - b)
  const [top, second] = levels
  if (top === undefined || second === undefined) return []
  const parts: DocumentPart[] = [{ title: null, nodes: [], module: null }]
  for (const node of body) {
    if (node === PAGE_BREAK) continue
    const level = headingLevel(node)
    if (level === top) parts.push({ title: titleText(node), nodes: [], module: titleText(node) })
    else if (level === second) parts.push({ title: titleText(node), nodes: [], module: parts.at(-1)?.module ?? null })
    else parts.at(-1)?.nodes.push(lowerHeading(node, second))
  }
  const lessons = parts.filter(({ nodes, title, module }) => hasContent(nodes) || (title !== null && title !== module))
  const divided = new Set(lessons.filter(({ title, module }) => module && title !== module).map((part) => part.module))
  return divided.size > 1 ? lessons : []
}

function startPredicate(body: readonly Markup[], split: DocumentSplit): (node: Markup) => boolean {
  switch (split) {
    case 'headings': {
      const top = Math.min(...body.flatMap((node) => headingLevel(node) ?? []))
      return (node) => headingLevel(node) === top
    }
    case 'bold':
      return isBoldLine
    case 'numbered': {
      const depth = numberedLevel(body)
      return (node) => depth !== null && numberedDepth(node) === depth
    }
    default:
      return () => false
  }
}

/** The highest level of numbered titles that has several of them. */
function numberedLevel(body: readonly Markup[]): number | null {
  const depths = body.flatMap((node) => numberedDepth(node) ?? []).sort((a, b) => a - b)
  return depths.find((depth, index) => depths[index + 1] === depth) ?? null
}

/** The title of a page is its heading or short first line; a longer first line is truncated. */
function splitByPages(body: readonly Markup[]): DocumentPart[] {
  const pages: Markup[][] = [[]]
  for (const node of body) {
    if (node === PAGE_BREAK) pages.push([])
    else pages.at(-1)?.push(node)
  }
  return pages.filter(hasContent).map((nodes) => {
    const first = nodes.find((node) => titleText(node) !== '')
    const words = titleText(first)
    const isHeading = first !== undefined && isTextLine(first) && (headingLevel(first) !== null || isShort(words))
    return {
      title: words || null,
      nodes: nodes.filter((node) => !(isHeading && node === first)).map((node) => lowerHeading(node, 0)),
    }
  })
}

/** A paragraph or heading that contains text only. */
const isTextLine = (node: Markup): boolean =>
  typeof node !== 'string' && /^(?:p|h[1-6])$/.test(node.name) && !hasImage(node)

const hasContent = (nodes: readonly Markup[]): boolean =>
  nodes.some((node) => textContent(node).trim() !== '' || hasImage(node))

const hasImage = (node: Markup): boolean =>
  typeof node !== 'string' && (node.name === 'img' || node.children.some(hasImage))

/** A heading inside a lesson: the level below the split becomes the second level. */
function lowerHeading(node: Markup, top: number): Markup {
  const level = headingLevel(node)
  if (level === null || typeof node === 'string') return node
  return { ...node, name: `h${Math.min(level - top + 1, 6)}` } satisfies MarkupElement
}
