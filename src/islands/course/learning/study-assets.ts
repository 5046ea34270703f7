import { SHELF } from '#islands/stores/kept-page.ts'

const MOST = 400
const IMPORTS = /(?:from|import)\s*"(\.\/[^"]+)"/g

/** Keeps what this page is drawn with (styles, fonts, scripts and what these import), so that a kept lesson looks alive. */
export async function keepAssets(): Promise<void> {
  if (!('caches' in window) || !(await caches.has(SHELF))) return
  const shelf = await caches.open(SHELF)
  const known = new Set((await shelf.keys()).map(({ url }) => url))
  // Those of builds long gone pile up: a shelf that is too full begins anew with the next lesson.
  if (known.size > MOST) return void (await caches.delete(SHELF))
  const waiting = named()
  for (let href = waiting.pop(); href; href = waiting.pop()) {
    if (known.has(href)) continue
    known.add(href)
    const answer = await fetch(href).catch(() => null)
    if (!answer?.ok) continue
    await shelf.put(href, answer.clone())
    if (!href.endsWith('.js')) continue
    for (const [, path = ''] of (await answer.text()).matchAll(IMPORTS)) waiting.push(new URL(path, href).href)
  }
}

function named(): string[] {
  const links = 'link[rel=stylesheet], link[rel=preload][as=font], link[rel=icon]'
  return [
    ...[...document.querySelectorAll<HTMLLinkElement>(links)].map(({ href }) => href),
    ...[...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')].map(({ src }) => src),
  ].filter((href) => new URL(href).origin === location.origin)
}
