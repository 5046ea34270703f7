import { expect } from '@playwright/test'
import { sendRequest } from '../../setup/media/http-request.ts'
import { addressOf } from './address.ts'
import { type Crawler, crawlPages, createSentPage, requestPage, type SentPage } from './crawl.ts'
import { DEMO_PASSWORD, STAFF_ROLES, STUDENT, staffEmail } from './sign-in.ts'

const VISITOR = { name: 'visitor', cookie: 'locale=uk' }
const STAFF = STAFF_ROLES.map(staffEmail)
const PUBLIC = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=none',
  '/registration',
  '/invite-accept',
  '/email-verify',
  '/email-verify?token=none',
  '/meeting/finished',
  '/meeting/limit',
  '/404',
  '/500',
  '/nowhere',
  // Nobody has this payment; a checkout leads to others.
  `/payment/${'A'.repeat(43)}`,
  `/payment/sandbox/${'A'.repeat(43)}`,
  '/unsubscribe/none',
  '/500?message=forbidden',
  '/v1/docs',
  '/dev/outbox',
  '/dev/styleguide',
  '/dev/broadcast',
]

// The course of the demo school is used first: courses of other tests have no roadmap.
const STAFF_STARTS = ['/courses?q=Перший+вебінар&status=published', '/']

let crawled: Promise<SentPage[]> | undefined

/** Crawls the product once per process as a visitor, the demo student and a team member of each role. */
export const crawlEveryPage = (): Promise<SentPage[]> => (crawled ??= crawl())

async function crawl(): Promise<SentPage[]> {
  const people: Crawler[] = []
  for (const email of [...STAFF, STUDENT]) people.push(await signedIn(email))
  const strangers = [...PUBLIC.map((at) => addressOf(null, at)), addressOf('demo', '/login'), addressOf('nobody', '/')]
  const linked = await Promise.all([
    crawlPages(VISITOR, strangers),
    ...people.map((person) => {
      const starts = person.name === STUDENT ? [addressOf('go')] : STAFF_STARTS.map((path) => addressOf('demo', path))
      return crawlPages(person, starts)
    }),
  ])
  const pages = linked.flat()
  return [
    ...pages,
    ...(await behindTests(pages, people)),
    ...(await behindEvents(pages)),
    ...(await behindCheckouts(pages, people)),
    ...(await pagesOfSentEmails(people)),
    await fromElsewhere(),
  ]
}

async function signedIn(email: string): Promise<Crawler> {
  const body = { email, password: DEMO_PASSWORD }
  const { hostname, port, origin } = new URL(addressOf(null))
  const { cookies } = await sendRequest(Number(port), hostname, '/v1/module/user/login', { body, headers: { origin } })
  return { name: email, cookie: `${VISITOR.cookie}; token=${cookies.token}` }
}

/** Event pages of a visitor: forms, also submitted empty, the pages after them, and the finished page. */
async function behindEvents(pages: readonly SentPage[]): Promise<SentPage[]> {
  const invitations = pages.flatMap(({ html }) => html.match(/\/workshops\/register\/[0-9a-f-]{36}/g) ?? [])
  const events = [...new Set(invitations)].map((path) => addressOf('demo', path))
  const states = ['confirmed', 'pending', 'waitlisted'].map((state) => `${events[0]}?sent=${state}`)
  const rooms = events.map((address) => address.replace('/workshops/register/', '/meeting/join/'))
  return crawlPages(VISITOR, [...events, ...states, ...rooms])
}

/** Public pages of a course and its checkouts, the page of a free order, and the order as the owner sees it. */
async function behindCheckouts(pages: readonly SentPage[], people: readonly Crawler[]): Promise<SentPage[]> {
  const paths = [...new Set(pages.flatMap(({ html }) => html.match(/\/checkout\/[0-9a-f-]{36}/g) ?? []))]
  const opened = await crawlPages(
    VISITOR,
    paths.map((path) => addressOf('demo', path)),
  )
  const free = opened.find(({ html }) => html.includes('data-total="0"'))
  if (!free) return opened
  const buyer = { name: 'Покупець', email: `buyer-${Date.now()}@kafedra.test`, consent: 'on', shownTotal: '0' }
  const { headers } = await requestPage(VISITOR, free.url, new URLSearchParams({ intent: 'order', ...buyer }))
  const owner = people.filter(({ name }) => name === staffEmail('owner'))
  return [
    ...opened,
    ...(await crawlPages(VISITOR, [new URL(headers.location ?? '', free.url).href])),
    ...(await Promise.all(owner.map((person) => crawlPages(person, [addressOf('demo', '/orders')])))).flat(),
  ]
}

