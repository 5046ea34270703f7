import { config } from '../config/config.ts'

export const TOKEN_COOKIE = 'token'
export const TOKEN_DAYS = 7

/** `Set-Cookie` value that carries the sign-in token on the parent domain for seven days; null clears it. */
export function tokenCookie(token: string | null): string {
  const value = token ?? ''
  const age = token ? TOKEN_DAYS * 24 * 3600 : 0
  return `${TOKEN_COOKIE}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; HttpOnly; Secure; SameSite=Lax`
}

/** `Set-Cookie` value that mirrors the browser's choice of language or theme for a year. */
export function choiceCookie(name: 'locale' | 'theme', value: string): string {
  return `${name}=${value}; Domain=${config.baseDomain}; Path=/; Max-Age=${365 * 24 * 3600}; SameSite=Lax`
}

/** The token of a request: the Authorization header, or the cookie where that header is absent. */
export function tokenOf(authorization: string | null | undefined, cookie: string | undefined): string | null {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')
  const token = bearer?.[1] ?? cookie
  return token && /^[\w-]{20,128}$/.test(token) ? token : null
}
