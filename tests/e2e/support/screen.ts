import type { Page } from '@playwright/test'
import { addressOf } from './address.ts'
import { STUDENT, staff } from './sign-in.ts'

/** A page of the product as somebody of the demo school sees it. */
export interface Screen {
  name: string
  host: string | null
  path: string
  /** Who looks; null for a visitor. */
  email: string | null
  /** The page itself is behind the first link on `path` that leads here: for pages with an id. */
  follow?: string
  /** And from there on to an address that no link on `path` has. */
  turn?: (href: string) => string
}

const visitor = (name: string, path: string, host: string | null = null): Screen => ({ name, host, path, email: null })
const owner = (name: string, path: string, follow?: string): Screen => seen(name, 'demo', path, staff('owner'), follow)
/** A page of a course that has students. */
const taught = (name: string, turn: (course: string) => string): Screen => ({
  ...owner(name, '/courses?status=published', '/course/edit/'),
  turn,
})
/** A tab of an event that is ahead. */
const planned = (name: string, tab: string): Screen => ({
  ...owner(name, '/workshops?status=upcoming', '/workshops/webinar/'),
  turn: (event) => `${event}?tab=${tab}`,
})
/** A tab of an auto-webinar. */
const repeated = (name: string, tab: string): Screen => ({
  ...owner(name, '/workshops?type=autoWebinar', '/workshops/auto-webinar/'),
  turn: (event) => `${event}?tab=${tab}`,
})
const student = (name: string, path: string, follow?: string): Screen => seen(name, 'go', path, STUDENT, follow)

export const SCREENS: readonly Screen[] = [
  visitor('landing', '/'),
  visitor('login', '/login'),
  visitor('register', '/register'),
  visitor('forgot-password', '/forgot-password'),
  visitor('reset-password', '/reset-password?token=none'),
  visitor('invite-accept', '/invite-accept'),
  visitor('registration', '/registration'),
  visitor('email-verify', '/email-verify'),
  visitor('error', '/500'),
  visitor('api', '/v1/docs'),
  visitor('not-found', '/nowhere'),
  visitor('unknown-school', '/', 'nobody-here'),
  visitor('styleguide', '/dev/styleguide'),
  visitor('outbox', '/dev/outbox'),
  visitor('live-trial', '/dev/broadcast'),
  visitor('live-trial-presenter', '/dev/broadcast?as=presenter'),
  owner('dashboard', '/'),
  owner('courses', '/courses'),
  owner('course-create', '/course/create'),
  owner('course-import', '/course/create?from=file'),
  owner('course-edit', '/courses', '/course/edit/'),
  owner('homework', '/homework'),
  owner('homework-desk', '/homework', '/homework/'),
  taught('course-settings', (course) => `${course}?tab=settings`),
  taught('course-trash', (course) => `${course}?tab=trash`),
  taught('course-students', (course) => `${course}?tab=students`),
  taught('course-numbers', (course) => `${course}?tab=numbers`),
  taught('course-roadmap', (course) => `${course}?tab=roadmap`),
  taught('course-access', (course) => `${course}?tab=access`),
  taught('course-access-groups', (course) => `${course}?tab=access&part=groups`),
  taught('course-access-changes', (course) => `${course}?tab=access&part=changes`),
  taught('course-preview', (course) => course.replace('/edit/', '/preview/')),
  owner('statistics', '/workshops/statistics'),
  owner('statistics-event', '/workshops/statistics', '/workshops/statistics/webinar/'),
  owner('workshops', '/workshops'),
  repeated('auto-webinar-script', 'script'),
  repeated('auto-webinar-schedule', 'schedule'),
  repeated('auto-webinar-recording', 'recording'),
  owner('workshop-create', '/workshops/webinar'),
  owner('auto-webinar-create', '/workshops/auto-webinar'),
  owner('masterclass-create', '/workshops/masterclass'),
  owner('masterclass-edit', '/workshops?type=masterclass', '/workshops/masterclass/'),
  {
    ...owner('masterclass', '/workshops?type=masterclass', '/workshops/masterclass/'),
    turn: (event) => event.replace('/workshops/', '/'),
  },
  owner('workshop-edit', '/workshops?publication=published', '/workshops/webinar/'),
  planned('workshop-speakers', 'speakers'),
  planned('workshop-slides', 'slides'),
  planned('workshop-materials', 'materials'),
  planned('workshop-chat', 'chat'),
  planned('workshop-recording', 'recording'),
  planned('workshop-settings', 'settings'),
  planned('workshop-people', 'people'),
  planned('workshop-letters', 'letters'),
  {
    ...owner('workshop-register', '/workshops?status=upcoming', '/workshops/webinar/'),
    turn: (event) => event.replace('/webinar/', '/register/'),
  },
  owner('storage', '/storage'),
  owner('storage-folder', '/storage', '/storage?folder='),
  owner('storage-trash', '/storage?trash=1'),
  owner('profile', '/profile'),
  seen('mentor-dashboard', 'demo', '/', staff('mentor')),
  student('student-profile', '/profile'),
  student('student-courses', '/courses'),
  student('student-course', '/courses', '/course/view/'),
  owner('room', '/workshops?status=upcoming', '/meeting/join/'),
  {
    ...owner('meeting-finished', '/workshops/statistics', '/workshops/statistics/webinar/'),
    turn: (event) => `/meeting/finished?id=${/[0-9a-f-]{36}/.exec(event)?.[0]}`,
  },
  student('student-workshops', '/workshops'),
  student('student-lesson', '/profile', '/course/lesson/'),
]

/** Opens a screen. Throws when a link that should lead there is missing. */
export async function open(page: Page, screen: Screen): Promise<void> {
  await page.goto(addressOf(screen.host, screen.path), { waitUntil: 'load' })
  if (!screen.follow) return
  const link = page.locator(`a[href*="${screen.follow}"]`).first()
  const href = (await link.count()) > 0 ? await link.getAttribute('href') : null
  if (!href) throw new Error(`no link to ${screen.follow} on ${page.url()}`)
  const address = screen.turn ? screen.turn(href) : href
  await page.goto(new URL(address, page.url()).href, { waitUntil: 'load' })
}

function seen(name: string, host: string, path: string, email: string, follow?: string): Screen {
  return { name, host, path, email, ...(follow ? { follow } : {}) }
}
