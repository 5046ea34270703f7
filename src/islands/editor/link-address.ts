/** A bare `example.com` is meant as https. */
export function normalizeAddress(typed: string): string {
  const text = typed.trim()
  return /^[\w-]+(\.[\w-]+)+/.test(text) && !text.includes('@') ? `https://${text}` : text
}
