import type { APIContext } from 'astro'
import { preferenceCookie } from '../http/cookies.ts'
import { isLocale } from '../shared/locale.ts'

/**
 * Handles `?locale=en`, the choice of a language without JavaScript: sets the cookie and redirects to the same URL
 * without the parameter. Returns null for requests without it, and under /v1, where it is an ordinary input.
 */
export function redirectToChosenLocale({ url, request }: Pick<APIContext, 'url' | 'request'>): Response | null {
  const chosen = url.searchParams.get('locale')
  if (request.method !== 'GET' || url.pathname.startsWith('/v1/') || !isLocale(chosen)) return null
  const rest = new URLSearchParams(url.searchParams)
  rest.delete('locale')
  const location = url.pathname + (rest.size > 0 ? `?${rest}` : '')
  const headers = { location, 'set-cookie': preferenceCookie('locale', chosen), 'cache-control': 'no-store' }
  return new Response(null, { status: 303, headers })
}
