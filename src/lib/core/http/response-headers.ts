import { config } from '../config/config.ts'

/**
 * Adds the configured hosts to the page's Content-Security-Policy. Forms may end on any host of the installation, since
 * sign-in on the base domain redirects to a tenant's host; the error service, the object store and the media server are
 * allowed when they are configured. `formOrigin` is one more origin to which a form of the page may be sent.
 */
export function completeContentSecurityPolicy(response: Response, formOrigin?: string): Response {
  const policy = response.headers.get('content-security-policy')
  if (policy)
    response.headers.set(
      'content-security-policy',
      `${withMediaServer(withStore(withReports(policy)))} ${FORMS}${formOrigin ? ` ${formOrigin}` : ''};`,
    )
  return response
}

/**
 * Forbids all caches to store pages of a signed-in user; the browser cache would show them after sign-out. Files and
 * images set their own cache-control.
 */
export function preventCaching({ actor }: { actor: unknown }, response: Response): Response {
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if (actor && (isHtml || !response.headers.has('cache-control'))) {
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

// For a URL that redirects, both origins have to be allowed.
function withStore(policy: string): string {
  if (!config.s3) return policy
  const { origin } = new URL(config.s3.endpoint)
  return policy.replace(/(connect|img|media)-src 'self'/g, `$& ${origin}`)
}

function withMediaServer(policy: string): string {
  const origins = new Set([config.whipUrl, config.whepUrl].flatMap((url) => (url ? [new URL(url).origin] : [])))
  return origins.size === 0 ? policy : policy.replace("connect-src 'self'", `$& ${[...origins].join(' ')}`)
}
