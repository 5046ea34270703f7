import type { Actor } from '../shared/actor.ts'
import { isPlanActive } from '../shared/plan.ts'
import { hasRole, type PlanGroup } from '../shared/role.ts'
import type { Route } from './routes.ts'

export type Notice = { kind: 'plan_inactive'; group: PlanGroup }
export type Passage = { go: 'on'; notice?: Notice } | { go: 'to'; path: string }

/** The part of an actor that decides about pages. */
export type Visitor = Pick<Actor, 'accountType' | 'roles' | 'plans'>

/**
 * Decides who sees a page: on (perhaps with the billing notice) or to another path of the same host.
 * `here` is path and query of the visit; the browser itself carries the hash over a redirect.
 */
export function gate(actor: Visitor | null, route: Route, now: Date, here: string = route.pattern): Passage {
  if (route.roles === 'public') return { go: 'on' }
  if (!actor) return { go: 'to', path: `/login?return=${encodeURIComponent(here)}` }
  if (route.roles !== 'any' && !hasRole(actor, route.roles)) return { go: 'to', path: homePath(actor) }
  const lapsed = lapsedGroup(actor, route, now)
  return lapsed ? { go: 'on', notice: { kind: 'plan_inactive', group: lapsed } } : { go: 'on' }
}

/** Where a person lands without another wish. */
export function homePath(actor: Pick<Actor, 'accountType'>): string {
  return actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? '/profile' : '/'
}

function lapsedGroup(actor: Visitor, route: Route, now: Date): PlanGroup | null {
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT') return null
  const [first] = route.groups
  if (!first || route.groups.some((group) => isPlanActive(actor.plans, group, now))) return null
  return first
}
