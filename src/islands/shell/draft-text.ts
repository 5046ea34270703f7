/** Fields of drafts without user text: kinds, URLs, numbers, ids. */
const NON_TEXT_FIELDS = /^(type|marks|level|src|href|url|mode|kind|tone|state|.*Id|id|at|slug|language|version)$/

/** The user text of any draft, by lines, so that the user can read and copy it. */
export function draftText(value: unknown): string {
  return linesOf(value).join('\n').trim()
}

function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.every(isInline) ? [value.flatMap(linesOf).join('')] : value.flatMap(linesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (NON_TEXT_FIELDS.test(name) ? [] : linesOf(inner)))
}

const isInline = (node: unknown): boolean =>
  typeof node === 'object' && node !== null && 'text' in node && 'type' in node
