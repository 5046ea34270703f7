/*
 * The marks within a line of a message: bold, italics, strikethrough, code and links. Marks inside words stay as typed
 * (`2*3*4`, `__init__`), unlike in CommonMark; a backslash takes the meaning from a punctuation mark.
 */

export type MarkdownInline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; content: MarkdownInline[] }
  | { type: 'link'; href: string; text: string }

const MARKS = [
  ['**', 'bold'],
  ['~~', 'strike'],
  ['*', 'italic'],
  ['_', 'italic'],
] as const
type Mark = (typeof MARKS)[number][0]

const MAX_DEPTH = 3
const MAX_LABEL_LENGTH = 300
const MAX_ADDRESS_LENGTH = 2000
/** Parentheses within parentheses of an address. */
const MAX_PAIRS = 4

/** The text without marks. */
export const inlineText = (line: readonly MarkdownInline[]): string =>
  line.map((part) => ('content' in part ? inlineText(part.content) : part.text)).join('')

/** Parses a line; linear in its length. */
export function parseInline(text: string, depth = 0): MarkdownInline[] {
  const parts: MarkdownInline[] = []
  // A mark without an end is searched for once only.
  const unclosed = new Set<string>()
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ type: 'text', text: plain })
    plain = ''
  }
  for (let index = 0; index < text.length; ) {
    const found = readVerbatim(text, index, unclosed) ?? readMark(text, index, depth, unclosed)
    if (typeof found === 'object') {
      flush()
      parts.push(found.part)
      index = found.end
    } else {
      const typed = isEscape(text, index) ? index + 1 : index
      plain += text.slice(typed, found)
      index = found
    }
  }
  flush()
  return parts
}

interface Found {
  part: MarkdownInline
  end: number
}

/** Code or a link, within which marks have no meaning. */
const readVerbatim = (text: string, index: number, unclosed: Set<string>): Found | null =>
  readCode(text, index, unclosed) ?? readLink(text, index)

function readCode(text: string, index: number, unclosed: Set<string>): Found | null {
  if (text[index] !== '`') return null
  const fence = text.slice(index, endOfRun(text, index))
  if (unclosed.has(fence)) return null
  const start = index + fence.length
  let at = text.indexOf(fence, start)
  while (at >= 0) {
    const end = endOfRun(text, at)
    if (end - at === fence.length) {
      const code = text.slice(start, at)
      const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
      return { part: { type: 'code', text: isPadded ? code.slice(1, -1) : code }, end }
    }
    at = text.indexOf(fence, end)
  }
  unclosed.add(fence)
  return null
}

/** A marked part, or the end of the run of characters that stay text. */
function readMark(text: string, index: number, depth: number, unclosed: Set<string>): Found | number {
  if (isEscape(text, index)) return index + 2
  if (text[index] === '`') return endOfRun(text, index)
  if (!isMarkCharacter(text[index])) return index + 1
  for (const [mark, type] of MARKS) {
    if (depth >= MAX_DEPTH || unclosed.has(mark) || !isOpening(text, index, mark)) continue
    const start = index + mark.length
    const end = findEnd(text, start, mark, unclosed)
    if (end === null) unclosed.add(mark)
    else return { part: { type, content: parseInline(text.slice(start, end), depth + 1) }, end: end + mark.length }
  }
  return endOfRun(text, index)
}

function isOpening(text: string, index: number, mark: Mark): boolean {
  if (!text.startsWith(mark, index) || isLetter(text[index - 1]) || isSpace(text[index + mark.length])) return false
  const length = endOfRun(text, index) - index
  // A longer run of asterisks opens bold text with italics inside.
  return mark === '**' ? length <= 3 : length === mark.length
}

/** Where the mark ends that was opened before `start`. A run that is not as long belongs to another mark. */
function findEnd(text: string, start: number, mark: Mark, unclosed: Set<string>): number | null {
  for (let index = start; index < text.length; ) {
    const verbatim = readVerbatim(text, index, unclosed)
    if (verbatim) index = verbatim.end
    else if (isEscape(text, index)) index += 2
    else if (text[index] !== mark[0]) index = text[index] === '`' ? endOfRun(text, index) : index + 1
    else {
      const end = endOfRun(text, index)
      const length = end - index
      const isLong = mark === '_' || mark === '~~' ? length === mark.length : length === mark.length || length === 3
      if (isLong && index > start && !isSpace(text[index - 1]) && !isLetter(text[end])) return end - mark.length
      index = end
    }
  }
  return null
}

function readLink(text: string, index: number): Found | null {
  if (text[index] === '[') return readNamedLink(text, index)
  if (!'hHwW'.includes(text[index] ?? ' ') || isLetter(text[index - 1])) return null
  const [scheme] = /^(?:https?:\/\/|www\.)/i.exec(text.slice(index, index + 8)) ?? []
  if (scheme === undefined) return null
  const end = endOfAddress(text, index)
  if (end <= index + scheme.length) return null
  const address = text.slice(index, end)
  const href = safeAddress(scheme.startsWith('h') || scheme.startsWith('H') ? address : `https://${address}`)
  return href === null ? null : { part: { type: 'link', href, text: address }, end }
}

/** `[name](address)`; the address may contain pairs of parentheses. */
function readNamedLink(text: string, index: number): Found | null {
  const near = text.slice(index + 1, index + MAX_LABEL_LENGTH)
  const middle = near.indexOf('](')
  if (middle < 1) return null
  const start = index + middle + 3
  const end = endOfPair(text, start)
  const href = end === null ? null : safeAddress(text.slice(start, end))
  if (end === null || href === null) return null
  return { part: { type: 'link', href, text: inlineText(parseInline(near.slice(0, middle))) }, end: end + 1 }
}

function endOfPair(text: string, start: number): number | null {
  let open = 0
  for (let index = start; index < text.length && index - start < MAX_ADDRESS_LENGTH; index += 1) {
    if (isSpace(text[index]) || open > MAX_PAIRS) return null
    if (text[index] === '(') open += 1
    else if (text[index] === ')') {
      if (open === 0) return index
      open -= 1
    }
  }
  return null
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['»', '«'],
  ['”', '“'],
])
const OPENING = '([«“'

/**
 * The end of an address without a name. Punctuation after it belongs to the sentence, and so does a closing bracket or
 * quotation mark that was opened before it.
 */
function endOfAddress(text: string, start: number): number {
  const open = new Map<string, number>()
  let end = start
  while (end < text.length && !isSpace(text[end]) && !'<>"`„'.includes(text[end] ?? '')) {
    const character = text[end] ?? ''
    const opening = PAIRS.get(character)
    if (opening !== undefined) {
      const count = open.get(opening) ?? 0
      if (count === 0) break
      open.set(opening, count - 1)
    } else if (OPENING.includes(character)) open.set(character, (open.get(character) ?? 0) + 1)
    end += 1
  }
  while (end > start && `.,;:!?…*_~'’${OPENING}`.includes(text[end - 1] ?? '')) end -= 1
  return end
}

/** An address of a web page or an email address; null for others, e.g. `javascript:`. */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : null
}

/** The end of the repetitions of a character. */
function endOfRun(text: string, index: number): number {
  let end = index + 1
  while (end < text.length && text[end] === text[index]) end += 1
  return end
}

const PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
const isEscape = (text: string, index: number): boolean =>
  text[index] === '\\' && PUNCTUATION.has(text[index + 1] ?? '')
const isMarkCharacter = (character: string | undefined): boolean =>
  character === '*' || character === '_' || character === '~'
const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)
const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)
