import { config } from '../config/config.ts'

/**
 * Completes the page's Content-Security-Policy by what only the configuration knows. Forms may end on any of our
 * hosts, since signing in on the base domain leads to a school's own; with a DSN the page may report its errors; with a
 * bucket it may send files there and show them from there; with a media server it may publish and play there.
 */
export function completePolicy(response: Response): Response {
  const policy = response.headers.get('content-security-policy')
  if (policy)
    response.headers.set('content-security-policy', `${withMediaServer(withStore(withReports(policy)))} ${FORMS};`)
  return response
}

/**
 * What was answered to somebody signed in stays with them: no cache keeps their pages, not even the browser's, which
 * would show them after signing out. Files and images say themselves how long they last.
 */
export function keepPrivate({ actor }: { actor: unknown }, response: Response): Response {
  const html = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if (actor && (html || !response.headers.has('cache-control'))) {
    response.headers.set('cache-control', 'private, no-store')
  }
  return response
}

const { scheme, baseDomain, portSuffix } = config
const HOSTS = [baseDomain, `*.${baseDomain}`].map((host) => `${scheme}://${host}${portSuffix}`)
const FORMS = `form-action 'self' ${HOSTS.join(' ')}`

function withReports(policy: string): string {
  if (!config.sentryDsn) return policy
  return policy.replace("connect-src 'self'", `connect-src 'self' ${new URL(config.sentryDsn).origin}`)
}

// An allowed address that answers with another one needs both of them allowed.
function withStore(policy: string): string {
  if (!config.s3) return policy
  const { origin } = new URL(config.s3.endpoint)
  return policy.replace(/(connect|img|media)-src 'self'/g, `$& ${origin}`)
}

function withMediaServer(policy: string): string {
  const origins = new Set([config.whipUrl, config.whepUrl].flatMap((url) => (url ? [new URL(url).origin] : [])))
  return origins.size === 0 ? policy : policy.replace("connect-src 'self'", `$& ${[...origins].join(' ')}`)
}
