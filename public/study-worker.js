/*
 * Serves the opened lessons of a student when there is no network. Its scope is /course/lesson/, and it caches nothing
 * else; src/islands/stores/lesson-cache.ts fills the same cache for client-side navigation, and clears it at sign-out.
 */
const SHELF = 'study-1'
const LESSON = /^\/course\/lesson\/[0-9a-f-]{36}$/
const OWNER = '/course/lesson/owner'
/** A network that does not respond within this time counts as offline if a cached page exists. */
const PATIENCE_MILLISECONDS = 6000

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => event.waitUntil(begin()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && LESSON.test(pathname)) event.respondWith(open(event, pathname))
  else if (pathname.startsWith('/_astro/') || pathname === '/favicon.svg') event.respondWith(asset(request))
})

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith('study-') && name !== SHELF)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The page is requested while the worker starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

async function open(event, pathname) {
  const shelf = await caches.open(SHELF)
  const kept = await shelf.match(pathname)
  const asked = ask(event)
  event.waitUntil(asked.then((answer) => keep(pathname, answer.clone())).catch(() => undefined))
  if (!kept) return asked
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS, null))
  const answer = await Promise.race([asked.catch(() => null), late])
  return answer && ![502, 503, 504].includes(answer.status) ? answer.clone() : kept
}

async function ask(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

async function keep(pathname, answer) {
  // A lesson redirects only when the user is signed out: then the cache is cleared.
  if (answer.type === 'opaqueredirect' || answer.redirected) return caches.delete(SHELF)
  if (answer.status >= 500) return
  const html = answer.ok ? await answer.text() : ''
  const owner = / data-person="([^"]*)"/.exec(html)?.[1]
  if (!owner || !html.includes(' data-study="')) return (await caches.open(SHELF)).delete(pathname)
  const before = await (await caches.open(SHELF)).match(OWNER)
  if (!before || (await before.text()) !== owner) await caches.delete(SHELF)
  const shelf = await caches.open(SHELF)
  await shelf.put(OWNER, new Response(owner))
  await shelf.put(pathname, marked(html, answer))
}

function marked(html, { headers }) {
  const at = new Date().toISOString()
  const kept = { 'content-type': 'text/html; charset=utf-8', 'x-kept-at': at }
  const policy = headers.get('content-security-policy')
  if (policy) kept['content-security-policy'] = policy
  return new Response(html.replace('<head>', `<head><meta name="kept" content="${at}">`), { headers: kept })
}

async function asset(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(SHELF)).match(request.url)
    if (kept) return kept
    throw error
  }
}
