import {
  canStartAttribution,
  headerKindOf,
  isAttribution,
  isMobileLine,
  isOriginalLine,
  isPlainRule,
  isRule,
  isShortAttribution,
  startsWithTime,
} from './quote-rules.ts'

/*
 * The new text of an email reply, without the quoted email, the signature and the line that mail programs add. When in doubt
 * lines stay: a quote that is shown is better than an answer that is lost. All functions are linear in the length of the text.
 */

/** Lines between the first one of an attribution and its last one. */
const MAX_ATTRIBUTION_LINES = 4
/** Lines among which the header fields of a quoted email are. */
const MAX_HEADER_LINES = 12
const MAX_SIGNATURE_LINES = 12

type Line = { text: string; kind: 'own' | 'marked' | 'attribution' }

/** The text that the sender has written; empty when there is none. */
export function newTextOf(text: string): string {
  const source = text
    .replace(/\r\n|\r|\u2028/g, '\n')
    // Outlook adds invisible marks of direction to numbers.
    .replace(/[\u200e\u200f\ufeff]/g, '')
    .split('\n')
  return withoutQuotes(classify(source))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The lines above a quoted email that is not marked, each with its kind. */
function classify(source: readonly string[]): Line[] {
  const lines: Line[] = []
  for (let index = 0; index < source.length; index += 1) {
    const text = source[index] ?? ''
    if (isMarked(text)) {
      lines.push({ text, kind: 'marked' })
      continue
    }
    if (isSignatureMark(source, index)) {
      index = endOfSignature(source, index)
      continue
    }
    if (startsUnmarkedQuote(source, index)) break
    const attribution = attributionAt(source, index)
    if (attribution) {
      for (const line of source.slice(index, attribution.end)) lines.push({ text: line, kind: 'attribution' })
      if (!attribution.isQuoteNext) break
      index = attribution.end - 1
      continue
    }
    lines.push({ text: text.trimEnd(), kind: 'own' })
  }
  return lines
}

const isMarked = (line: string): boolean => /^ ?>/.test(line)
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** The delimiter of a signature (RFC 3676) with few lines below it. Without its blank it is a line like others. */
function isSignatureMark(source: readonly string[], index: number): boolean {
  return source[index] === '-- ' && endOfSignature(source, index) - index <= MAX_SIGNATURE_LINES
}

function endOfSignature(source: readonly string[], start: number): number {
  let end = start
  while (
    end + 1 < source.length &&
    end - start <= MAX_SIGNATURE_LINES &&
    !isMarked(source[end + 1] ?? '') &&
    !startsUnmarkedQuote(source, end + 1) &&
    !attributionAt(source, end + 1)
  ) {
    end += 1
  }
  return end
}

/** Whether only the quoted email follows, which has no marks: a separator, or its header fields. */
function startsUnmarkedQuote(source: readonly string[], index: number): boolean {
  const line = source[index] ?? ''
  if (isOriginalLine(line)) return true
  if (isRule(line)) {
    const next = nextLine(source, index)
    if (next < 0) return false
    const isOutlook = /^_{20,}$/.test(line.trim()) && headerKindOf(source[next] ?? '') === 'from'
    return isOutlook || isHeaderBlock(source, next, !isPlainRule(line) || /^_{20,}$/.test(line.trim()))
  }
  return isHeaderBlock(source, index, false)
}

/** The index of the next line with a text, at most three lines further; -1 without one. */
function nextLine(source: readonly string[], index: number): number {
  for (let next = index + 1; next <= index + 3; next += 1) if (!isBlank(source[next])) return next
  return -1
}

/**
 * Header fields of an email: sender and two further fields with an address, or with a year and a time. A list such as
 * `From: Kyiv`, `To: Lviv`, `Date: Friday` has neither.
 */
function isHeaderBlock(source: readonly string[], index: number, isSeparated: boolean): boolean {
  const first = headerKindOf(source[index] ?? '')
  if (first === null || (first !== 'from' && !isSeparated && first !== 'date')) return false
  const kinds = new Set([first])
  let shown = source[index] ?? ''
  for (let next = index + 1; next < Math.min(index + MAX_HEADER_LINES, source.length); next += 1) {
    const line = source[next] ?? ''
    if (isBlank(line) && kinds.size > 1) break
    const kind = headerKindOf(line)
    if (kind) kinds.add(kind)
    if (shown.length < 1000) shown += `\n${line}`
  }
  if (!kinds.has('from')) return false
  if (isSeparated) return kinds.size > 1
  const hasAddress = /[^\s<>@]@[^\s<>@]/.test(shown)
  if (hasAddress) return kinds.size > 2
  return (
    kinds.has('date') &&
    kinds.has('to') &&
    isBlank(source[index - 1]) &&
    /20\d\d/.test(shown) &&
    /\d{1,2}[:.]\d{2}/.test(shown)
  )
}

/** The attribution that begins at a line, in one line or broken into a few; null when there is none. */
function attributionAt(source: readonly string[], index: number): { end: number; isQuoteNext: boolean } | null {
  const first = source[index]?.trim() ?? ''
  if (first === '' || first.length > 500) return null
  let joined = ''
  for (let end = index; end < Math.min(index + MAX_ATTRIBUTION_LINES, source.length); end += 1) {
    const line = source[end]?.trim() ?? ''
    if (line === '' || line.length > 500 || isMarked(line)) return null
    joined = joined === '' ? line : `${joined} ${line}`
    // Only an attribution is broken into lines: a paragraph above one is not a part of it.
    if (end > index && !canStartAttribution(first)) return null
    if (end > index && startsWithTime(line) && isAttribution(line, isQuoteAfter(source, end))) return null
    const isQuoteNext = isQuoteAfter(source, end)
    if (isAttribution(joined, isQuoteNext)) return { end: end + 1, isQuoteNext }
    if (end === index && isQuoteNext && isShortAttribution(line) && isQuoteToEnd(source, end + 1, index))
      return { end: end + 1, isQuoteNext }
  }
  return null
}

function isQuoteAfter(source: readonly string[], index: number): boolean {
  const next = nextLine(source, index)
  return next >= 0 && isMarked(source[next] ?? '')
}

/** Whether a paragraph of one line has nothing but marked lines below it. */
function isQuoteToEnd(source: readonly string[], start: number, first: number): boolean {
  return isBlank(source[first - 1]) && source.slice(start).every((line) => isBlank(line) || isMarked(line))
}

interface Block {
  kind: 'own' | 'marked'
  lines: string[]
  /** Of marked lines: an attribution precedes them. */
  isIntroduced: boolean
}

function withoutQuotes(lines: readonly Line[]): string[] {
  const blocks = blocksOf(lines)
  const last = blocks.findLastIndex(({ kind }) => kind === 'own')
  const answered = blocks.filter(({ kind }, index) => kind === 'marked' && index < last)
  // Quotes between several answers give their context. One above a single answer is the quoted email.
  const isInterleaved = answered.length > 1
  return blocks
    .filter(
      ({ kind, isIntroduced, lines: marked }, index) =>
        kind === 'own' ||
        (index < last ? isInterleaved || !isIntroduced : isContinuation(blocks[index - 1], isIntroduced, marked)),
    )
    .flatMap(({ lines: kept }) => kept)
}

/** Whether marked lines at the end belong to the own text above: a comparison, or lines of a program. */
function isContinuation(before: Block | undefined, isIntroduced: boolean, marked: readonly string[]): boolean {
  if (isIntroduced || marked.some((line) => isAttribution(line.replace(/^[> ]+/, '').trim(), true))) return false
  return marked.every((line) => line === '' || isPrompt(line)) || (before !== undefined && before.lines.at(-1) !== '')
}

/** A line of an interactive session, such as `>>> print(1)`. */
const isPrompt = (line: string): boolean => /^>>> |^>>>$/.test(line)

function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  let isIntroduced = false
  for (const { text, kind } of lines) {
    if (kind === 'attribution') {
      isIntroduced = true
      continue
    }
    const current = blocks.at(-1)
    if (kind === 'own' && text === '') {
      current?.lines.push('')
      continue
    }
    if (current?.kind === kind && !(kind === 'marked' && isIntroduced)) current.lines.push(text)
    else blocks.push({ kind, lines: [text], isIntroduced: kind === 'marked' && isIntroduced })
    if (kind === 'marked') isIntroduced = false
  }
  return blocks.map(withoutMobileLine).filter(({ lines: kept }) => kept.some((line) => line !== ''))
}

/** An own block without the line of the mail program at its end, which is a paragraph of its own. */
function withoutMobileLine(block: Block): Block {
  if (block.kind !== 'own') return block
  const end = block.lines.findLastIndex((line) => line !== '')
  const isAdded = end >= 0 && isMobileLine(block.lines[end] ?? '') && (end === 0 || isBlank(block.lines[end - 1]))
  return isAdded ? withoutMobileLine({ ...block, lines: block.lines.slice(0, end) }) : block
}
