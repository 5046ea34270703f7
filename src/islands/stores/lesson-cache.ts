/*
 * Lessons that a student has opened, kept on this device to be read without a network. Nothing else is kept: no other
 * page, no answer of the API. The same shelf is known to public/study-worker.js, which gives the pages out when a lesson
 * is loaded whole.
 */
export const LESSON_CACHE = 'study-1'

const LESSON = /^\/course\/lesson\/[0-9a-f-]{36}$/
const OWNER = '/course/lesson/owner'
const MOST_PAGES = 60

export const isLessonPage = (href: string): boolean => LESSON.test(new URL(href, location.href).pathname)

/** Keeps a lesson's page as the school sent it. A lesson that is closed by now, or gone, is forgotten instead. */
export async function cacheLessonPage(href: string, response: Response): Promise<void> {
  if (!isLessonPage(href) || !('caches' in window)) return
  const html = response.ok && !response.redirected ? await response.text() : ''
  const key = new URL(href, location.href).pathname
  const owner = / data-person="([^"]*)"/.exec(html)?.[1]
  if (!owner || !html.includes(' data-study="')) return void (await (await caches.open(LESSON_CACHE)).delete(key))
  await clearPagesOfOthers(owner)
  const shelf = await caches.open(LESSON_CACHE)
  await shelf.put(OWNER, new Response(owner))
  await shelf.put(key, marked(html, response))
  await forgetOldest(shelf)
}

/** The page as it was kept, with the moment in `<meta name="kept">`. */
export async function findCachedPage(href: string): Promise<Response | undefined> {
  if (!isLessonPage(href) || !('caches' in window)) return undefined
  return (await caches.open(LESSON_CACHE)).match(new URL(href, location.href).pathname)
}

/** Takes all of it away: at sign-out. */
export async function clearCachedPages(): Promise<void> {
  if ('caches' in window) await caches.delete(LESSON_CACHE)
}

/** Takes away what another person has left. */
export async function clearPagesOfOthers(person: string): Promise<void> {
  if (!('caches' in window) || !(await caches.has(LESSON_CACHE))) return
  const owner = await (await caches.open(LESSON_CACHE)).match(OWNER)
  if (!owner || (await owner.text()) !== person) await caches.delete(LESSON_CACHE)
}

function marked(html: string, { headers }: Response): Response {
  const at = new Date().toISOString()
  const kept = html.replace('<head>', `<head><meta name="kept" content="${at}">`)
  const policy = headers.get('content-security-policy')
  return new Response(kept, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-kept-at': at,
      ...(policy && { 'content-security-policy': policy }),
    },
  })
}

async function forgetOldest(shelf: Cache): Promise<void> {
  const pages = (await shelf.keys()).filter(({ url }) => isLessonPage(url))
  if (pages.length <= MOST_PAGES) return
  const dated = await Promise.all(
    pages.map(async (page) => ({ page, at: (await shelf.match(page))?.headers.get('x-kept-at') ?? '' })),
  )
  dated.sort((a, b) => a.at.localeCompare(b.at))
  for (const { page } of dated.slice(0, pages.length - MOST_PAGES)) await shelf.delete(page)
}
