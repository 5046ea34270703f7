/** The value of a JSON text; null when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The JSON object in a text; null when there is none. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
