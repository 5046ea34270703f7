import fs from 'node:fs'
import { type Captured, type CapturedRequest, capture } from './captured.ts'
import { buildBareAstro, makeConstantTree } from './constant-page.ts'
import { type Duel, duel, type Target } from './duel.ts'
import { freePort, run, temporary, untilListening } from './processes.ts'
import { overSocket, type Product, startProduct } from './product.ts'
import { limitRow, type Row, ratioRow, type Section } from './report.ts'
import type { School } from './schools.ts'
import { type Stage, startCounted } from './stage.ts'
import type { Count, Wire } from './trips.ts'

const SESSION_INFO = '/v1/module/user/getSessionInfo'

/** Public pages compared with a plain node:http server that sends the same bytes. */
export async function publicPages({ product, big }: Stage): Promise<Section> {
  const ours = ['/', '/login', '/register'].map((path) => ({ label: path, path, subdomain: '' }))
  const roadmap = { label: '/roadmap of 300 stops', path: `/roadmap/${big.long.roadmapId}`, subdomain: big.subdomain }
  const { webinarId, masterclassId } = big.events
  const events = [
    { label: '/workshops/register', path: `/workshops/register/${webinarId}`, subdomain: big.subdomain },
    { label: '/masterclass', path: `/masterclass/${masterclassId}`, subdomain: big.subdomain },
  ]
  const pages = [...ours, roadmap, ...events].flatMap(({ subdomain, ...page }) =>
    (['uk', 'en'] as const).map((locale) => ({
      ...page,
      locale,
      headers: product.headersFor(subdomain, undefined, locale),
    })),
  )
  const answers: { port: number; answer: Captured }[] = []
  for (const { path, headers } of pages) {
    const request = { port: product.port, path, headers }
    await settled(request)
    answers.push({ port: await freePort(), answer: await good(request) })
  }
  const file = `${temporary('bytes')}/answers.json`
  fs.writeFileSync(file, JSON.stringify(answers))
  const bare = run(import.meta.dirname, ['bare-node.ts', file], {})
  const rows: Row[] = []
  for (const [index, { label, path, locale, headers }] of pages.entries()) {
    const port = answers[index]?.port ?? 0
    await untilListening(bare, port)
    const measured = await duel(
      { pid: product.pid, port: product.port, path, headers },
      { pid: bare.pid, port, path, headers },
    )
    rows.push(duelRow(`${label} ${locale}`, measured, 0.5))
  }
  await bare.stop()
  return {
    title: 'Public pages',
    note: 'Baseline N: a bare node:http server that sends the same bytes, headers included.',
    rows,
  }
}

/** `getSessionInfo` compared with a plain Astro endpoint that returns the same JSON. */
export async function sessionInfo({ product, big, socketDir }: Stage): Promise<Section> {
  const headers = { ...product.headersFor(big.subdomain, big.ownerToken), accept: 'application/json' }
  const request = { port: product.port, path: SESSION_INFO, headers: { ...headers, 'accept-encoding': 'identity' } }
  const answer = await good(request)
  const dist = await buildBareAstro(Buffer.from(answer.body, 'base64').toString())
  const port = await freePort()
  const bare = run(import.meta.dirname, ['bare-astro.ts', dist, String(port)], {})
  await untilListening(bare, port)
  const measured = await duel(
    { pid: product.pid, port: product.port, path: SESSION_INFO, headers },
    { pid: bare.pid, port, path: '/answer', headers },
  )
  await bare.stop()
  const counted = await startCounted(socketDir)
  const count = await perRequest(counted, big, SESSION_INFO)
  await counted.product.stop()
  return {
    title: 'The session call',
    note: 'Baseline E: an Astro endpoint in a separate project that returns the same JSON; no session, no database.',
    rows: [
      duelRow('getSessionInfo', measured, 0.4),
      limitRow('getSessionInfo, database round trips', count.trips, '', 2),
    ],
  }
}

/**
 * The staff's course list compared with the same page from constants, and in a big school compared with a small one.
 */
