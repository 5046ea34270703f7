/*
 * Loads styles and scripts of the next page before it is shown, as a full page load does, so that its layout does not shift
 * and its controls work.
 */
export function preloadAssets(next: Document): Promise<unknown> {
  const styles = missing<HTMLLinkElement>(next, 'link[rel=stylesheet]', 'href').map(preload)
  const scripts = missing<HTMLScriptElement>(next, 'script[type=module][src]', 'src').map(fetchModule)
  return Promise.all([...styles, ...scripts])
}

function missing<E extends Element>(next: Document, selector: string, name: 'href' | 'src'): string[] {
  const urlsOf = (page: Document) =>
    [...page.querySelectorAll<E>(selector)].map(
      (element) => new URL(element.getAttribute(name) ?? '', location.href).href,
    )
  const loaded = new Set(urlsOf(document))
  return urlsOf(next).filter((url) => !loaded.has(url))
}

function preload(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'style', href })
  document.head.append(link)
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve
  })
}

const IMPORTS = /(?:from|import)\s*"(\.\/[^"]+)"/g
const fetched = new Set<string>()

/** Loads a module and its imports into the browser's cache; it runs when its page is shown. */
async function fetchModule(src: string): Promise<void> {
  if (fetched.has(src)) return
  fetched.add(src)
  const text = await fetch(src).then(
    (response) => response.text(),
    () => '',
  )
  await Promise.all([...text.matchAll(IMPORTS)].map(([, path = '']) => fetchModule(new URL(path, src).href)))
}

let serverStyles = styleUrlsOf(document)

/** Keeps styles that scripts have added, because scripts do not add them again. Call it before the page is replaced. */
export function keepScriptStyles(next: Document): void {
  const addedByScripts = sheetsOf(document).filter((link) => !serverStyles.has(link.getAttribute('href') ?? ''))
  serverStyles = styleUrlsOf(next)
  next.head.append(...addedByScripts.map((link) => link.cloneNode()))
}

function sheetsOf(page: Document): HTMLLinkElement[] {
  return [...page.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
}

function styleUrlsOf(page: Document): Set<string> {
  return new Set(sheetsOf(page).map((link) => link.getAttribute('href') ?? ''))
}
