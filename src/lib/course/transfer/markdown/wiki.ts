import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { HtmlResolver } from '../html.ts'
import { type DocMark, textNodes, withLink } from '../text-blocks.ts'

/** Resolves the external references of Markdown, including those of raw HTML and wiki links. */
export interface MarkdownResolver extends HtmlResolver {
  /** Converts the name in `[[name]]` or `![[name]]` to an address for the other functions. */
  wikiAddress(name: string): string
}

const WIKI_LINK = /(!?)\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

/**
 * Converts the links of Obsidian and other wikis to Markdown: `[[Note]]`, `[[Note#Part|words]]`,
 * `![[picture.png|300]]`.
 */
export function convertWikiLinks(text: string, resolver: MarkdownResolver, marks: DocMark[]): LessonNode[] {
  const nodes: LessonNode[] = []
  let end = 0
  for (const { 0: match, 1: embedMark, 2: name = '', 3: label, index } of text.matchAll(WIKI_LINK)) {
    nodes.push(
      ...textNodes(text.slice(end, index), marks),
      ...convertWikiLink({ name, label, isEmbedded: embedMark === '!' }, resolver, marks),
    )
    end = index + match.length
  }
  nodes.push(...textNodes(text.slice(end), marks))
  return nodes
}

interface WikiLink {
  name: string
  label: string | undefined
  isEmbedded: boolean
}

function convertWikiLink(
  { name, label, isEmbedded }: WikiLink,
  resolver: MarkdownResolver,
  marks: DocMark[],
): LessonNode[] {
  const address = resolver.wikiAddress(name.trim())
  const isPicture = /\.(?:png|jpe?g|webp|gif|avif|svg|bmp)$/i.test(name)
  if (isEmbedded && isPicture) {
    const src = resolver.picture(address)
    // A number after the bar is a width.
    const alt = label && !/^\d+(?:x\d+)?$/.test(label) ? label : ''
    return src ? [{ type: 'image', attrs: { src, alt } }] : textNodes(label ?? name, marks)
  }
  const file = resolver.file(address)
  if (file) return label ? [...textNodes(label, marks), file] : [file]
  const href = resolver.link?.(address) ?? null
  return textNodes(label?.trim() || name, href === null ? marks : withLink(marks, href))
}
