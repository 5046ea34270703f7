import { config } from '../config/config.ts'

export const TOKEN_COOKIE = 'token'
export const TOKEN_DAYS = 7

/**
 * What a cookie that opens something is set with. WebKit drops a Secure cookie that comes over plain http, also from
 * `.localhost`, and signing in would silently lead back to the login page: there, and only there, it is left out.
 */
export const SECURED =
  config.scheme === 'http' && config.baseDomain.endsWith('.localhost') ? 'HttpOnly' : 'HttpOnly; Secure'

/** `Set-Cookie` value that carries the sign-in token on the parent domain for seven days; null clears it. */
export function tokenCookie(token: string | null): string {
  const value = token ?? ''
  const age = token ? TOKEN_DAYS * 24 * 3600 : 0
  return `${TOKEN_COOKIE}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURED}; SameSite=Lax`
}

export const DEVICE_COOKIE = 'device'
const DEVICE_DAYS = 400

/** `Set-Cookie` value by which a browser is known again where somebody signs in (lib/user/device.ts). */
export function deviceCookie(device: string): string {
  const age = DEVICE_DAYS * 24 * 3600
  return `${DEVICE_COOKIE}=${device}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURED}; SameSite=Lax`
}

/** `Set-Cookie` value that mirrors the browser's choice of language or theme for a year. */
export function choiceCookie(name: 'locale' | 'theme', value: string): string {
  return `${name}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${365 * 24 * 3600}; SameSite=Lax`
}

/** The token of a request: the Authorization header, or the cookie where that header is absent. */
export function tokenOf(authorization: string | null | undefined, cookie: string | null | undefined): string | null {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')
  const token = bearer?.[1] ?? cookie
  return token && /^[\w-]{20,128}$/.test(token) ? token : null
}

/**
 * A cookie of a request by its name. Null also when the name comes with two different values: only a cookie that another
 * host set for the parent domain can do that, and which of them is ours cannot be told.
 */
export function cookieOf(header: string | null | undefined, name: string): string | null {
  const values = valuesOf(header, name)
  const [only] = values
  return values.size === 1 && only ? only : null
}

/**
 * `Set-Cookie` values that remove token cookies which stand beside ours: those of a deeper path and of this host alone.
 * None while there is one token or none.
 */
export function strayTokens(header: string | null | undefined, pathname: string): string[] {
  if (valuesOf(header, TOKEN_COOKIE).size < 2) return []
  const steps = pathname.split('/').filter((step) => /^[\w.~%-]+$/.test(step))
  const paths = steps.slice(0, 8).flatMap((_, index) => {
    const path = `/${steps.slice(0, index + 1).join('/')}`
    return [path, `${path}/`]
  })
  const gone = `${TOKEN_COOKIE}=; Max-Age=0; HttpOnly; Secure; SameSite=Lax`
  return [
    `${gone}; Path=/`,
    ...paths.flatMap((path) => [`${gone}; Path=${path}`, `${gone}; Path=${path}; Domain=${config.baseDomain}`]),
  ]
}

function valuesOf(header: string | null | undefined, name: string): Set<string> {
  const values = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals !== -1 && part.slice(0, equals).trim() === name) values.add(part.slice(equals + 1).trim())
  }
  return values
}