export async function cabinetPage({ product, small, big, socketDir }: Stage): Promise<Section> {
  const { locals, courses } = await constants(socketDir, big)
  const root = await makeConstantTree(locals, { module: 'course', results: { listCourses: courses } })
  const still = await startProduct(overSocket(socketDir), { root, more: { JOBS_IN_PROCESS: 'false' } })
  const target = (at: Product, school: School): Target => ({
    pid: at.pid,
    port: at.port,
    path: '/courses',
    headers: at.headersFor(school.subdomain, school.ownerToken),
  })
  await alike(target(product, big), target(still, big))
  const measured = await duel(target(product, big), target(still, big))
  await still.stop()
  const sizes = await duel(target(product, big), target(product, small))
  const counted = await startCounted(socketDir)
  const rows = [duelRow('/courses', measured, 0.35)]
  rows.push({
    label: '/courses, big school’s cost over the small one’s',
    ours: `${sizes.ours.toFixed(0)}/s, 500 courses, 20,000 students`,
    baseline: `${sizes.baseline.toFixed(0)}/s, 5 courses, 200 students`,
    result: (1 / sizes.ratio).toFixed(2),
    goal: '≤ 1.2',
    reached: 1 / sizes.ratio <= 1.2,
  })
  for (const [school, size] of [
    [small, 'small'],
    [big, 'big'],
  ] as const) {
    const count = await perRequest(counted, school, '/courses')
    rows.push(limitRow(`/courses, ${size} school, statements`, count.statements, '', 4))
    rows.push(limitRow(`/courses, ${size} school, round trips`, count.trips, '', 4))
  }
  await counted.product.stop()
  return {
    title: 'A cabinet page',
    note: 'Baseline P: the same page of the same tree with constant locals and constant rows; no session, no database.',
    rows,
  }
}

/** A row of the results of a comparison. */
export function duelRow(label: string, { ours, baseline, ratio, cpuRatio }: Duel, goal: number): Row {
  return ratioRow(
    label,
    `${ours.toFixed(0)}/s`,
    `${baseline.toFixed(0)}/s (by CPU ${cpuRatio.toFixed(2)})`,
    ratio,
    goal,
  )
}

async function good(request: CapturedRequest): Promise<Captured> {
  const answer = await capture(request)
  if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}`)
  return answer
}

// The compressed form of a cached page is created in the background: two equal responses mean that it exists.
async function settled(request: CapturedRequest): Promise<void> {
  for (let before = ''; ; await new Promise((resolve) => setTimeout(resolve, 300))) {
    const { body } = await good(request)
    if (body === before) return
    before = body
  }
}

/** The compared pages must be equal: the same length except for request-specific numbers. */
export async function alike(first: Target, other: Target): Promise<void> {
  const plain = (target: Target) => good({ ...target, headers: { ...target.headers, 'accept-encoding': 'identity' } })
  const [ours, theirs] = [(await plain(first)).body.length, (await plain(other)).body.length]
  if (Math.abs(ours - theirs) > 0.02 * ours) throw new Error(`not the same page: ${ours} and ${theirs} characters`)
}

/** Statements and round trips of one request. */
export function perRequest(counted: Counted, school: School, path: string): Promise<Count> {
  const { port, headersFor } = counted.product
  return statementsOf(counted, { port, path, headers: headersFor(school.subdomain, school.ownerToken) })
}

interface Counted {
  product: Product
  wire: Wire
}

/** The same for any request. */
export async function statementsOf({ wire }: Counted, { port, path, headers }: CapturedRequest): Promise<Count> {
  const request = { port, path, headers }
  await good(request)
  const before = { ...wire.counted }
  const times = 20
  for (let n = 0; n < times; n++) await good(request)
  return {
    trips: (wire.counted.trips - before.trips) / times,
    statements: (wire.counted.statements - before.statements) / times,
  }
}

// The locals that middleware and HTTP server compute for this person.
async function constants(socketDir: string, school: School) {
  process.env.DATABASE_URL = overSocket(socketDir)
  const { findActor } = await import('#lib/user/session.ts')
  const { listCourses } = await import('#lib/course/course.ts')
  const { ListCourses } = await import('#lib/course/schema.ts')
  const { findRoute } = await import('#lib/core/access/routes.ts')
  const actor = await findActor(school.ownerToken, school.subdomain)
  if (!actor) throw new Error('the owner is not signed in')
  const courses = await listCourses(actor, ListCourses.parse({}))
  delete process.env.DATABASE_URL
  const host = { kind: 'school', subdomain: school.subdomain }
  const locals = { host, actor, route: findRoute('/courses'), token: null, notice: null, locale: 'uk', theme: 'system' }
  return {
    courses,
    locals: { ...locals, school: { id: actor.tenantId, name: actor.tenantName, subdomain: actor.subdomain } },
  }
}
