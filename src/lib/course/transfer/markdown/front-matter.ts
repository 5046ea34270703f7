import { parse } from 'yaml'

export interface FrontMatter {
  head: Record<string, unknown>
  body: string
  /** There is a front matter, but it is not valid YAML: the body is returned without it. */
  isDamaged: boolean
}

/** Maximum length of a front matter or a table of contents, in characters. */
const MAX_CHARACTERS = 256 * 1024

/** Splits Markdown into the YAML between two lines of `---` at its beginning and the remaining text. */
export function parseFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const opening = /^---[ \t]*\n/.exec(text)?.[0].length
  if (opening === undefined) return { head: {}, body: text.trim(), isDamaged: false }
  // An empty front matter ends immediately.
  const closing = /\n---[ \t]*(?:\n|$)/g
  closing.lastIndex = opening - 1
  const end = closing.exec(text)
  if (!end) return { head: {}, body: text.trim(), isDamaged: false }
  const head = parseYaml(text.slice(opening, Math.max(opening, end.index)))
  const body = text.slice(end.index + end[0].length).trim()
  return { head: isRecord(head) ? head : {}, body, isDamaged: head === undefined }
}

/** Parses YAML; undefined when it is invalid, too long or expands its aliases excessively. */
export function parseYaml(text: string): unknown {
  if (text.length > MAX_CHARACTERS) return undefined
  try {
    return parse(text, { maxAliasCount: 50, logLevel: 'error', strict: false, uniqueKeys: false }) ?? null
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text or a number of a record, trimmed; empty when there is none. */
export function textField(record: Record<string, unknown>, ...keys: string[]): string {
  for (const key of keys) {
    const value = record[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return ''
}
