/** The value of a JSON text; null when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The JSON object in a text, with every number as the text in which it is written (`100.10`, `1e2`), e.g. where a signature
 * covers that text; null when there is none.
 */
export function parseJsonNumberTexts(text: string): Record<string, unknown> | null {
  try {
    return objectOrNull(JSON.parse(text, withNumberText))
  } catch {
    return null
  }
}

// The third argument is the source text of a primitive value (JSON.parse source text access).
const withNumberText = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** The JSON object in a text; null when there is none. */
export const parseJsonObject = (text: string): Record<string, unknown> | null => objectOrNull(parseJson(text))

function objectOrNull(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
