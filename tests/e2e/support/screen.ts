import type { Page } from '@playwright/test'
import { DomUtils, parseDocument } from 'htmlparser2'
import { addressOf } from './address.ts'
import { type Crawler, requestPage } from './crawl.ts'
import { STUDENT, staffEmail } from './sign-in.ts'

/** A page of the product as seen by a user of the demo school. */
export interface Screen {
  name: string
  host: string | null
  path: string
  /** Email of the signed-in user; null for a visitor. */
  email: string | null
  /** For pages with an id: the page is the first link on `path` that contains this text. */
  follow?: string
  /** Derives the page's address from that link. */
  changeAddress?: (href: string) => string
  /** The page is then the first link on that one that contains this text. */
  next?: string
}

const visitorScreen = (name: string, path: string, host: string | null = null): Screen => ({
  name,
  host,
  path,
  email: null,
})
const ownerScreen = (name: string, path: string, follow?: string): Screen =>
  createScreen(name, 'demo', path, staffEmail('owner'), follow)
/** A page of a course that has students. */
const courseScreen = (name: string, turn: (course: string) => string): Screen => ({
  ...ownerScreen(name, '/courses?status=published', '/course/edit/'),
  changeAddress: turn,
})
/** A page of the course of the demo school that is sold, or one that it leads to. */
const soldScreen = (name: string, turn: (course: string) => string, next?: string): Screen => ({
  ...ownerScreen(name, '/courses?q=Перший+вебінар&status=published', '/course/edit/'),
  changeAddress: turn,
  ...(next ? { next } : {}),
})
const publicCourse = (course: string) => course.replace('/edit/', '/')
/** A page of an order: ids begin with a digit, and other pages of orders do not. */
const orderScreen = (name: string, state: string, next?: string): Screen => ({
  ...ownerScreen(name, `/orders?state=${state}`, '/orders/0'),
  ...(next ? { next } : {}),
})
/** A tab of an upcoming event. */
const webinarScreen = (name: string, tab: string): Screen => ({
  ...ownerScreen(name, '/workshops?status=upcoming', '/workshops/webinar/'),
  changeAddress: (event) => `${event}?tab=${tab}`,
})
/** A tab of an automated webinar. */
const autoWebinarScreen = (name: string, tab: string): Screen => ({
  ...ownerScreen(name, '/workshops?type=autoWebinar', '/workshops/auto-webinar/'),
  changeAddress: (event) => `${event}?tab=${tab}`,
})
const studentScreen = (name: string, path: string, follow?: string): Screen =>
  createScreen(name, 'go', path, STUDENT, follow)

