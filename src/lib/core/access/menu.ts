import type { Actor } from '../shared/actor.ts'
import { hasRole } from '../shared/role.ts'
import type { ShellIcon } from '../shared/shell-view.ts'
import { findRoute } from './routes.ts'

export interface MenuRow {
  /** Its words: `shell:nav.<key>`. */
  key: 'dashboard' | 'study' | 'courses' | 'homework' | 'workshops' | 'storage' | 'profile'
  icon: ShellIcon
  href: string
  /** Whose it is, where a page has other words for students than for staff. */
  whose?: 'student' | 'staff'
}

export type MenuGroupKey = 'home' | 'learning' | 'events' | 'talk' | 'school'

/** The cabinet's menu: a room adds its row when its page exists. The group without words comes first. */
export const MENU: readonly { key: MenuGroupKey; rows: readonly MenuRow[] }[] = [
  {
    key: 'home',
    rows: [
      { key: 'dashboard', icon: 'dashboard', href: '/' },
      { key: 'study', icon: 'dashboard', href: '/profile', whose: 'student' },
    ],
  },
  {
    key: 'learning',
    rows: [
      { key: 'courses', icon: 'courses', href: '/courses' },
      { key: 'homework', icon: 'homework', href: '/homework' },
    ],
  },
  { key: 'events', rows: [{ key: 'workshops', icon: 'workshops', href: '/workshops' }] },
  { key: 'talk', rows: [] },
  {
    key: 'school',
    rows: [
      { key: 'storage', icon: 'storage', href: '/storage' },
      { key: 'profile', icon: 'profile', href: '/profile', whose: 'staff' },
    ],
  },
]

/** What can be made from the top bar, by the page that makes it. */
export const CREATE: readonly { key: 'course' | 'webinar'; icon: ShellIcon; href: string }[] = [
  { key: 'course', icon: 'courses', href: '/course/create' },
  { key: 'webinar', icon: 'workshops', href: '/workshops/webinar' },
]

/** Whether a row is for this person: the role may see the page, and the school has the plan group at all. */
export function isFor(actor: Pick<Actor, 'roles' | 'accountType' | 'plans'>, href: string): boolean {
  const route = findRoute(href)
  if (!route || route.roles === 'public') return false
  if (route.roles !== 'any' && !hasRole(actor, route.roles)) return false
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT' || route.groups.length === 0) return true
  return actor.plans.some((plan) => plan.state === 'current' && route.groups.includes(plan.group))
}
