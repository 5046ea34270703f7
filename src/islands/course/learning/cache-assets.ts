import { LESSON_CACHE } from '#islands/stores/lesson-cache.ts'

const MAX_CACHED = 400
const IMPORTS = /(?:from|import)\s*"(\.\/[^"]+)"/g

/** Caches the styles, fonts and scripts of the page, so that a cached lesson works offline. */
export async function cacheAssets(): Promise<void> {
  if (!('caches' in window) || !(await caches.has(LESSON_CACHE))) return
  const cache = await caches.open(LESSON_CACHE)
  const cachedUrls = new Set((await cache.keys()).map(({ url }) => url))
  // Assets of old builds accumulate: a full cache is cleared and refilled by the next lesson.
  if (cachedUrls.size > MAX_CACHED) return void (await caches.delete(LESSON_CACHE))
  const pending = listAssetUrls()
  for (let href = pending.pop(); href; href = pending.pop()) {
    if (cachedUrls.has(href)) continue
    cachedUrls.add(href)
    const response = await fetch(href).catch(() => null)
    if (!response?.ok) continue
    await cache.put(href, response.clone())
    if (!href.endsWith('.js')) continue
    for (const [, path = ''] of (await response.text()).matchAll(IMPORTS)) pending.push(new URL(path, href).href)
  }
}

function listAssetUrls(): string[] {
  const links = 'link[rel=stylesheet], link[rel=preload][as=font], link[rel=icon]'
  return [
    ...[...document.querySelectorAll<HTMLLinkElement>(links)].map(({ href }) => href),
    ...[...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')].map(({ src }) => src),
  ].filter((href) => new URL(href).origin === location.origin)
}
