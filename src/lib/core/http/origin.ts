import { config } from '../config/config.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request may change something: browsers name the page that sends it (Origin, Sec-Fetch-Site), and only pages
 * of the very host that is asked may: the token cookie goes along from every school's host, so a neighbour is as
 * foreign as another site. Programs send neither header and carry their token themselves.
 */
export function isOwnOrigin(method: string, headers: Headers, host = headers.get('host')): boolean {
  if (SAFE.has(method)) return true
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') return false
  const origin = headers.get('origin')
  if (origin === null) return site === null || site === 'same-origin' || site === 'none'
  return isOurs(origin, host?.toLowerCase() ?? '')
}

// A newcomer may open the address of the machine itself; then the page's own host is as good as ours.
function isOurs(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, host: named } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  const ours = hostname === config.baseDomain || hostname.endsWith(`.${config.baseDomain}`)
  if (!ours) return named === host && /^(localhost|[\d.]+|\[::1\])(:\d+)?$/.test(named)
  // A proxy may leave the port out of Host, so names are compared, and the port with the configured one.
  return hostname === host.replace(/:\d+$/, '') && origin === `${config.scheme}://${hostname}${config.portSuffix}`
}
