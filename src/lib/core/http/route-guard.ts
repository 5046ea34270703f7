import type { APIContext } from 'astro'
import { findOwnHost, subdomainOf } from '../access/host.ts'
import { checkRouteAccess } from '../access/route-access.ts'
import { addressOf } from '../config/config.ts'
import { networkOf } from './address.ts'
import { countCall } from './api/rate-limit.ts'
import { cookieOf, TOKEN_COOKIE, tokenCookie } from './cookies.ts'
import { homeUrl } from './home-url.ts'
import { Refusal } from './refusal.ts'

/**
 * Checks a request before its page runs: returns a redirect, throws a Refusal, or returns null to continue. Endpoints
 * under /v1 check permissions themselves. An unknown tenant is not_found for every path.
 */
export function guardRoute(context: APIContext): Response | null {
  const { locals, url, request } = context
  const { host, actor, route } = locals
  if (locals.failure) return null
  const isApi = url.pathname.startsWith('/v1/')
  if (host.kind === 'unknown' || (host.kind === 'school' && !locals.school)) throw new Refusal('not_found')
  const moved = findPresentAddress(locals, url)
  if (moved) return moved
  if (isApi) {
    if (host.kind === 'school' && actor && subdomainOf(host) !== actor.subdomain) locals.actor = null
    if (request.method !== 'GET' || !locals.actor) countCall(locals.actor?.sessionId ?? networkOf(locals.address))
    return null
  }
  const target = url.pathname + url.search
  if (host.kind === 'machine') return redirect(addressOf(null, target))
  const isTokenStale = !actor && cookieOf(request.headers.get('cookie'), TOKEN_COOKIE) !== null
  if (!route) return null
  if (url.pathname === '/' && host.kind === 'base' && !actor) return null
  const ownHost = actor && findOwnHost(actor, host, route, target)
  if (ownHost) return redirect(addressOf(ownHost.subdomain, ownHost.path))
  const decision = checkRouteAccess(actor, route, new Date(), target)
  if (decision.kind === 'redirect') return redirect(decision.path, isTokenStale)
  locals.notice = decision.notice ?? null
  if (actor && request.method === 'GET' && route.signedOutOnly) {
    return redirect(homeUrl(actor))
  }
  return null
}

/**
 * The redirect from a former subdomain to the current one, which keeps method and body; and from a custom domain for
 * pages that are not public.
 */
function findPresentAddress({ host, school, route }: App.Locals, { pathname, search }: URL): Response | null {
  if (!school) return null
  const isFormer = host.kind === 'school' && host.subdomain !== school.subdomain
  const isPrivate = host.kind === 'custom' && !pathname.startsWith('/v1/') && !route?.onCustomDomain
  if (!isFormer && !isPrivate) return null
  const location = addressOf(school.subdomain, pathname + search)
  return new Response(null, { status: 308, headers: { location, 'cache-control': 'no-store' } })
}

function redirect(location: string, clearToken = false): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  if (clearToken) headers.append('set-cookie', tokenCookie(null))
  return new Response(null, { status: 302, headers })
}
