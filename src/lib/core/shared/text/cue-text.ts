import { escapeText } from '#lib/core/shared/text/escape.ts'

const TAG = /<\/?[a-z][^<>]*>|<\d[\d:.]*>/gi
const SAFE = /^<(\/?)(b|i|u|c|v|lang|ruby|rt)((?:\.[^\s<>.]*)*)(?:\s([^<>]*))?>$/i
const STAMP = /^<(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}>$/
/** A tag of another format, e.g. `<font color="red">`; `a <b and c> d` is none. */
const ELEMENT = /^<\/?[a-z][a-z0-9]*(\s+[a-z-]+\s*=[^<>]*|\s*\/?)>$/i
const REFERENCE = /&(?:(amp|lt|gt|nbsp|lrm|rlm|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi
/** Maximum nesting of tags; deeper ones are removed, because the time for closing them would grow with the depth. */
const DEEPEST = 32
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
}

/**
 * Converts the text of a cue to valid WebVTT (W3C, 4.2.2): known tags, closed in order; tags of other formats are
 * removed; every other `<`, `>` and `&` is escaped; no control characters, no empty lines. Idempotent.
 */
export function cleanCueText(text: string): string {
  const source = text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '')
  const open: string[] = []
  let cleaned = ''
  let at = 0
  for (const { 0: tag, index } of source.matchAll(TAG)) {
    cleaned += escapeText(decodeText(source.slice(at, index))) + cleanTag(tag, open)
    at = index + tag.length
  }
  cleaned += escapeText(decodeText(source.slice(at)))
  const closed = cleaned.trimEnd() + closing(open, 0)
  const lines = closed.split('\n').map((line) => line.trim())
  return plainCueText(closed).trim() === '' ? '' : lines.filter((line) => line !== '').join('\n')
}

/**
 * A cleaned text in the form in which it is edited: `AT&T` instead of `AT&amp;T`, wherever cleaning restores the same
 * text.
 */
export function editableCueText(text: string): string {
  const decoded = decodeText(text)
  return cleanCueText(decoded) === text ? decoded : text
}

/** The text without markup. */
export function plainCueText(text: string): string {
  return decodeText(text.replace(TAG, ''))
}

function decodeText(text: string): string {
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    // Lone surrogates and control characters are not allowed.
    return (code < 32 && code !== 10) || (code > 0xd7ff && code < 0xe000) || code > 0x10ffff
      ? ''
      : String.fromCodePoint(code)
  })
}

/** The text that replaces a tag; `open` holds the names of open tags and is changed. */
function cleanTag(tag: string, open: string[]): string {
  if (STAMP.test(tag)) return tag
  if (/^<br\s*\/?>$/i.test(tag)) return '\n'
  const [, slash, name = '', classes = '', annotation = ''] = SAFE.exec(tag) ?? []
  if (slash === undefined) return ELEMENT.test(tag) ? '' : escapeText(decodeText(tag))
  const known = name.toLowerCase()
  if (slash) {
    const depth = open.lastIndexOf(known)
    return depth === -1 ? '' : closing(open, depth)
  }
  if (open.length >= DEEPEST || (known === 'rt' && !open.includes('ruby'))) return ''
  open.push(known)
  const classNames = classes.split('.').filter((className) => /^[\p{L}\p{N}_-]+$/u.test(className))
  const note = known === 'v' || known === 'lang' ? escapeText(decodeText(annotation.trim().replace(/\s+/g, ' '))) : ''
  return `<${[known, ...classNames].join('.')}${note && ` ${note}`}>`
}

function closing(open: string[], depth: number): string {
  return open
    .splice(depth)
    .reverse()
    .map((name) => `</${name}>`)
    .join('')
}
