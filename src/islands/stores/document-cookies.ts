import type { CookieStore } from './cookies.ts'

/** The browser's own cookies. */
export const documentCookies: CookieStore = {
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
