import { dictionary } from '../shared/dictionary.ts'
import type { PlanGroup, Role } from '../shared/role.ts'
import type { LayoutName } from '../shared/shell-view.ts'

export interface Route {
  /** `{name}` stands for one path segment. */
  pattern: string
  layout: LayoutName
  /** Who may see it: everybody, anybody signed in, or these roles. */
  roles: 'public' | 'any' | readonly Role[]
  /** The plan group that staff need; any one of several. */
  groups: readonly PlanGroup[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const
const COURSE_STAFF = [...CONTENT, 'CURATOR'] as const
const MENTORS = [...CONTENT, 'MENTOR'] as const
const PRESENTERS = [...CONTENT, 'PRESENTER'] as const
const MANAGERS = ['OWNER', 'DIRECTOR'] as const
const STUDENT = ['STUDENT'] as const
const STAFF = [...CONTENT, 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER'] as const

const LMS = ['lms'] as const
const WORKSHOP = ['workshop'] as const
const EITHER = ['lms', 'workshop'] as const
const NO_PLAN = [] as const

/** The specification's route table (section 2), complete; where it is silent, product.md "Settled" decides. */
export const ROUTES: readonly Route[] = [
  open('/login'),
  open('/register'),
  open('/email-verify'),
  open('/registration'),
  open('/invite-accept'),
  open('/forgot-password'),
  open('/reset-password'),
  open('/workshops/register/{id}'),
  open('/meeting/join/{id}'),

  open('/roadmap/{id}', 'roadMap'),
  open('/masterclass/{id}', 'masterclass'),
  open('/meeting/finished', 'empty'),
  open('/meeting/limit', 'empty'),
  open('/500', 'empty'),
  open('/404', 'empty'),

  cabinet('/', STAFF, NO_PLAN),
  cabinet('/mentoring', [...MENTORS, 'STUDENT'], LMS),
  cabinet('/mentoring/program', CONTENT, LMS),
  cabinet('/mentoring/program/{id}', MENTORS, LMS),
  cabinet('/mentoring/program/booking/{id}', STUDENT, NO_PLAN),
  cabinet('/workshops', [...PRESENTERS, 'MODERATOR', 'STUDENT'], WORKSHOP),
  cabinet('/workshops/webinar', CONTENT, WORKSHOP),
  cabinet('/workshops/webinar/{id}', PRESENTERS, WORKSHOP),
  cabinet('/workshops/auto-webinar', CONTENT, WORKSHOP),
  cabinet('/workshops/auto-webinar/{id}', PRESENTERS, WORKSHOP),
  cabinet('/workshops/masterclass', CONTENT, WORKSHOP),
  cabinet('/workshops/masterclass/{id}', PRESENTERS, WORKSHOP),
  cabinet('/workshops/statistics', CONTENT, WORKSHOP),
  cabinet('/workshops/statistics/{type}/{id}', CONTENT, WORKSHOP),
  cabinet('/homework', COURSE_STAFF, LMS),
  cabinet('/homework/{id}', COURSE_STAFF, LMS),
  cabinet('/test/{id}', STUDENT, NO_PLAN),
  cabinet('/test/{testId}/{studentId}', COURSE_STAFF, LMS),
  cabinet('/test/{id}/questions', STUDENT, NO_PLAN),
  cabinet('/test/{id}/result', [...COURSE_STAFF, 'STUDENT'], LMS),
  cabinet('/courses', [...COURSE_STAFF, 'STUDENT'], LMS),
  cabinet('/course/create', CONTENT, LMS),
  cabinet('/course/edit/{id}', COURSE_STAFF, LMS),
  cabinet('/course/view/{id}', STUDENT, NO_PLAN),
  { pattern: '/course/preview/{id}', layout: 'studentPreview', roles: COURSE_STAFF, groups: LMS },
  cabinet('/course/lesson/{id}', STUDENT, NO_PLAN),
  cabinet('/course/{courseId}/offer', CONTENT, LMS),
  cabinet('/course/{courseId}/offer/{offerId}', CONTENT, LMS),
  cabinet('/students', MANAGERS, LMS),
  cabinet('/student/{id}', MANAGERS, LMS),
  cabinet('/group/{id}', CONTENT, LMS),
  cabinet('/team', MANAGERS, EITHER),
  cabinet('/schedule', [...STAFF, 'STUDENT'], EITHER),
  cabinet('/storage', CONTENT, EITHER),
  cabinet('/chat', [...COURSE_STAFF, 'PRESENTER', 'MODERATOR', 'MENTOR', 'STUDENT'], LMS),
  cabinet('/profile', 'any', NO_PLAN),
]

/** Routes that are referred to by name. */
export const ALIASES = dictionary({ error: '/500' })

/** The row of the table for a path without query, or null. Fixed segments win over `{name}`. */
export function findRoute(pathname: string): Route | null {
  const segments = split(pathname)
  let best: { route: Route; fixed: number } | null = null
  for (const { route, parts } of PARSED) {
    if (parts.length !== segments.length) continue
    if (!parts.every((part, index) => part === null || part === segments[index])) continue
    const fixed = parts.filter((part) => part !== null).length
    if (!best || fixed > best.fixed) best = { route, fixed }
  }
  return best?.route ?? null
}

const PARSED = ROUTES.map((route) => ({
  route,
  parts: split(route.pattern).map((part) => (part.startsWith('{') ? null : part)),
}))

function split(pathname: string): string[] {
  return pathname.split('/').filter(Boolean)
}

function open(pattern: string, layout: LayoutName = 'login'): Route {
  return { pattern, layout, roles: 'public', groups: NO_PLAN }
}

function cabinet(pattern: string, roles: Route['roles'], groups: readonly PlanGroup[]): Route {
  return { pattern, layout: 'cabinet', roles, groups }
}
