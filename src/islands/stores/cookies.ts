export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The fields of `document` and `location` that cookies need. */
export interface CookieStore {
  cookie: string
  hostname: string
}

/**
 * Writes a cookie on the widest parent domain that the browser accepts, so that the base domain, `go` and the
 * tenants share it; cookies of the same name on narrower domains are removed first. Returns whether it was stored.
 */
export function writeCookie(cookies: CookieStore, name: string, value: string, seconds: number): boolean {
  const domains = domainsOf(cookies.hostname)
  for (const domain of ['', ...domains]) cookies.cookie = `${name}=; path=/; max-age=0${onDomain(domain)}`
  for (const domain of [...domains, '']) {
    cookies.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${onDomain(domain)}`
    if (readCookie(cookies, name) === value) return true
  }
  return false
}

function readCookie(cookies: Pick<CookieStore, 'cookie'>, name: string): string | null {
  const pair = cookies.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}

/** `a.b.c` to `b.c`, `a.b.c`: the widest first, never a top-level domain or an IP address. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split('.')
  if (/^[\d.]+$|:/.test(hostname)) return []
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, -1)
    .reverse()
}

const onDomain = (domain: string) => (domain === '' ? '' : `; domain=${domain}`)
