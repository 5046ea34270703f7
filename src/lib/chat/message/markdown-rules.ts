import { inlineText, type MarkdownInline, parseInline } from './inline-rules.ts'

/*
 * The limited Markdown of messages, a subset of CommonMark: bold, italics, strikethrough, code, links, lists, quotes and
 * code blocks. The result is a tree without HTML, which the same component renders on the server and in the browser.
 */

export interface MarkdownList {
  type: 'list'
  isOrdered: boolean
  /** The number of the first item. */
  start: number
  items: MarkdownItem[]
}

interface MarkdownItem {
  lines: MarkdownInline[][]
  lists: MarkdownList[]
}

export type MarkdownBlock =
  | { type: 'paragraph' | 'quote'; lines: MarkdownInline[][] }
  | { type: 'code'; text: string }
  | MarkdownList

/** The lists that contain the next line, from the outermost one on, with the indents of their items. */
type OpenLists = { indent: number; list: MarkdownList }[]

const MAX_LEVELS = 6

/** Parses the text of a message; linear in its length. */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const open: OpenLists = []
  const lines = text.replaceAll('\r', '').replaceAll('\t', '    ').split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const fence = readFence(line)
    const isSeparated = (lines[index - 1] ?? '').trim() === ''
    if (fence) {
      let last = index + 1
      while (last < lines.length && !closesFence(lines[last] ?? '', fence)) last += 1
      const code = lines.slice(index + 1, last).map((inner) => withoutIndent(inner, indentOf(line)))
      blocks.push({ type: 'code', text: code.join('\n') })
      index = last
    } else if (line.trim() !== '' && !addToList(blocks, open, line, isSeparated)) addLine(blocks, line, isSeparated)
  }
  return blocks
}

/** The text without marks, in one line, e.g. for lists. */
export function messagePlainText(text: string): string {
  return parseMarkdown(text).map(blockText).join(' ').replace(/\s+/g, ' ')
}

function blockText(block: MarkdownBlock): string {
  if (block.type === 'code') return block.text
  if (block.type !== 'list') return block.lines.map(inlineText).join(' ')
  return block.items.map(({ lines, lists }) => [...lines.map(inlineText), ...lists.map(blockText)].join(' ')).join(' ')
}

/** The marks that open a code block; text in backticks within a line is no block. */
function readFence(line: string): string | null {
  const text = line.trimStart()
  const marks = /^(?:`{3,}|~{3,})/.exec(text)?.[0] ?? ''
  return marks === '' || (marks.startsWith('`') && text.includes('`', marks.length)) ? null : marks
}

function closesFence(line: string, fence: string): boolean {
  const marks = line.trim()
  return marks.length >= fence.length && marks === (fence[0] ?? '').repeat(marks.length)
}

const indentOf = (line: string): number => line.length - line.trimStart().length
const withoutIndent = (line: string, indent: number): string => line.slice(Math.min(indent, indentOf(line)))

/** Adds an item, or a further line of the last one; false for a line that belongs to no list. */
function addToList(blocks: MarkdownBlock[], open: OpenLists, line: string, isSeparated: boolean): boolean {
  if (blocks.at(-1)?.type !== 'list') open.length = 0
  const indent = indentOf(line)
  const item = /^(?:[-*+•]|(\d{1,3})[.)]) (.*)$/.exec(line.trimStart())
  if (!item) {
    const last = open.at(-1)
    if (!last || isSeparated || indent <= last.indent) return false
    last.list.items.at(-1)?.lines.push(parseInline(line.trim()))
    return true
  }
  while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) open.pop()
  const content = { lines: [parseInline((item[2] ?? '').trim())], lists: [] }
  const start = item[1] === undefined ? 1 : Number(item[1])
  const list: MarkdownList = { type: 'list', isOrdered: item[1] !== undefined, start, items: [content] }
  const last = open.at(-1)
  const isNested = last !== undefined && indent >= last.indent + 2 && open.length < MAX_LEVELS
  if (!isNested && last?.list.isOrdered === list.isOrdered) {
    last.list.items.push(content)
    return true
  }
  if (!isNested) open.pop()
  const parent = open.at(-1)?.list.items.at(-1)
  if (parent) parent.lists.push(list)
  else blocks.push(list)
  open.push({ indent, list })
  return true
}

function addLine(blocks: MarkdownBlock[], line: string, isSeparated: boolean): void {
  const last = blocks.at(-1)
  const type = line.startsWith('>') ? 'quote' : 'paragraph'
  const content = parseInline(type === 'quote' ? line.slice(1).trimStart() : line)
  if (last?.type === type && !isSeparated) last.lines.push(content)
  else blocks.push({ type, lines: [content] })
}
