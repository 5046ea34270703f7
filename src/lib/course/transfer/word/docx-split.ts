import { DOCUMENT_SPLITS, type DocumentSplit } from '#lib/core/shared/learning.ts'
import { type Markup, type MarkupElement, wordsOf } from '../markup.ts'
import { PAGE_BREAK } from './docx-pages.ts'
import { isBoldLine, isShort, levelOf, numberedDepth, titleWords } from './docx-titles.ts'

/** A document shorter than this stays one lesson unless it has headings. Characters. */
const LONG = 2000

export interface DocumentPart {
  /** Null for what stands before the first title, and for a document that is not split. */
  title: string | null
  nodes: Markup[]
}

/** The document's own title, empty where it has none, and all else. */
export function titledDocument(nodes: readonly Markup[]): { title: string; body: Markup[] } {
  const named = nodes.find(isTitle) ?? loneHeading(nodes)
  return { title: titleWords(named), body: nodes.filter((node) => node !== named) }
}

const isTitle = (node: Markup): boolean => typeof node !== 'string' && node.attributes.class === 'title'

/** The only heading of the highest level, with several below it. */
function loneHeading(nodes: readonly Markup[]): Markup | undefined {
  const [first, ...others] = nodes.flatMap((node) => levelOf(node) ?? [])
  const isLone = first !== undefined && others.length > 1 && others.every((level) => level > first)
  return isLone ? nodes.find((node) => levelOf(node) === first) : undefined
}

/** The split of a document for which nobody chose: by headings, else a long one by the first way that divides it. */
export function defaultSplit(body: readonly Markup[]): DocumentSplit {
  if (body.some((node) => levelOf(node) !== null)) return 'headings'
  if (body.reduce((sum, node) => sum + wordsOf(node).length, 0) < LONG) return 'none'
  return DOCUMENT_SPLITS.find((split) => titlesCount(body, split) > 1) ?? 'none'
}

const titlesCount = (body: readonly Markup[], split: DocumentSplit): number =>
  splitDocument(body, split).filter(({ title }) => title !== null).length

/** A document in parts, each a lesson. Parts without any content before the first title are left out. */
export function splitDocument(body: readonly Markup[], split: DocumentSplit): DocumentPart[] {
  if (split === 'pages') return pagesOf(body)
  const isStart = startOf(body, split)
  const top = split === 'headings' ? Math.min(...body.flatMap((node) => levelOf(node) ?? [])) : 0
  const first: DocumentPart = { title: null, nodes: [] }
  const parts = [first]
  for (const node of body) {
    if (node === PAGE_BREAK) continue
    if (isStart(node)) parts.push({ title: titleWords(node), nodes: [] })
    else parts.at(-1)?.nodes.push(lowered(node, top))
  }
  return parts.filter((part) => part !== first || hasContent(part.nodes))
}

function startOf(body: readonly Markup[], split: DocumentSplit): (node: Markup) => boolean {
  switch (split) {
    case 'headings': {
      const top = Math.min(...body.flatMap((node) => levelOf(node) ?? []))
      return (node) => levelOf(node) === top
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

/** A title, or a short first line, names its page; another first line names it with its beginning. */
function pagesOf(body: readonly Markup[]): DocumentPart[] {
  const pages: Markup[][] = [[]]
  for (const node of body) {
    if (node === PAGE_BREAK) pages.push([])
    else pages.at(-1)?.push(node)
  }
  return pages.filter(hasContent).map((nodes) => {
    const first = nodes.find((node) => titleWords(node) !== '')
    const words = titleWords(first)
    const isHeading = first !== undefined && isLine(first) && (levelOf(first) !== null || isShort(words))
    return {
      title: words || null,
      nodes: nodes.filter((node) => !(isHeading && node === first)).map((node) => lowered(node, 0)),
    }
  })
}

/** A paragraph or heading of words alone. */
const isLine = (node: Markup): boolean =>
  typeof node !== 'string' && /^(?:p|h[1-6])$/.test(node.name) && !hasImage(node)

const hasContent = (nodes: readonly Markup[]): boolean =>
  nodes.some((node) => wordsOf(node).trim() !== '' || hasImage(node))

const hasImage = (node: Markup): boolean =>
  typeof node !== 'string' && (node.name === 'img' || node.children.some(hasImage))

/** A heading inside of a lesson: the one below the split is of the second level. */
function lowered(node: Markup, top: number): Markup {
  const level = levelOf(node)
  if (level === null || typeof node === 'string') return node
  return { ...node, name: `h${Math.min(level - top + 1, 6)}` } satisfies MarkupElement
}
