import type { Actor } from '../shared/actor.ts'
import { graceEndOf, isPastDue, isPlanActive } from '../shared/plan.ts'
import { hasRole, type PlanGroup } from '../shared/role.ts'
import { homePath, type Route, SIGN_IN_PAGE } from './routes.ts'

/** `src/env.d.ts` names it. */
export type PlanNotice =
  | { kind: 'plan_inactive'; group: PlanGroup }
  /** Everything works until this instant. */
  | { kind: 'plan_past_due'; group: PlanGroup; until: Date }
export type RouteDecision = { kind: 'allow'; notice?: PlanNotice } | { kind: 'redirect'; path: string }

/** The fields of an actor that decide which pages it may open. */
export type Visitor = Pick<Actor, 'accountType' | 'roles' | 'plans'>

/**
 * Decides whether a visitor may open a page: allows it (perhaps with the billing notice) or redirects to another path
 * of the same host. `target` is path and query of the request; the browser keeps the hash when it follows a redirect.
 */
export function checkRouteAccess(
  actor: Visitor | null,
  route: Route,
  now: Date,
  target: string = route.pattern,
): RouteDecision {
  if (route.roles === 'public') return { kind: 'allow' }
  if (!actor) return { kind: 'redirect', path: `${SIGN_IN_PAGE}?return=${encodeURIComponent(target)}` }
  if (route.roles !== 'any' && !hasRole(actor, route.roles)) return { kind: 'redirect', path: homePath(actor) }
  const inactiveGroup = findInactiveGroup(actor, route, now)
  return inactiveGroup ? { kind: 'allow', notice: noticeOf(actor, inactiveGroup, route, now) } : { kind: 'allow' }
}

// One of the groups of the route is enough to change something.
function noticeOf(actor: Visitor, group: PlanGroup, { groups }: Route, now: Date): PlanNotice {
  const unpaid = actor.plans.find(
    (plan) => plan.state === 'current' && groups.includes(plan.group) && isPastDue(plan, now),
  )
  const until = unpaid && graceEndOf(unpaid)
  return until ? { kind: 'plan_past_due', group: unpaid.group, until } : { kind: 'plan_inactive', group }
}

function findInactiveGroup(actor: Visitor, route: Route, now: Date): PlanGroup | null {
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT') return null
  const [first] = route.groups
  if (!first || route.groups.some((group) => isPlanActive(actor.plans, group, now))) return null
  return first
}
