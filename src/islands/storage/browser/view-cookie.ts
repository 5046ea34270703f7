import { type CookieStore, writeCookie } from '#islands/stores/cookies.ts'
import type { View } from './listing-query.ts'

/** The cookie lets the server render the chosen view. */
export const VIEW_COOKIE = 'storage_view'
const YEAR_SECONDS = 365 * 24 * 3600

const documentCookies: CookieStore = {
  get hostname() {
    return location.hostname
  },
  get cookie() {
    return document.cookie
  },
  set cookie(value: string) {
    Reflect.set(document, 'cookie', value)
  },
}

export const saveView = (view: View): boolean => writeCookie(documentCookies, VIEW_COOKIE, view, YEAR_SECONDS)

export const parseView = (kept: string | undefined): View => (kept === 'grid' ? 'grid' : 'list')
