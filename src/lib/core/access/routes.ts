import type { Actor } from '../shared/actor.ts'
import { dictionary } from '../shared/dictionary.ts'
import type { PlanGroup, Role } from '../shared/role.ts'
import type { LayoutName } from '../shared/shell-view.ts'
import { MAX_FORM_WITH_FILE_BYTES } from '../shared/stored-file.ts'

export interface Route {
  /** `{name}` matches one path segment. */
  pattern: string
  layout: LayoutName
  /** Who may open it: everybody, every signed-in user, or these roles. */
  roles: 'public' | 'any' | readonly Role[]
  /** The plan groups that staff need: one of them is enough. */
  groups: readonly PlanGroup[]
  /** A signed-in actor is redirected to the start page. */
  signedOutOnly?: true
  /** The page is served on the custom domain of a school too. */
  onCustomDomain?: true
  /** A form that is posted after the login session has ended is kept through the sign-in. */
  keepsUnsentForm?: true
  /** The maximum size of a posted form in bytes, for pages with a file field. */
  maxBodyBytes?: number
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

/**
 * The specification's route table (section 2), complete; routes that it does not specify follow product.md "Settled".
 */
export const ROUTES: readonly Route[] = [
  { ...publicRoute('/login'), signedOutOnly: true },
  { ...publicRoute('/register'), signedOutOnly: true },
  publicRoute('/email-verify'),
  publicRoute('/registration'),
  publicRoute('/invite-accept'),
  publicRoute('/forgot-password'),
  publicRoute('/reset-password'),
  { ...publicRoute('/workshops/register/{id}'), onCustomDomain: true },
  publicRoute('/meeting/join/{id}'),

  { ...publicRoute('/roadmap/{id}', 'roadMap'), onCustomDomain: true },
  { ...publicRoute('/masterclass/{id}', 'masterclass'), onCustomDomain: true },
  { ...publicRoute('/c/{id}', 'roadMap'), onCustomDomain: true },
  { ...publicRoute('/payment/{reference}', 'empty'), onCustomDomain: true },
  { ...publicRoute('/payment/sandbox/{reference}', 'empty'), onCustomDomain: true },
  { ...publicRoute('/course/{id}', 'roadMap'), onCustomDomain: true },
  { ...publicRoute('/course/{courseId}/lesson/{lessonId}', 'roadMap'), onCustomDomain: true },
  { ...publicRoute('/checkout/{id}'), onCustomDomain: true },
  { ...publicRoute('/order/{id}'), onCustomDomain: true },
  { ...publicRoute('/unsubscribe/{token}'), onCustomDomain: true },
  publicRoute('/ical/{token}', 'empty'),
  publicRoute('/meeting/finished', 'empty'),
  publicRoute('/meeting/limit', 'empty'),
  { ...publicRoute('/500', 'empty'), onCustomDomain: true },
  { ...publicRoute('/404', 'empty'), onCustomDomain: true },

  cabinetRoute('/', STAFF, NO_PLAN),
  { ...cabinetRoute('/mentoring', [...MENTORS, 'STUDENT'], LMS), maxBodyBytes: MAX_FORM_WITH_FILE_BYTES },
  cabinetRoute('/mentoring/program', CONTENT, LMS),
  cabinetRoute('/mentoring/program/{id}', MENTORS, LMS),
  cabinetRoute('/mentoring/program/booking/{id}', STUDENT, NO_PLAN),
  cabinetRoute('/workshops', [...PRESENTERS, 'MODERATOR', 'STUDENT'], WORKSHOP),
  cabinetRoute('/workshops/webinar', CONTENT, WORKSHOP),
  cabinetRoute('/workshops/webinar/{id}', PRESENTERS, WORKSHOP),
  cabinetRoute('/workshops/auto-webinar', CONTENT, WORKSHOP),
  cabinetRoute('/workshops/auto-webinar/{id}', PRESENTERS, WORKSHOP),
  cabinetRoute('/workshops/masterclass', CONTENT, WORKSHOP),
  cabinetRoute('/workshops/masterclass/{id}', PRESENTERS, WORKSHOP),
  cabinetRoute('/workshops/statistics', CONTENT, WORKSHOP),
  cabinetRoute('/workshops/statistics/{type}/{id}', CONTENT, WORKSHOP),
  cabinetRoute('/homework', COURSE_STAFF, LMS),
  cabinetRoute('/homework/{id}', COURSE_STAFF, LMS),
  cabinetRoute('/test/{id}', STUDENT, NO_PLAN),
  cabinetRoute('/test/{testId}/{studentId}', COURSE_STAFF, LMS),
  {
    ...cabinetRoute('/test/{id}/questions', STUDENT, NO_PLAN),
    maxBodyBytes: MAX_FORM_WITH_FILE_BYTES,
    keepsUnsentForm: true,
  },
  cabinetRoute('/test/{id}/result', [...COURSE_STAFF, 'STUDENT'], LMS),
  { ...cabinetRoute('/courses', [...COURSE_STAFF, 'STUDENT'], LMS), maxBodyBytes: MAX_FORM_WITH_FILE_BYTES },
  cabinetRoute('/course/create', CONTENT, LMS),
  { ...cabinetRoute('/course/edit/{id}', COURSE_STAFF, LMS), maxBodyBytes: MAX_FORM_WITH_FILE_BYTES },
  cabinetRoute('/course/view/{id}', STUDENT, NO_PLAN),
  { pattern: '/course/preview/{id}', layout: 'studentPreview', roles: COURSE_STAFF, groups: LMS },
  cabinetRoute('/course/lesson/{id}', STUDENT, NO_PLAN),
  cabinetRoute('/course/{courseId}/offer', CONTENT, LMS),
  cabinetRoute('/course/{courseId}/offer/{offerId}', CONTENT, LMS),
  cabinetRoute('/orders', CONTENT, LMS),
  cabinetRoute('/orders/report', CONTENT, LMS),
  { ...cabinetRoute('/orders/statement', MANAGERS, LMS), maxBodyBytes: MAX_FORM_WITH_FILE_BYTES },
  cabinetRoute('/orders/{id}', CONTENT, LMS),
  { ...cabinetRoute('/students', MANAGERS, LMS), maxBodyBytes: MAX_FORM_WITH_FILE_BYTES },
  cabinetRoute('/student/{id}', MANAGERS, LMS),
  cabinetRoute('/group/{id}', CONTENT, LMS),
  cabinetRoute('/team', MANAGERS, EITHER),
  cabinetRoute('/schedule', [...STAFF, 'STUDENT'], EITHER),
  cabinetRoute('/storage', CONTENT, EITHER),
  cabinetRoute('/chat', [...COURSE_STAFF, 'PRESENTER', 'MODERATOR', 'MENTOR', 'STUDENT'], LMS),
  cabinetRoute('/inbox', [...COURSE_STAFF, 'MENTOR'], LMS),
  cabinetRoute('/automations', MANAGERS, LMS),
  cabinetRoute('/automations/{id}', MANAGERS, LMS),
  cabinetRoute('/billing', ['OWNER'], NO_PLAN),
  cabinetRoute('/notifications', 'any', NO_PLAN),
  cabinetRoute('/notifications/settings', 'any', NO_PLAN),
  cabinetRoute('/profile', 'any', NO_PLAN),
]

/** Routes that are referred to by name. */
export const ALIASES = dictionary({ error: '/500' })

/** The page to which a visitor without a login session is redirected. */
export const SIGN_IN_PAGE = '/login'

/** The path of an actor's start page. */
export function homePath(actor: Pick<Actor, 'accountType'>): string {
  return actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? '/profile' : '/'
}

/** The row of the table for a path without query, or null. Fixed segments take precedence over `{name}`. */
export function findRoute(pathname: string): Route | null {
  const segments = splitPath(pathname)
  let best: { route: Route; fixedCount: number } | null = null
  for (const { route, parts } of PARSED) {
    if (parts.length !== segments.length) continue
    if (!parts.every((part, index) => part === null || part === segments[index])) continue
    const fixedCount = parts.filter((part) => part !== null).length
    if (!best || fixedCount > best.fixedCount) best = { route, fixedCount }
  }
  return best?.route ?? null
}

const PARSED = ROUTES.map((route) => ({
  route,
  parts: splitPath(route.pattern).map((part) => (part.startsWith('{') ? null : part)),
}))

function splitPath(pathname: string): string[] {
  return pathname.split('/').filter(Boolean)
}

function publicRoute(pattern: string, layout: LayoutName = 'login'): Route {
  return { pattern, layout, roles: 'public', groups: NO_PLAN }
}

function cabinetRoute(pattern: string, roles: Route['roles'], groups: readonly PlanGroup[]): Route {
  return { pattern, layout: 'cabinet', roles, groups }
}
