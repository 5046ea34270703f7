import type { APIRoute } from 'astro'
import { readFeed } from '#lib/schedule/feed/feed.ts'

/** The calendar feed of a member, `/ical/<token>.ics`. Calendar programs read it without signing in. */
export const GET: APIRoute = async ({ params, request }) => {
  const token = (params.token ?? '').replace(/\.ics$/, '')
  const { etag, text } = await readFeed(token, request.headers.get('if-none-match'))
  const headers = { etag: `"${etag}"`, 'cache-control': 'private, max-age=300', 'x-robots-tag': 'noindex' }
  if (text === null) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'content-type': 'text/calendar; charset=utf-8' } })
}
