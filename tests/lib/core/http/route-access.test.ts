import { describe, expect, test } from 'vitest'
import { checkRouteAccess, type Visitor } from '#lib/core/access/route-access.ts'
import { ALIASES, findRoute, ROUTES, type Route } from '#lib/core/access/routes.ts'
import { type PlanGroup, ROLES, type Role } from '#lib/core/shared/role.ts'

// The table of the specification, verbatim: route | roles | plan group.
const SPECIFIED = `
/ | owner, director, expert, curator, presenter, moderator, mentor, member | none
/mentoring | owner, director, expert, mentor, student | lms
/mentoring/program/ | owner, director, expert | lms
/mentoring/program/{id} | owner, director, expert, mentor | lms
/mentoring/program/booking/{id} | student | not shown
/workshops | owner, director, expert, presenter, moderator, student | workshop
/workshops/webinar | owner, director, expert | workshop
/workshops/webinar/{id} | owner, director, expert, presenter | workshop
/workshops/auto-webinar | owner, director, expert | workshop
/workshops/auto-webinar/{id} | owner, director, expert, presenter | workshop
/workshops/masterclass | owner, director, expert | workshop
/workshops/masterclass/{id} | owner, director, expert, presenter | workshop
/workshops/statistics | owner, director, expert | workshop
/workshops/statistics/{type}/{id} | owner, director, expert | workshop
/homework | owner, director, expert, curator | lms
/homework/{id} | owner, director, expert, curator | lms
/test/{id} | student | not shown
/test/{testId}/{studentId} | owner, director, expert, curator | lms for staff
/test/{id}/questions | student | not shown
/test/{id}/result | student, owner, director, expert, curator | lms for staff
/courses | owner, director, expert, curator, student | lms
/course/create | owner, director, expert | lms for staff
/course/edit/{id} | owner, director, expert, curator | lms for staff
/course/view/{id} | student | not shown
/course/preview/{id} | owner, director, expert, curator | lms for staff
/course/lesson/{id} | student | not shown
/course/{courseId}/offer | owner, director, expert | lms for staff
/course/{courseId}/offer/{offerId} | owner, director, expert | lms for staff
/students | owner, director | lms
/student/{id} | owner, director | lms
/group/{id} | owner, director, expert | lms
/team | owner, director | lms or workshop
/schedule | all | lms or workshop
/storage | owner, director, expert | lms or workshop
/chat | owner, director, expert, curator, presenter, moderator, mentor, student | lms
/profile | all | none`
// Routes that the specification does not have, in the same form: decisions 267, 275, 278, 302, 304 and 315.
const ADDED = `
/orders | owner, director, expert | lms
/orders/{id} | owner, director, expert | lms
/orders/report | owner, director, expert | lms
/orders/statement | owner, director | lms
/billing | owner | none
/inbox | owner, director, expert, curator, mentor | lms
/automations | owner, director | lms
/automations/{id} | owner, director | lms
/notifications | all | none
/notifications/settings | all | none`
const PUBLIC =
  '/login /register /email-verify /registration /invite-accept /forgot-password /reset-password /workshops/register/{id} /meeting/join/{id} /roadmap/{id} /masterclass/{id} /c/{id} /course/{id} /course/{courseId}/lesson/{lessonId} /checkout/{id} /order/{id} /unsubscribe/{token} /payment/{reference} /payment/sandbox/{reference} /ical/{token} /meeting/finished /meeting/limit /500 /404'

const NOW = new Date('2026-11-21T12:00:00Z')
const FUTURE = '2026-12-21T12:00:00Z'
// The days of grace have ended a second ago.
const PAST = '2026-11-14T11:59:59Z'

const rows = (SPECIFIED + ADDED)
  .trim()
  .split('\n')
  .map((line) => {
    const [path = '', roles = '', groups = ''] = line.split('|').map((cell) => cell.trim())
    const allowed = roles === 'all' ? [...ROLES] : roles.split(', ').map((role) => role.toUpperCase() as Role)
    const needed = (['lms', 'workshop'] as const).filter((group) => groups.includes(group))
    return { path, allowed, needed }
  })

