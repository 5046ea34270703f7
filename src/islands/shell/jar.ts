import type { Jar } from '#islands/stores/keeping.ts'

/** The browser's own cookies. */
export const documentJar: Jar = {
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
