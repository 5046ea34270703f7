/** `https` is assumed for a URL without a scheme, such as `example.com`. */
export function normalizeAddress(typed: string): string {
  const text = typed.trim()
  return /^[\w-]+(\.[\w-]+)+/.test(text) && !text.includes('@') ? `https://${text}` : text
}