function person(role: Role, active: readonly PlanGroup[]): Visitor {
  const group = (name: PlanGroup) => ({
    group: name,
    state: 'current' as const,
    plan: 'pro' as const,
    period: 'month' as const,
    nextPayment: active.includes(name) ? FUTURE : PAST,
    trialEndsAt: null,
  })
  const accountType = role === 'STUDENT' ? 'ACCOUNT_TYPE_STUDENT' : 'ACCOUNT_TYPE_TEAM_MEMBER'
  return { accountType, roles: [role], plans: [group('lms'), group('workshop')] }
}

function routeOf(pattern: string): Route {
  const path = pattern.replace(/\{\w+\}/g, 'abc')
  const route = findRoute(path)
  if (!route) throw new Error(`no route for ${path}`)
  return route
}

const PLAN_STATES: PlanGroup[][] = [[], ['lms'], ['workshop'], ['lms', 'workshop']]

describe('the route guard', () => {
  test('knows exactly the routes of the specification and of decisions 267, 275, 278, 302 and 304', () => {
    const specified = [...rows.map((row) => row.path.replace(/(.)\/$/, '$1')), ...PUBLIC.split(' ')]
    expect(ROUTES.map((route) => route.pattern).toSorted()).toEqual(specified.toSorted())
  })

  describe.each(rows)('$path', ({ path, allowed, needed }) => {
    test.each(ROLES)('decides for %s in every plan state', (role) => {
      for (const active of PLAN_STATES) {
        const passage = checkRouteAccess(person(role, active), routeOf(path), NOW)
        const lapsed = role !== 'STUDENT' && needed.length > 0 && !needed.some((group) => active.includes(group))
        if (!allowed.includes(role))
          expect(passage).toEqual({ kind: 'redirect', path: role === 'STUDENT' ? '/profile' : '/' })
        else if (lapsed) expect(passage).toEqual({ kind: 'allow', notice: { kind: 'plan_inactive', group: needed[0] } })
        else expect(passage).toEqual({ kind: 'allow' })
      }
    })

    test('redirects an anonymous visitor to sign in and back with path and query', () => {
      const here = `${path}?tab=2&q=ї`
      const back = `/login?return=${encodeURIComponent(here)}`
      expect(checkRouteAccess(null, routeOf(path), NOW, here)).toEqual({ kind: 'redirect', path: back })
    })
  })

  test.each(PUBLIC.split(' '))('admits everybody to %s', (path) => {
    for (const visitor of [null, ...ROLES.map((role) => person(role, []))]) {
      expect(checkRouteAccess(visitor, routeOf(path), NOW)).toEqual({ kind: 'allow' })
    }
  })

  test('grants several roles the union of their routes', () => {
    const both = { ...person('CURATOR', ['lms', 'workshop']), roles: ['CURATOR', 'PRESENTER'] as Role[] }
    expect(checkRouteAccess(both, routeOf('/homework'), NOW).kind).toBe('allow')
    expect(checkRouteAccess(both, routeOf('/workshops'), NOW).kind).toBe('allow')
    expect(checkRouteAccess(both, routeOf('/team'), NOW)).toEqual({ kind: 'redirect', path: '/' })
  })

  test('treats a plan without a next payment, and a pending one, as inactive', () => {
    const owner = person('OWNER', ['lms', 'workshop'])
    const unpaid = { ...owner, plans: owner.plans.map((plan) => ({ ...plan, nextPayment: null })) }
    const pending = { ...owner, plans: owner.plans.map((plan) => ({ ...plan, state: 'pending' as const })) }
    for (const visitor of [unpaid, pending, { ...owner, plans: [] }]) {
      expect(checkRouteAccess(visitor, routeOf('/courses'), NOW)).toHaveProperty('notice')
    }
  })

  test('prefers fixed segments, accepts a trailing slash, and knows the alias of the error page', () => {
    expect(findRoute('/mentoring/program/')?.pattern).toBe('/mentoring/program')
    expect(findRoute('/test/5/questions')?.pattern).toBe('/test/{id}/questions')
    expect(findRoute('/test/5/6')?.pattern).toBe('/test/{testId}/{studentId}')
    expect(findRoute('/course/lesson/7')?.pattern).toBe('/course/lesson/{id}')
    expect(findRoute('/course/7/offer')?.pattern).toBe('/course/{courseId}/offer')
    expect(findRoute('/nowhere')).toBeNull()
    expect(ALIASES.error).toBe('/500')
  })
})
