import type { APIContext } from 'astro'
import { isLocale } from '../shared/locale.ts'
import { choiceCookie } from './cookies.ts'

/**
 * `?locale=en` chooses the language where there is no JavaScript: the cookie is set, the same page comes without it.
 * Under /v1 it is an input like any other.
 */
export function chooseLanguage({ url, request }: Pick<APIContext, 'url' | 'request'>): Response | null {
  const chosen = url.searchParams.get('locale')
  if (request.method !== 'GET' || url.pathname.startsWith('/v1/') || !isLocale(chosen)) return null
  const rest = new URLSearchParams(url.searchParams)
  rest.delete('locale')
  const location = url.pathname + (rest.size > 0 ? `?${rest}` : '')
  const headers = { location, 'set-cookie': choiceCookie('locale', chosen), 'cache-control': 'no-store' }
  return new Response(null, { status: 303, headers })
}
