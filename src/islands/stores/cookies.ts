export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What of `document` and `location` a cookie needs. */
export interface CookieJar {
  cookie: string
  hostname: string
}

/**
 * Writes a cookie on the widest parent domain that the browser accepts, so that the base domain, `go` and the
 * schools share it; narrower namesakes are removed first. Answers whether it was kept.
 */
export function writeCookie(jar: CookieJar, name: string, value: string, seconds: number): boolean {
  const domains = domainsOf(jar.hostname)
  for (const domain of ['', ...domains]) jar.cookie = `${name}=; path=/; max-age=0${onDomain(domain)}`
  for (const domain of [...domains, '']) {
    jar.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${onDomain(domain)}`
    if (readCookie(jar, name) === value) return true
  }
  return false
}

export function readCookie(jar: Pick<CookieJar, 'cookie'>, name: string): string | null {
  const pair = jar.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}

/** `a.b.c` to `b.c`, `a.b.c`: wide first, never a bare top level or an address in numbers. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split('.')
  if (/^[\d.]+$|:/.test(hostname)) return []
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, -1)
    .reverse()
}

const onDomain = (domain: string) => (domain === '' ? '' : `; domain=${domain}`)
