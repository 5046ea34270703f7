import type { Actor } from '../shared/actor.ts'
import { homePath } from './gate.ts'
import type { Route } from './routes.ts'

/** Which part of the installation a Host header names. `machine` is localhost or an address: the newcomer's door. */
export type Host =
  | { kind: 'base' }
  | { kind: 'go' }
  | { kind: 'school'; subdomain: string }
  | { kind: 'machine' }
  | { kind: 'unknown' }

export const STUDENT_SUBDOMAIN = 'go'

/** A raw Host header (port allowed) to the part of the installation that it names. */
export function parseHost(header: string, baseDomain: string): Host {
  const name = header.toLowerCase().replace(/:\d+$/, '')
  if (name === baseDomain) return { kind: 'base' }
  if (name.endsWith(`.${baseDomain}`)) {
    const label = name.slice(0, -baseDomain.length - 1)
    if (label === STUDENT_SUBDOMAIN) return { kind: 'go' }
    return /^[a-z0-9-]{1,63}$/.test(label) ? { kind: 'school', subdomain: label } : { kind: 'unknown' }
  }
  return name === 'localhost' || name === '[::1]' || /^[\d.]+$/.test(name) ? { kind: 'machine' } : { kind: 'unknown' }
}

/** The label that the session is opened for: a school's subdomain, `go`, or nothing on the base domain. */
export function labelOf(host: Host): string {
  if (host.kind === 'school') return host.subdomain
  return host.kind === 'go' ? STUDENT_SUBDOMAIN : ''
}

/**
 * Where a signed-in visit belongs: null to stay, otherwise the subdomain and path to go to.
 * Staff work on their school's subdomain, students on `go`; public pages are the same everywhere.
 */
export function rightPlace(
  actor: Pick<Actor, 'accountType' | 'subdomain'>,
  host: Host,
  route: Route,
  here: string,
): { subdomain: string; path: string } | null {
  const subdomain = actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? STUDENT_SUBDOMAIN : actor.subdomain
  if (labelOf(host) === subdomain) return null
  if (route.roles === 'public') return null
  return { subdomain, path: host.kind === 'base' && here === '/' ? homePath(actor) : here }
}
