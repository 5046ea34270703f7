/*
 * Serves the opened lessons of a student when there is no network. Its scope is /course/lesson/, and it caches nothing
 * else; src/islands/stores/lesson-cache.ts fills the same cache for client-side navigation, and clears it at sign-out.
 */
const CACHE_NAME = 'study-1'
const LESSON_PATH = /^\/course\/lesson\/[0-9a-f-]{36}$/
const OWNER_KEY = '/course/lesson/owner'
/** A network that does not respond within this time counts as offline if a cached page exists. */
const NETWORK_TIMEOUT_MS = 6000

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => event.waitUntil(activateWorker()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && LESSON_PATH.test(pathname)) event.respondWith(serveLesson(event, pathname))
  else if (pathname.startsWith('/_astro/') || pathname === '/favicon.svg') event.respondWith(serveAsset(request))
})

async function activateWorker() {
  const formerCaches = (await caches.keys()).filter((name) => name.startsWith('study-') && name !== CACHE_NAME)
  await Promise.all(formerCaches.map((name) => caches.delete(name)))
  // The page is requested while the worker starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

async function serveLesson(event, pathname) {
  const cache = await caches.open(CACHE_NAME)
  const cached = await cache.match(pathname)
  const requested = requestPage(event)
  event.waitUntil(requested.then((response) => cachePage(pathname, response.clone())).catch(() => undefined))
  if (!cached) return requested
  const timeout = new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS, null))
  const response = await Promise.race([requested.catch(() => null), timeout])
  return response && ![502, 503, 504].includes(response.status) ? response.clone() : cached
}

async function requestPage(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

async function cachePage(pathname, response) {
  // A lesson redirects only when the user is signed out: then the cache is cleared.
  if (response.type === 'opaqueredirect' || response.redirected) return caches.delete(CACHE_NAME)
  if (response.status >= 500) return
  const html = response.ok ? await response.text() : ''
  const owner = / data-person="([^"]*)"/.exec(html)?.[1]
  if (!owner || !html.includes(' data-study="')) return (await caches.open(CACHE_NAME)).delete(pathname)
  const formerOwner = await (await caches.open(CACHE_NAME)).match(OWNER_KEY)
  if (!formerOwner || (await formerOwner.text()) !== owner) await caches.delete(CACHE_NAME)
  const cache = await caches.open(CACHE_NAME)
  await cache.put(OWNER_KEY, new Response(owner))
  await cache.put(pathname, withCacheTime(html, response))
}

function withCacheTime(html, response) {
  const cachedAt = new Date().toISOString()
  const headers = { 'content-type': 'text/html; charset=utf-8', 'x-cached-at': cachedAt }
  const policy = response.headers.get('content-security-policy')
  if (policy) headers['content-security-policy'] = policy
  return new Response(html.replace('<head>', `<head><meta name="cached-at" content="${cachedAt}">`), { headers })
}

async function serveAsset(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const cached = await (await caches.open(CACHE_NAME)).match(request.url)
    if (cached) return cached
    throw error
  }
}
