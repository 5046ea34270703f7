import type { CookieStore, KeyValueStorage } from '#islands/stores/cookies.ts'

/** Local storage in memory. */
export function memoryStorage(content: Record<string, string> = {}): KeyValueStorage {
  const entries = new Map(Object.entries(content))
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

/** A cookie jar that accepts the host itself and the given parent domains, as browsers do. */
export function memoryCookies(
  hostname: string,
  accepted: readonly string[],
  kept = true,
): CookieStore & { entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    hostname,
    entries,
    get cookie() {
      return [...entries].map(([key, value]) => `${key.split('@')[0]}=${value}`).join('; ')
    },
    set cookie(text: string) {
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=')
      const domain = attributes.find((each) => each.startsWith('domain='))?.slice(7) ?? ''
      if (!kept || (domain !== '' && !accepted.includes(domain))) return
      if (attributes.includes('max-age=0')) entries.delete(`${name}@${domain}`)
      else entries.set(`${name}@${domain}`, value)
    },
  }
}
