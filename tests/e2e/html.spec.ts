import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ROUTES } from '../../src/lib/core/access/routes.ts'
import { sendRequest } from '../setup/media/http-request.ts'
import { type Crawler, crawlPages, createSentPage, requestPage, type SentPage } from './support/crawl.ts'
import { addressOf, DEMO_PASSWORD, expect, STUDENT, staffEmail, test } from './support/test.ts'

test.setTimeout(600_000)

const VISITOR = { name: 'visitor', cookie: 'locale=uk' }
const STAFF = (['owner', 'curator', 'presenter', 'moderator', 'mentor', 'member'] as const).map(staffEmail)
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
  '/500?message=forbidden',
  '/v1/docs',
  '/dev/outbox',
  '/dev/styleguide',
  '/dev/broadcast',
]

// The course of the demo school comes first: courses of other tests have no road map.
const STAFF_STARTS = ['/courses?q=Перший+вебінар&status=published', '/']

test('the Nu HTML checker finds no error in any page', async ({ browserName: _ }, info) => {
  const people: Crawler[] = []
  for (const email of [...STAFF, STUDENT]) people.push(await signedIn(email))
  const strangers = [...PUBLIC.map((at) => addressOf(null, at)), addressOf('demo', '/login'), addressOf('nobody', '/')]
  const crawled = await Promise.all([
    crawlPages(VISITOR, strangers),
    ...people.map((person) => {
      const starts = person.name === STUDENT ? [addressOf('go')] : STAFF_STARTS.map((path) => addressOf('demo', path))
      return crawlPages(person, starts)
    }),
  ])
  const pages = crawled.flat()
  pages.push(...(await behindEvents(pages)), ...(await behindLetters(people)), await fromElsewhere())

  const seen = new Set(pages.map(({ pattern }) => pattern))
  const missed = ROUTES.filter(({ pattern }) => hasPage(pattern) && !seen.has(pattern)).map(({ pattern }) => pattern)
  expect(missed, 'routes without a page to check').toEqual([])
  const failed = pages.filter(({ name, status }) => status >= 500 && !name.includes('/500'))
  expect(
    failed.map(({ name }) => name),
    'pages that failed',
  ).toEqual([])
  const taken = pages.filter(({ name, status }) => name.includes(' POST ') && status < 400)
  expect(
    taken.map(({ name }) => name),
    'forms that were taken although they are empty',
  ).toEqual([])
  expect(await errorsIn(pages, info.outputPath('html'))).toEqual([])
})

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

/** A sign-up that waits for its code, and an invitation opened by another user and by a visitor. */
async function behindLetters(people: readonly Crawler[]): Promise<SentPage[]> {
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

/** A form that another site posts is forbidden. */
async function fromElsewhere(): Promise<SentPage> {
  const url = new URL(addressOf(null, '/login'))
  const answer = await requestPage(VISITOR, url, new URLSearchParams(), 'https://elsewhere.example')
  expect(answer.status).toBe(403)
  return createSentPage(`elsewhere POST ${url.href}`, url, answer)
}

function hasPage(pattern: string): boolean {
  const source = path.join('src/pages', pattern.replace(/\{(\w+)\}/g, '[$1]'))
  return fs.existsSync(`${source}.astro`) || fs.existsSync(path.join(source, 'index.astro'))
}

const Report = z.object({
  messages: z.array(z.object({ url: z.string().optional(), message: z.string(), extract: z.string().optional() })),
})

/** Attributes of buttons and dialogs in the HTML standard that this version of the checker does not know yet. */
const NEW_ATTRIBUTE = /^Attribute “(command|commandfor|closedby)” not allowed on element “(button|dialog)”/

/** Checks all pages in one process, because its start takes most of the time. */
async function errorsIn(pages: readonly SentPage[], folder: string): Promise<string[]> {
  fs.mkdirSync(folder, { recursive: true })
  const files = pages.map(({ html }, index) => {
    const file = path.join(folder, `${index}.html`)
    fs.writeFileSync(file, html)
    return file
  })
  const jar = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar')
  const options = ['--format', 'json', '--errors-only', '--exit-zero-always', '--stdout']
  const { stdout } = await promisify(execFile)(process.env.JAVA_PATH ?? 'java', ['-jar', jar, ...options, ...files], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { messages } = Report.parse(JSON.parse(stdout))
  return messages
    .filter(({ message }) => !NEW_ATTRIBUTE.test(message))
    .map(({ url = '', message, extract = '' }) => {
      const at = pages[Number(path.basename(url, '.html'))]
      return `${at?.name}: ${message} ${extract.trim()}`
    })
}
