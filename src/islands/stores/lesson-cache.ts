import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'

/*
 * Lesson pages that a student has opened, cached on this device to be read offline. Nothing else is cached: no other page,
 * no API response. public/study-worker.js uses the same cache and serves its pages for full page loads.
 */
export const LESSON_CACHE = 'study-1'

const LESSON_PATH = new RegExp(`^/course/lesson/${UUID_SOURCE}$`)
const OWNER_KEY = '/course/lesson/owner'
const MAX_PAGES = 60

export const isLessonPage = (href: string): boolean => LESSON_PATH.test(new URL(href, location.href).pathname)

/** Caches a lesson page as the server sent it. A lesson that is closed or deleted is removed from the cache. */
export async function cacheLessonPage(href: string, response: Response): Promise<void> {
  if (!isLessonPage(href) || !('caches' in window)) return
  const html = response.ok && !response.redirected ? await response.text() : ''
  const key = new URL(href, location.href).pathname
  const owner = / data-person="([^"]*)"/.exec(html)?.[1]
  if (!owner || !html.includes(' data-study="')) return void (await (await caches.open(LESSON_CACHE)).delete(key))
  await clearPagesOfOthers(owner)
  const cache = await caches.open(LESSON_CACHE)
  await cache.put(OWNER_KEY, new Response(owner))
  await cache.put(key, withCacheTime(html, response))
  await removeOldest(cache)
}

/** The cached page, with the time of caching in `<meta name="cached-at">`. */
export async function findCachedPage(href: string): Promise<Response | undefined> {
  if (!isLessonPage(href) || !('caches' in window)) return undefined
  return (await caches.open(LESSON_CACHE)).match(new URL(href, location.href).pathname)
}

/** Deletes all cached pages, at sign-out. */
export async function clearCachedPages(): Promise<void> {
  if ('caches' in window) await caches.delete(LESSON_CACHE)
}

/** Deletes the cached pages of another user. */
export async function clearPagesOfOthers(ownerEmail: string): Promise<void> {
  if (!('caches' in window) || !(await caches.has(LESSON_CACHE))) return
  const owner = await (await caches.open(LESSON_CACHE)).match(OWNER_KEY)
  if (!owner || (await owner.text()) !== ownerEmail) await caches.delete(LESSON_CACHE)
}

function withCacheTime(html: string, { headers }: Response): Response {
  const cachedAt = new Date().toISOString()
  const page = html.replace('<head>', `<head><meta name="cached-at" content="${cachedAt}">`)
  const policy = headers.get('content-security-policy')
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-cached-at': cachedAt,
      ...(policy && { 'content-security-policy': policy }),
    },
  })
}

async function removeOldest(cache: Cache): Promise<void> {
  const pages = (await cache.keys()).filter(({ url }) => isLessonPage(url))
  if (pages.length <= MAX_PAGES) return
  const dated = await Promise.all(
    pages.map(async (page) => ({ page, at: (await cache.match(page))?.headers.get('x-cached-at') ?? '' })),
  )
  dated.sort((a, b) => a.at.localeCompare(b.at))
  for (const { page } of dated.slice(0, pages.length - MAX_PAGES)) await cache.delete(page)
}
