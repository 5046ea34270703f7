/** Parts of drafts that are no words of a person: kinds, addresses, numbers, identifiers. */
const NO_WORDS = /^(type|marks|level|src|href|url|mode|kind|tone|state|.*Id|id|at|slug|language|version)$/

/** The words of any draft, a line each, so that a person can read and copy what no page shows any more. */
export function draftText(value: unknown): string {
  return linesOf(value).join('\n').trim()
}

function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.every(isInline) ? [value.flatMap(linesOf).join('')] : value.flatMap(linesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (NO_WORDS.test(name) ? [] : linesOf(inner)))
}

const isInline = (node: unknown): boolean =>
  typeof node === 'object' && node !== null && 'text' in node && 'type' in node
