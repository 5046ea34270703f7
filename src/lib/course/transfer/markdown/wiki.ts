import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { HtmlResolver } from '../html.ts'
import { type DocMark, textNodes, withLink } from '../text-blocks.ts'

/** What a reading of Markdown does with what lies outside of it, raw HTML and links of wikis included. */
export interface MarkdownResolver extends HtmlResolver {
  /** The name in `[[name]]` or `![[name]]`, to an address as the other functions take it. */
  wikiAddress(name: string): string
}

const WIKI_LINK = /(!?)\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

/** A text with the links of Obsidian and other wikis: `[[Note]]`, `[[Note#Part|words]]`, `![[picture.png|300]]`. */
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
    // What stands behind the bar is a width, if it is a number.
    const alt = label && !/^\d+(?:x\d+)?$/.test(label) ? label : ''
    return src ? [{ type: 'image', attrs: { src, alt } }] : textNodes(label ?? name, marks)
  }
  const file = resolver.file(address)
  if (file) return label ? [...textNodes(label, marks), file] : [file]
  const href = resolver.link?.(address) ?? null
  return textNodes(label?.trim() || name, href === null ? marks : withLink(marks, href))
}
