import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { HtmlReading } from '../html.ts'
import { type DocMark, linked, words } from '../text-blocks.ts'

/** What a reading of Markdown does with what lies outside of it, raw HTML and links of wikis included. */
export interface MarkdownReading extends HtmlReading {
  /** The name in `[[name]]` or `![[name]]`, to an address as the other functions take it. */
  wikiAddress(name: string): string
}

const WIKI = /(!?)\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

/** A text with the links of Obsidian and other wikis: `[[Note]]`, `[[Note#Part|words]]`, `![[picture.png|300]]`. */
export function wikiPhrases(text: string, reading: MarkdownReading, marks: DocMark[]): LessonNode[] {
  const found: LessonNode[] = []
  let end = 0
  for (const { 0: whole, 1: shown, 2: name = '', 3: said, index } of text.matchAll(WIKI)) {
    found.push(
      ...words(text.slice(end, index), marks),
      ...wikiLink({ name, said, shown: shown === '!' }, reading, marks),
    )
    end = index + whole.length
  }
  found.push(...words(text.slice(end), marks))
  return found
}

interface WikiLink {
  name: string
  said: string | undefined
  shown: boolean
}

function wikiLink({ name, said, shown }: WikiLink, reading: MarkdownReading, marks: DocMark[]): LessonNode[] {
  const address = reading.wikiAddress(name.trim())
  const isPicture = /\.(?:png|jpe?g|webp|gif|avif|svg|bmp)$/i.test(name)
  if (shown && isPicture) {
    const src = reading.picture(address)
    // What stands behind the bar is a width, if it is a number.
    const alt = said && !/^\d+(?:x\d+)?$/.test(said) ? said : ''
    return src ? [{ type: 'image', attrs: { src, alt } }] : words(said ?? name, marks)
  }
  const file = reading.file(address)
  if (file) return said ? [...words(said, marks), file] : [file]
  const href = reading.link?.(address) ?? null
  return words(said?.trim() || name, href === null ? marks : linked(marks, href))
}
