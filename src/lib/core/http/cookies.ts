import { config } from '../config/config.ts'
import { DAY_SECONDS, YEAR_SECONDS } from '../shared/time.ts'

export const TOKEN_COOKIE = 'token'
export const TOKEN_DAYS = 7

/**
 * Attributes of a cookie that contains a credential. WebKit rejects a Secure cookie over plain HTTP, also from
 * `.localhost`, so that users could not sign in: only there Secure is omitted.
 */
export const SECURE_ATTRIBUTES =
  config.scheme === 'http' && config.baseDomain.endsWith('.localhost') ? 'HttpOnly' : 'HttpOnly; Secure'

/** `Set-Cookie` value with the sign-in token on the parent domain for seven days; null clears it. */
export function tokenCookie(token: string | null): string {
  const value = token ?? ''
  const age = token ? TOKEN_DAYS * DAY_SECONDS : 0
  return `${TOKEN_COOKIE}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
}

export const STUDENT_VIEW_COOKIE = 'view'
const VIEW_MAX_AGE = 30 * 60

/** `Set-Cookie` value that lets a team member view the school as a student; null ends it. Only the host `go` reads it. */
export function viewCookie(view: string | null): string {
  const age = view ? VIEW_MAX_AGE : 0
  return `${STUDENT_VIEW_COOKIE}=${view ?? ''}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
}

export const DEVICE_COOKIE = 'device'
const DEVICE_DAYS = 400

/** `Set-Cookie` value by which sign-in recognizes a browser (lib/user/device.ts). */
export function deviceCookie(device: string): string {
  const age = DEVICE_DAYS * DAY_SECONDS
  return `${DEVICE_COOKIE}=${device}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
}

/** `Set-Cookie` value that stores the choice of language or theme for a year. */
export function preferenceCookie(name: 'locale' | 'theme', value: string): string {
  return `${name}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
}

/** The token of a request: the Authorization header, or the cookie where that header is absent. */
export function tokenOf(authorization: string | null | undefined, cookie: string | null | undefined): string | null {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')
  const token = bearer?.[1] ?? cookie
  return token && /^[\w-]{20,128}$/.test(token) ? token : null
}

/**
 * The value of a cookie by its name. Null also when the name occurs with two different values: another host must have
 * set one of them for the parent domain, and the valid one cannot be identified.
 */
export function cookieOf(header: string | null | undefined, name: string): string | null {
  const values = cookieValues(header, name)
  const [only] = values
  return values.size === 1 && only ? only : null
}

/**
 * `Set-Cookie` values that remove token cookies which another host or path has set in addition to the installation's.
 * Empty while the request has at most one token.
 */
export function expiredTokenCookies(header: string | null | undefined, pathname: string): string[] {
  if (cookieValues(header, TOKEN_COOKIE).size < 2) return []
  const segments = pathname.split('/').filter((segment) => /^[\w.~%-]+$/.test(segment))
  const paths = segments.slice(0, 8).flatMap((_, index) => {
    const path = `/${segments.slice(0, index + 1).join('/')}`
    return [path, `${path}/`]
  })
  const cleared = `${TOKEN_COOKIE}=; Max-Age=0; ${SECURE_ATTRIBUTES}; SameSite=Lax`
  return [
    `${cleared}; Path=/`,
    ...paths.flatMap((path) => [`${cleared}; Path=${path}`, `${cleared}; Path=${path}; Domain=${config.baseDomain}`]),
  ]
}

function cookieValues(header: string | null | undefined, name: string): Set<string> {
  const values = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals !== -1 && part.slice(0, equals).trim() === name) values.add(part.slice(equals + 1).trim())
  }
  return values
}
