import type { Actor } from '../shared/actor.ts'
import { homePath, type Route } from './routes.ts'

/**
 * The part of the installation that a Host header names. `machine` is localhost or an IP address, the hosts of an
 * installation without a base domain.
 */
export type Host =
  | { kind: 'base' }
  | { kind: 'go' }
  | { kind: 'school'; subdomain: string }
  | { kind: 'machine' }
  /** The custom domain of a school, which serves its public pages. */
  | { kind: 'custom'; subdomain: string }
  | { kind: 'unknown' }

export const STUDENT_SUBDOMAIN = 'go'

/** The host name of a raw Host header, without the port. */
export function hostNameOf(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, '')
}

/** Parses a raw Host header (a port is allowed). A custom domain is unknown until it is looked up. */
export function parseHost(header: string, baseDomain: string): Host {
  const name = hostNameOf(header)
  if (name === baseDomain) return { kind: 'base' }
  if (name.endsWith(`.${baseDomain}`)) {
    const label = name.slice(0, -baseDomain.length - 1)
    if (label === STUDENT_SUBDOMAIN) return { kind: 'go' }
    return /^[a-z0-9-]{1,63}$/.test(label) ? { kind: 'school', subdomain: label } : { kind: 'unknown' }
  }
  return name === 'localhost' || name === '[::1]' || /^[\d.]+$/.test(name) ? { kind: 'machine' } : { kind: 'unknown' }
}

/** The subdomain that the session is read for: a tenant's, `go`, or an empty string elsewhere. */
export function subdomainOf(host: Host): string {
  if (host.kind === 'school') return host.subdomain
  return host.kind === 'go' ? STUDENT_SUBDOMAIN : ''
}

/**
 * The host that an actor must use: null when it is the requested one, otherwise the subdomain and path to redirect to.
 * Staff use their tenant's subdomain, students `go`; public pages are the same on every host.
 */
export function findOwnHost(
  actor: Pick<Actor, 'accountType' | 'subdomain'>,
  host: Host,
  route: Route,
  target: string,
): { subdomain: string; path: string } | null {
  const subdomain = actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? STUDENT_SUBDOMAIN : actor.subdomain
  if (subdomainOf(host) === subdomain) return null
  if (route.roles === 'public') return null
  return { subdomain, path: host.kind === 'base' && target === '/' ? homePath(actor) : target }
}
