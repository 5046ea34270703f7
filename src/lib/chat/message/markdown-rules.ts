/*
 * The limited Markdown of messages, a subset of CommonMark: bold, italics, code, links, lists, quotes and code blocks. The
 * result is a tree without HTML, which the same component renders on the server and in the browser.
 */

export type MarkdownInline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'bold' | 'italic'; content: MarkdownInline[] }
  | { type: 'link'; href: string; text: string }

export type MarkdownBlock =
  | { type: 'paragraph' | 'quote'; lines: MarkdownInline[][] }
  | { type: 'list'; isOrdered: boolean; items: MarkdownInline[][] }
  | { type: 'code'; text: string }

const FENCE = '```'

/** Parses the text of a message; linear in its length. */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const lines = text.replaceAll('\r', '').split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.startsWith(FENCE)) {
      const end = lines.findIndex((other, at) => at > index && other.startsWith(FENCE))
      const last = end < 0 ? lines.length : end
      blocks.push({ type: 'code', text: lines.slice(index + 1, last).join('\n') })
      index = last
    } else if (line.trim() === '') {
      // Separates paragraphs.
    } else addLine(blocks, line, (lines[index - 1] ?? '').trim() === '')
  }
  return blocks
}

/** The text without marks, in one line, e.g. for lists. */
export function messagePlainText(text: string): string {
  return parseMarkdown(text)
    .map((block) => {
      if (block.type === 'code') return block.text
      return (block.type === 'list' ? block.items : block.lines).map(inlineText).join(' ')
    })
    .join(' ')
    .replace(/\s+/g, ' ')
}

const inlineText = (line: MarkdownInline[]): string =>
  line.map((part) => ('content' in part ? inlineText(part.content) : part.text)).join('')

function addLine(blocks: MarkdownBlock[], line: string, isSeparated: boolean): void {
  const last = blocks.at(-1)
  const item = /^(?:[-*•]|(\d{1,3})[.)]) (.*)$/.exec(line)
  if (item) {
    const isOrdered = item[1] !== undefined
    const content = parseInline((item[2] ?? '').trimStart())
    if (last?.type === 'list' && last.isOrdered === isOrdered) last.items.push(content)
    else blocks.push({ type: 'list', isOrdered, items: [content] })
    return
  }
  const type = line.startsWith('>') ? 'quote' : 'paragraph'
  const content = parseInline(type === 'quote' ? line.slice(1).trimStart() : line)
  if (last?.type === type && !isSeparated) last.lines.push(content)
  else blocks.push({ type, lines: [content] })
}

const MARKS = [
  ['**', 'bold'],
  ['*', 'italic'],
  ['_', 'italic'],
] as const

const MAX_DEPTH = 3
const MAX_LABEL_LENGTH = 300

function parseInline(text: string, depth = 0): MarkdownInline[] {
  const parts: MarkdownInline[] = []
  // A mark without an end is searched for once only.
  const unclosed = new Set<string>()
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ type: 'text', text: plain })
    plain = ''
  }
  for (let index = 0; index < text.length; ) {
    const found = readCode(text, index, unclosed) ?? readLink(text, index) ?? readMark(text, index, depth, unclosed)
    if (found) {
      flush()
      parts.push(found.part)
      index = found.end
    } else {
      plain += text[index] ?? ''
      index += 1
    }
  }
  flush()
  return parts
}

interface Found {
  part: MarkdownInline
  end: number
}

function readCode(text: string, index: number, unclosed: Set<string>): Found | null {
  if (text[index] !== '`' || unclosed.has('`')) return null
  const end = text.indexOf('`', index + 1)
  if (end < 0) unclosed.add('`')
  return end > index + 1 ? { part: { type: 'code', text: text.slice(index + 1, end) }, end: end + 1 } : null
}

function readMark(text: string, index: number, depth: number, unclosed: Set<string>): Found | null {
  for (const [mark, type] of MARKS) {
    if (depth >= MAX_DEPTH || unclosed.has(mark) || !text.startsWith(mark, index)) continue
    const start = index + mark.length
    const end = text.indexOf(mark, start)
    if (end < 0) unclosed.add(mark)
    const isWord = mark !== '_' || (!isLetter(text[index - 1]) && !isLetter(text[end + 1]))
    if (end > start && isWord && !isSpace(text[start]) && !isSpace(text[end - 1]))
      return { part: { type, content: parseInline(text.slice(start, end), depth + 1) }, end: end + mark.length }
  }
  return null
}

function readLink(text: string, index: number): Found | null {
  if (text[index] === '[') {
    const near = text.slice(index + 1, index + MAX_LABEL_LENGTH)
    const middle = near.indexOf('](')
    if (middle < 1) return null
    const rest = near.slice(middle + 2)
    const length = rest.indexOf(')')
    const href = length > 0 ? safeAddress(rest.slice(0, length)) : null
    return href === null
      ? null
      : { part: { type: 'link', href, text: near.slice(0, middle) }, end: index + middle + length + 4 }
  }
  if (text[index] !== 'h' || isLetter(text[index - 1])) return null
  if (!text.startsWith('https://', index) && !text.startsWith('http://', index)) return null
  let end = index
  while (end < text.length && !isSpace(text[end]) && !'<>"`'.includes(text[end] ?? '')) end += 1
  // Punctuation after an address belongs to the sentence.
  while (end > index && '.,;:!?)»*_'.includes(text[end - 1] ?? '')) end -= 1
  const address = text.slice(index, end)
  const href = safeAddress(address)
  return href === null ? null : { part: { type: 'link', href, text: address }, end }
}

/** An address of a web page or an email address; null for others, e.g. `javascript:`. */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : null
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)
const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)
