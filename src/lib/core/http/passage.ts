import type { APIContext } from 'astro'
import { gate } from '../access/gate.ts'
import { labelOf, rightPlace } from '../access/host.ts'
import { addressOf } from '../config/config.ts'
import { networkOf } from './address.ts'
import { countCall } from './api/rate.ts'
import { cookieOf, TOKEN_COOKIE, tokenCookie } from './cookies.ts'
import { homeAddress } from './home.ts'
import { Refusal } from './refusal.ts'

/**
 * Decides about a request before its page runs: a redirect, a refusal, or null to go on. Doors under /v1 decide for
 * themselves. A school that doesn't exist is not found, whatever the path.
 */
export function admit(context: APIContext): Response | null {
  const { locals, url, request } = context
  const { host, actor, route } = locals
  if (locals.failure) return null
  const door = url.pathname.startsWith('/v1/')
  if (host.kind === 'unknown' || (host.kind === 'school' && !locals.school)) throw new Refusal('not_found')
  if (door) {
    if (host.kind === 'school' && actor && labelOf(host) !== actor.subdomain) locals.actor = null
    if (request.method !== 'GET' || !locals.actor) countCall(locals.actor?.sessionId ?? networkOf(locals.address))
    return null
  }
  const here = url.pathname + url.search
  if (host.kind === 'machine') return away(addressOf(null, here))
  const stale = !actor && cookieOf(request.headers.get('cookie'), TOKEN_COOKIE) !== null
  if (!route) return null
  if (url.pathname === '/' && host.kind === 'base' && !actor) return null
  const place = actor && rightPlace(actor, host, route, here)
  if (place) return away(addressOf(place.subdomain, place.path))
  const passage = gate(actor, route, new Date(), here)
  if (passage.go === 'to') return away(passage.path, stale)
  locals.notice = passage.notice ?? null
  if (actor && request.method === 'GET' && SIGNED_OUT_ONLY.has(url.pathname)) {
    return away(homeAddress(actor))
  }
  return null
}

const SIGNED_OUT_ONLY = new Set(['/login', '/register'])

function away(location: string, clearToken = false): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  if (clearToken) headers.append('set-cookie', tokenCookie(null))
  return new Response(null, { status: 302, headers })
}
