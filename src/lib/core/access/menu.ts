import type { Actor } from '../shared/actor.ts'
import { hasRole } from '../shared/role.ts'
import type { ShellIcon } from '../shared/shell-view.ts'
import { findRoute } from './routes.ts'

export interface MenuRow {
  /** Its label is `shell:nav.<key>`. */
  key:
    | 'dashboard'
    | 'study'
    | 'courses'
    | 'homework'
    | 'mentoring'
    | 'students'
    | 'orders'
    | 'workshops'
    | 'inbox'
    | 'automations'
    | 'chat'
    | 'schedule'
    | 'storage'
    | 'team'
    | 'billing'
    | 'profile'
  icon: ShellIcon
  href: string
  /** Shown to this group only, where a page has different labels for students and staff. */
  audience?: 'student' | 'staff'
}

export type MenuGroupKey = 'home' | 'learning' | 'events' | 'talk' | 'school'

/** The page on which the owner renews a plan; the notice about an inactive one links to it. */
export const BILLING_PAGE = '/billing'

/** The cabinet's menu: a module adds a row when its page exists. The group without a label comes first. */
export const MENU: readonly { key: MenuGroupKey; rows: readonly MenuRow[] }[] = [
  {
    key: 'home',
    rows: [
      { key: 'dashboard', icon: 'dashboard', href: '/' },
      { key: 'study', icon: 'dashboard', href: '/profile', audience: 'student' },
    ],
  },
  {
    key: 'learning',
    rows: [
      { key: 'courses', icon: 'courses', href: '/courses' },
      { key: 'homework', icon: 'homework', href: '/homework' },
      { key: 'mentoring', icon: 'mentoring', href: '/mentoring' },
      { key: 'students', icon: 'students', href: '/students' },
      { key: 'orders', icon: 'billing', href: '/orders' },
    ],
  },
  {
    key: 'events',
    rows: [
      { key: 'workshops', icon: 'workshops', href: '/workshops' },
      { key: 'schedule', icon: 'schedule', href: '/schedule' },
    ],
  },
  {
    key: 'talk',
    rows: [
      { key: 'inbox', icon: 'inbox', href: '/inbox' },
      { key: 'chat', icon: 'chat', href: '/chat' },
      { key: 'automations', icon: 'automations', href: '/automations' },
    ],
  },
  {
    key: 'school',
    rows: [
      { key: 'storage', icon: 'storage', href: '/storage' },
      { key: 'team', icon: 'team', href: '/team' },
      { key: 'billing', icon: 'billing', href: BILLING_PAGE },
      { key: 'profile', icon: 'profile', href: '/profile', audience: 'staff' },
    ],
  },
]

/** The entries of the create menu in the top bar. */
export const CREATE: readonly { key: 'course' | 'webinar'; icon: ShellIcon; href: string }[] = [
  { key: 'course', icon: 'courses', href: '/course/create' },
  { key: 'webinar', icon: 'workshops', href: '/workshops/webinar' },
]

/** The procedures that the frame of the cabinet posts to. */
export const SHELL_ACTIONS = {
  signOut: '/v1/module/user/logout',
  switchMembership: '/v1/module/user/switchMembership',
} as const

/** Whether an actor may upload: to the storage, homework as a student, or files of feedback as a curator. */
export function canUpload(actor: Pick<Actor, 'roles' | 'accountType' | 'plans'>): boolean {
  return canOpenPage(actor, '/storage') || hasRole(actor, ['STUDENT', 'CURATOR'])
}

/** Whether an actor sees the menu row of a page: its roles allow the page and the tenant has the plan group. */
export function canOpenPage(actor: Pick<Actor, 'roles' | 'accountType' | 'plans'>, href: string): boolean {
  const route = findRoute(href)
  if (!route || route.roles === 'public') return false
  if (route.roles !== 'any' && !hasRole(actor, route.roles)) return false
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT' || route.groups.length === 0) return true
  return actor.plans.some((plan) => plan.state === 'current' && route.groups.includes(plan.group))
}
