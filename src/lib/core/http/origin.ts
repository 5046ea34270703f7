import { config } from '../config/config.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request may change data. Browsers name the page that sends it (Origin, Sec-Fetch-Site), and only pages of
 * the requested host may: the token cookie is sent from the hosts of all tenants, so the pages of another tenant are
 * refused like those of another site. Clients other than browsers send neither header and pass their token themselves.
 */
export function isOwnOrigin(method: string, headers: Headers, host = headers.get('host')): boolean {
  if (SAFE.has(method)) return true
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') return false
  const origin = headers.get('origin')
  if (origin === null) return site === null || site === 'same-origin' || site === 'none'
  return isSameHost(origin, host?.toLowerCase() ?? '')
}

// A new installation may be opened by the address of the machine; then its host is accepted too.
function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, host: originHost } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  const isProductHost = hostname === config.baseDomain || hostname.endsWith(`.${config.baseDomain}`)
  if (!isProductHost) return originHost === host && /^(localhost|[\d.]+|\[::1\])(:\d+)?$/.test(originHost)
  // A proxy may drop the port from Host, so host names are compared, and the port with the configured one.
  return hostname === host.replace(/:\d+$/, '') && origin === `${config.scheme}://${hostname}${config.portSuffix}`
}
