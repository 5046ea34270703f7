const MAX_CHARACTERS = 4_000_000

const fragments = new Map<string, string>()
let characters = 0

/** The stored HTML of a fragment, or undefined. */
export function findFragment(key: string): string | undefined {
  const html = fragments.get(key)
  if (html === undefined) return undefined
  // A Map keeps the order of insertion: the fragment that was not used for the longest time is the first one.
  fragments.delete(key)
  fragments.set(key, html)
  return html
}

/**
 * Stores the HTML of a fragment when it has been rendered, and returns it. Fragments that were not used for the longest
 * time are dropped when all together exceed 4 million characters. Throws when the HTML contains a script, a style or an
 * island: Astro writes their code once per page, at their first use.
 */
export async function storeFragment(key: string, rendered: Promise<string>): Promise<string> {
  const html = await rendered
  if (/<(?:script|style|astro-island)\b/.test(html))
    throw new Error(`the cached fragment ${key} contains a script, a style or an island`)
  const previous = fragments.get(key)
  if (previous !== undefined) characters -= previous.length
  fragments.delete(key)
  fragments.set(key, html)
  characters += html.length
  for (const [oldKey, oldHtml] of fragments) {
    if (characters <= MAX_CHARACTERS) break
    fragments.delete(oldKey)
    characters -= oldHtml.length
  }
  return html
}
