import { config } from '../config/config.ts'

/**
 * Completes the page's Content-Security-Policy by what only the configuration knows. Forms may end on any of our
 * hosts, since signing in on the base domain leads to a school's own; with a DSN the page may report its errors.
 */
export function completePolicy(response: Response): Response {
  const policy = response.headers.get('content-security-policy')
  if (policy) response.headers.set('content-security-policy', `${withReports(policy)} ${FORMS};`)
  return response
}

const { scheme, baseDomain, portSuffix } = config
const HOSTS = [baseDomain, `*.${baseDomain}`].map((host) => `${scheme}://${host}${portSuffix}`)
const FORMS = `form-action 'self' ${HOSTS.join(' ')}`

function withReports(policy: string): string {
  if (!config.sentryDsn) return policy
  return policy.replace("connect-src 'self'", `connect-src 'self' ${new URL(config.sentryDsn).origin}`)
}
