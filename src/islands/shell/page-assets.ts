/*
 * Styles and scripts of the next page come before it is shown, as they would with a whole load: it neither jumps nor
 * stands there deaf.
 */
export function preloadAssets(next: Document): Promise<unknown> {
  const styles = missing<HTMLLinkElement>(next, 'link[rel=stylesheet]', 'href').map(preload)
  const scripts = missing<HTMLScriptElement>(next, 'script[type=module][src]', 'src').map(fetchModule)
  return Promise.all([...styles, ...scripts])
}

function missing<E extends Element>(next: Document, selector: string, name: 'href' | 'src'): string[] {
  const addresses = (page: Document) =>
    [...page.querySelectorAll<E>(selector)].map((one) => new URL(one.getAttribute(name) ?? '', location.href).href)
  const here = new Set(addresses(document))
  return addresses(next).filter((address) => !here.has(address))
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

/** Into the browser's cache, with all that it imports; it is run when its page is there. */
async function fetchModule(src: string): Promise<void> {
  if (fetched.has(src)) return
  fetched.add(src)
  const text = await fetch(src).then(
    (response) => response.text(),
    () => '',
  )
  await Promise.all([...text.matchAll(IMPORTS)].map(([, path = '']) => fetchModule(new URL(path, src).href)))
}

let served = addressesOf(document)

/** Styles that a script has brought stay: it believes that they are there. Call it before the pages change places. */
export function keepScriptStyles(next: Document): void {
  const brought = sheetsOf(document).filter((link) => !served.has(link.getAttribute('href') ?? ''))
  served = addressesOf(next)
  next.head.append(...brought.map((link) => link.cloneNode()))
}

function sheetsOf(page: Document): HTMLLinkElement[] {
  return [...page.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
}

function addressesOf(page: Document): Set<string> {
  return new Set(sheetsOf(page).map((link) => link.getAttribute('href') ?? ''))
}