export const SCREENS: readonly Screen[] = [
  visitorScreen('landing', '/'),
  visitorScreen('login', '/login'),
  visitorScreen('register', '/register'),
  visitorScreen('forgot-password', '/forgot-password'),
  visitorScreen('reset-password', '/reset-password?token=none'),
  visitorScreen('invite-accept', '/invite-accept'),
  visitorScreen('registration', '/registration'),
  visitorScreen('email-verify', '/email-verify'),
  visitorScreen('error', '/500'),
  visitorScreen('api', '/v1/docs'),
  visitorScreen('api-module', '/v1/docs?module=user'),
  visitorScreen('not-found', '/nowhere'),
  visitorScreen('unknown-school', '/', 'nobody-here'),
  visitorScreen('styleguide', '/dev/styleguide'),
  visitorScreen('outbox', '/dev/outbox'),
  visitorScreen('live-trial', '/dev/broadcast'),
  visitorScreen('live-trial-presenter', '/dev/broadcast?as=presenter'),
  ownerScreen('dashboard', '/'),
  ownerScreen('courses', '/courses'),
  ownerScreen('billing', '/billing'),
  soldScreen('course-public', publicCourse),
  soldScreen('course-free-lesson', publicCourse, '/lesson/'),
  soldScreen('checkout', publicCourse, '/checkout/'),
  soldScreen('offers', (course) => `${course}?tab=offers`),
  soldScreen('offer-edit', (course) => `${course}?tab=offers`, '/offer/'),
  ownerScreen('orders', '/orders'),
  orderScreen('order-refunded', 'partially_refunded'),
  orderScreen('order-invoice', 'awaiting_payment'),
  orderScreen('order-of-buyer', 'active', '/order/'),
  ownerScreen('sales-report', '/orders/report'),
  ownerScreen('bank-statement', '/orders/statement'),
  ownerScreen('payment-settings', '/team?tab=payments'),
  ownerScreen('course-create', '/course/create'),
  ownerScreen('course-import', '/course/create?from=file'),
  ownerScreen('course-edit', '/courses', '/course/edit/'),
  ownerScreen('homework', '/homework'),
  ownerScreen('students', '/students'),
  ownerScreen('students-bulk', '/students?bulk=email&all=1'),
  ownerScreen('homework-desk', '/homework', '/homework/'),
  ownerScreen('test-review', '/homework?kind=test', '/test/'),
  courseScreen('course-settings', (course) => `${course}?tab=settings`),
  courseScreen('course-trash', (course) => `${course}?tab=trash`),
  courseScreen('course-students', (course) => `${course}?tab=students`),
  courseScreen('course-numbers', (course) => `${course}?tab=numbers`),
  courseScreen('course-roadmap', (course) => `${course}?tab=roadmap`),
  courseScreen('course-access', (course) => `${course}?tab=access`),
  courseScreen('course-groups', (course) => `${course}?tab=groups`),
  courseScreen('course-access-changes', (course) => `${course}?tab=access&part=changes`),
  courseScreen('course-preview', (course) => course.replace('/edit/', '/preview/')),
  ownerScreen('statistics', '/workshops/statistics'),
  ownerScreen('statistics-event', '/workshops/statistics', '/workshops/statistics/webinar/'),
  ownerScreen('workshops', '/workshops'),
  autoWebinarScreen('auto-webinar-script', 'script'),
  autoWebinarScreen('auto-webinar-schedule', 'schedule'),
  autoWebinarScreen('auto-webinar-recording', 'recording'),
  ownerScreen('workshop-create', '/workshops/webinar'),
  ownerScreen('auto-webinar-create', '/workshops/auto-webinar'),
  ownerScreen('masterclass-create', '/workshops/masterclass'),
  ownerScreen('masterclass-edit', '/workshops?type=masterclass', '/workshops/masterclass/'),
  {
    ...ownerScreen('masterclass', '/workshops?type=masterclass', '/workshops/masterclass/'),
    changeAddress: (event) => event.replace('/workshops/', '/'),
  },
  ownerScreen('workshop-edit', '/workshops?publication=published', '/workshops/webinar/'),
  webinarScreen('workshop-speakers', 'speakers'),
  webinarScreen('workshop-slides', 'slides'),
  webinarScreen('workshop-materials', 'materials'),
  webinarScreen('workshop-chat', 'chat'),
  webinarScreen('workshop-recording', 'recording'),
  webinarScreen('workshop-settings', 'settings'),
  webinarScreen('workshop-people', 'people'),
  webinarScreen('workshop-letters', 'emails'),
  {
    ...ownerScreen('workshop-register', '/workshops?status=upcoming', '/workshops/webinar/'),
    changeAddress: (event) => event.replace('/webinar/', '/register/'),
  },
  ownerScreen('team', '/team'),
  ownerScreen('team-log', '/team?tab=log'),
  ownerScreen('storage', '/storage'),
  ownerScreen('storage-folder', '/storage', '/storage?folder='),
  ownerScreen('storage-trash', '/storage?trash=1'),
  ownerScreen('profile', '/profile'),
  ownerScreen('schedule', '/schedule'),
  ownerScreen('schedule-month', '/schedule?view=month'),
  ownerScreen('schedule-day', '/schedule?view=day'),
  ownerScreen('schedule-agenda', '/schedule?view=agenda'),
  ownerScreen('chat', '/chat'),
  ownerScreen('chat-conversation', '/chat', '/chat?conversation='),
  ownerScreen('chat-new', '/chat?view=new'),
  ownerScreen('chat-settings', '/chat?view=settings'),
  ownerScreen('chat-reports', '/chat?view=reports'),
  ownerScreen('inbox', '/inbox'),
  ownerScreen('notifications', '/notifications'),
  ownerScreen('notification-settings', '/notifications/settings'),
  ownerScreen('automations', '/automations'),
  ownerScreen('automation', '/automations', '/automations/'),
  ownerScreen('mentoring', '/mentoring'),
  ownerScreen('mentoring-programs', '/mentoring?view=programs'),
  ownerScreen('mentoring-program', '/mentoring?view=programs', '/mentoring/program/'),
  ownerScreen('mentoring-program-create', '/mentoring/program'),
  ownerScreen('student-card', '/students', '/student/'),
  createScreen('mentor-dashboard', 'demo', '/', staffEmail('mentor')),
  createScreen('mentor-home', 'demo', '/mentoring', staffEmail('mentor')),
  studentScreen('student-profile', '/profile'),
  studentScreen('student-courses', '/courses'),
  studentScreen('student-course', '/courses', '/course/view/'),
  ownerScreen('room', '/workshops?status=upcoming', '/meeting/join/'),
  {
    ...ownerScreen('meeting-finished', '/workshops/statistics', '/workshops/statistics/webinar/'),
    changeAddress: (event) => `/meeting/finished?id=${/[0-9a-f-]{36}/.exec(event)?.[0]}`,
  },
  studentScreen('student-workshops', '/workshops'),
  studentScreen('student-lesson', '/profile', '/course/lesson/'),
  studentScreen('student-schedule', '/schedule'),
  studentScreen('student-chat', '/chat', '/chat?conversation='),
  studentScreen('student-mentoring', '/mentoring'),
  studentScreen('student-booking', '/mentoring', '/mentoring/program/booking/'),
  studentScreen('student-notifications', '/notifications'),
]

/** Opens a screen as the signed-in user of the page. Throws when the link to it is missing. */
export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.goto(await findScreenAddress(page, screen), { waitUntil: 'load' })
}

// The pages that lead to it are requested without a browser, which renders each for more than half a second.
async function findScreenAddress(page: Page, screen: Screen): Promise<string> {
  const start = addressOf(screen.host, screen.path)
  if (!screen.follow) return start
  const cookies = await page.context().cookies(start)
  const crawler = { name: screen.name, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  const target = await findLink(crawler, start, screen.follow, screen.changeAddress)
  return screen.next ? findLink(crawler, target, screen.next) : target
}

async function findLink(
  crawler: Crawler,
  address: string,
  text: string,
  changeAddress?: (href: string) => string,
): Promise<string> {
  const { body } = await requestPage(crawler, new URL(address))
  const hrefs = DomUtils.getElementsByTagName('a', parseDocument(body)).map(({ attribs }) => attribs.href ?? '')
  const href = hrefs.find((each) => each.includes(text))
  if (!href) throw new Error(`no link to ${text} on ${address}`)
  return new URL(changeAddress?.(href) ?? href, address).href
}

function createScreen(name: string, host: string, path: string, email: string, follow?: string): Screen {
  return { name, host, path, email, ...(follow ? { follow } : {}) }
}
