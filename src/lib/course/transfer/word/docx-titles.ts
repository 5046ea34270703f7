import { childrenOf, type Markup, type MarkupElement, textContent } from '../markup.ts'

const MAX_TITLE_LENGTH = 120

/** The text of a heading without footnote references. */
export function titleText(node: Markup | undefined): string {
  return withoutNoteMarks(node).trim()
}

function withoutNoteMarks(node: Markup | undefined): string {
  if (node === undefined) return ''
  if (typeof node === 'string') return node
  if (/^(?:foot|end)note-ref-/.test(node.attributes.id ?? '')) return ''
  return node.children.map(withoutNoteMarks).join('')
}

/** The level of a heading; null for any other node and for an empty heading. */
export function headingLevel(node: Markup): number | null {
  const level = typeof node === 'string' ? undefined : /^h([1-6])$/.exec(node.name)?.[1]
  return level && textContent(node).trim() ? Number(level) : null
}

/** Whether a text is short enough for a title. */
export const isShort = (words: string): boolean => words !== '' && words.length <= MAX_TITLE_LENGTH

/** A short bold paragraph that does not end like a sentence. */
export function isBoldLine(node: Markup): node is MarkupElement {
  if (typeof node === 'string' || node.name !== 'p') return false
  const words = titleText(node)
  if (!isShort(words) || /[.;:,!?]$/.test(words)) return false
  return node.children.every((child) =>
    typeof child === 'string' ? child.trim() === '' : child.name === 'strong' || titleText(child) === '',
  )
}

const KEYWORD =
  /^(?:розділ|тема|урок|лекція|модуль|частина|глава|заняття|тиждень|крок|chapter|section|part|lesson|unit|module|lecture|topic|week|day|step)\s+(?:№\s*)?(?:\d{1,3}|[ivxlc]{1,7})(?![\p{L}\p{N}])/iu
const ROMAN = /^[IVXLC]{1,7}[.)]\s/
const DECIMAL = /^(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,3})[.)]?\s/

/**
 * The depth of a numbered title: 0 for "Chapter 1", 1 for "1." and "I.", 2 for "1.1". Null for other nodes. A list with
 * one item is a title whose number Word generates.
 */
export function numberedDepth(node: Markup): number | null {
  if (typeof node === 'string') return null
  const words = titleText(node)
  if (!isShort(words) || /[.;:,]$/.test(words)) return null
  if (node.name === 'ol') return isSingleItem(node) ? 1 : null
  if (!/^(?:p|h[1-6])$/.test(node.name)) return null
  if (KEYWORD.test(words)) return 0
  if (ROMAN.test(words)) return 1
  const match = DECIMAL.exec(words)
  if (!match) return null
  const depth = match[1]?.split('.').length ?? 1
  // In "12 students came" the number is not a numbering.
  return depth === 1 && !/^(?:§|\d{1,3}[.)])/.test(words) ? null : depth
}

function isSingleItem(list: MarkupElement): boolean {
  const [item, ...more] = childrenOf(list, 'li')
  const isPlain = item?.children.every((child) => typeof child === 'string' || !/^(?:ol|ul|p|table)$/.test(child.name))
  return more.length === 0 && isPlain === true
}