/** The tests that an author sees, opened as the demo student. */
async function behindTests(pages: readonly SentPage[], people: readonly Crawler[]): Promise<SentPage[]> {
  const ids = pages.flatMap(({ html }) => [...html.matchAll(/[?&](?:amp;)?quiz=([0-9a-f-]{36})/g)].map(([, id]) => id))
  const tests = [...new Set(ids)].flatMap((id) => ['', '/questions', '/result'].map((part) => `/test/${id}${part}`))
  const student = people.find(({ name }) => name === STUDENT) ?? VISITOR
  const found: SentPage[] = []
  for (const path of tests) {
    const url = new URL(addressOf('go', path))
    const answer = await requestPage(student, url)
    // Without a running attempt its page redirects to the test.
    if (answer.status !== 303) found.push(createSentPage(student, 'GET', url, answer))
  }
  return found
}

/** A sign-up with a pending code, and an invitation opened by another user and by a visitor. */
async function pagesOfSentEmails(people: readonly Crawler[]): Promise<SentPage[]> {
  const mark = Date.now().toString(36)
  const school = {
    organisation: 'Школа',
    firstName: 'Олена',
    subdomain: `html-${mark}`,
    email: `html-${mark}@kafedra.test`,
  }
  const register = new URL(addressOf(null, '/register'))
  const form = new URLSearchParams({ ...school, password: DEMO_PASSWORD, passwordConfirmation: DEMO_PASSWORD })
  const { cookies } = await requestPage(VISITOR, register, form)
  const waiting = { name: 'registered', cookie: `${VISITOR.cookie}; pending=${cookies.pending}` }
  const invitation = await invite(`invited-${mark}@kafedra.test`, people)
  const other = people.filter(({ name }) => name === STUDENT)
  return [
    ...(await crawlPages(waiting, [addressOf(null, '/email-verify')])),
    ...(await Promise.all([...other, VISITOR].map((person) => crawlPages(person, [invitation])))).flat(),
  ]
}

/** The link in the invitation email to a student. */
async function invite(email: string, people: readonly Crawler[]): Promise<string> {
  const owner = people.find(({ name }) => name === staffEmail('owner'))
  const { hostname, port, origin } = new URL(addressOf('demo'))
  const headers = { origin, cookie: owner?.cookie ?? '' }
  await sendRequest(Number(port), hostname, '/v1/module/student/invite', { body: { email }, headers })
  const outbox = addressOf(null, '/dev/outbox')
  let link: string | undefined
  await expect
    .poll(async () => {
      const { body } = await requestPage(VISITOR, new URL(outbox))
      const [, letter = ''] = new RegExp(`href="(\\?email=[^"]+)"[^>]*>(?:(?!</a>).)*${email}`, 's').exec(body) ?? []
      const opened = letter ? await requestPage(VISITOR, new URL(letter, outbox)) : null
      link = /https?:[^\s"<]*\/invite-accept[^\s"<]*/.exec(opened?.body ?? '')?.[0].replaceAll('&amp;', '&')
      return link
    })
    .toBeTruthy()
  return link ?? ''
}

/** A form that is posted by another site is refused. */
async function fromElsewhere(): Promise<SentPage> {
  const url = new URL(addressOf(null, '/login'))
  const answer = await requestPage(VISITOR, url, new URLSearchParams(), 'https://elsewhere.example')
  expect(answer.status).toBe(403)
  return createSentPage({ ...VISITOR, name: 'elsewhere' }, 'POST', url, answer)
}
