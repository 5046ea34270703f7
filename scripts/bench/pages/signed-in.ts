import fs from 'node:fs'
import { type Captured, capture } from '../captured.ts'
import { constantLocals } from '../constant-locals.ts'
import { makeConstantTree } from '../constant-page.ts'
import { type Contestant, contest, type Target } from '../duel.ts'
import { type Child, freePort, run, temporary, untilListening } from '../processes.ts'
import { overSocket, type Product, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import type { School } from '../schools.ts'
import { statementsOf } from '../speed.ts'
import { type Stage, startCounted } from '../stage.ts'
import { CACHED_FUNCTIONS } from './cached-functions.ts'

export interface Page {
  name: string
  path: (school: School) => string
  isStudent?: boolean
  /** Minimum share of the plain server's rate. */
  goal: number
  accept?: string
}

const PAGE_GOAL = 1 / 25

export const PAGES: readonly Page[] = [
  { name: 'dashboard', path: () => '/', goal: PAGE_GOAL },
  { name: 'student /profile', path: () => '/profile', isStudent: true, goal: PAGE_GOAL },
  { name: 'student /courses', path: () => '/courses', isStudent: true, goal: PAGE_GOAL },
  { name: '/homework', path: () => '/homework', goal: PAGE_GOAL },
  { name: 'lesson', path: ({ lessonId }) => `/course/lesson/${lessonId}`, isStudent: true, goal: PAGE_GOAL },
  { name: '/course/view', path: ({ courseId }) => `/course/view/${courseId}`, isStudent: true, goal: PAGE_GOAL },
  { name: '/workshops', path: () => '/workshops', goal: PAGE_GOAL },
  { name: '/courses', path: () => '/courses', goal: PAGE_GOAL },
  { name: '/storage', path: () => '/storage', goal: PAGE_GOAL },
  { name: 'session call', path: () => '/v1/module/user/getSessionInfo', goal: 1 / 8, accept: 'application/json' },
]

const PACE = { connections: 16, rounds: 3 }

/** Pages for a signed-in person compared with two baselines, in a small school, and their round trips. */
export async function signedInPages(stage: Stage): Promise<Section> {
  const { product, big, small, socketDir } = stage
  const constants = await startConstants(stage)
  const { bare, ports } = await startBare(stage)
  const rows: Row[] = []
  for (const [index, page] of PAGES.entries()) {
    const request = requestOf(product, page, big)
    const ours = { ...request, pid: product.pid }
    const port = ports[index] ?? 0
    await untilListening(bare, port)
    const isPage = page.accept === undefined
    const targets: Target[] = [
      ours,
      { ...request, pid: bare.pid, port },
      { ...ours, ...requestOf(product, page, small) },
    ]
    if (isPage) targets.push({ ...requestOf(constants, page, big), pid: constants.pid })
    rows.push(...pageRowsOf(page, await contest(targets, PACE)))
  }
  await bare.stop()
  await constants.stop()
  const counted = await startCounted(socketDir)
  for (const page of PAGES) {
    const { trips, statements } = await statementsOf(counted, requestOf(counted.product, page, big))
    rows.push(limitRow(`${page.name}, round trips`, trips, '', 3, 1))
    rows.push(limitRow(`${page.name}, statements`, statements, '', null, 1))
  }
  await counted.product.stop()
  return {
    title: 'Signed-in pages',
    note: 'Baseline N: a bare node:http server that sends the same bytes, headers included; 16 connections. Baseline P: the same page from constants, without session and database. Processor time is that of the web process, all threads, without PostgreSQL. The cost of a large school (500 courses, 20,000 students) over a small one (12 and 200). Round trips: see scripts/bench/trips.ts.',
    rows,
  }
}

export function requestOf({ port, headersFor }: Product, { path, isStudent, accept }: Page, school: School) {
  const headers = isStudent ? headersFor('go', school.studentToken) : headersFor(school.subdomain, school.ownerToken)
  return { port, path: path(school), headers: accept ? { ...headers, accept } : headers }
}

function pageRowsOf({ name, goal }: Page, [ours, bare, small, constants]: Contestant[]): Row[] {
  if (!ours || !bare || !small) throw new Error(`${name} was not measured`)
  const speed = ({ rate, cpu }: Contestant) => `${rate.toFixed(0)}/s, ${cpu.toFixed(2)} ms CPU`
  const part = (ratio: number) => `1/${(1 / ratio).toFixed(1)}`
  const [byRate, byCpu] = [ours.rate / bare.rate, bare.cpu / ours.cpu]
  return [
    {
      label: name,
      ours: speed(ours),
      baseline: `N ${speed(bare)}${constants ? `; P ${speed(constants)}` : ''}`,
      result: `${part(byRate)}, by CPU ${part(byCpu)}`,
      goal: `≥ 1/${Math.round(1 / goal)}`,
      reached: byRate >= goal,
    },
    limitRow(`${name}, p99 to p50`, ours.tail, '', 3, 1),
    limitRow(`${name}, large school to small one`, small.rate / ours.rate, '', 1.2, 2),
  ]
}

async function startConstants({ socketDir, big }: Stage): Promise<Product> {
  const paths: Record<string, object> = {}
  for (const page of PAGES) {
    const label = page.isStudent ? 'go' : big.subdomain
    const token = page.isStudent ? big.studentToken : big.ownerToken
    const path = page.path(big)
    paths[label + path] = await constantLocals(socketDir, { label, token, path })
  }
  const modules = Object.entries(CACHED_FUNCTIONS).map(([module, cached]) => ({ module, cached }))
  const root = await makeConstantTree({ paths }, ...modules)
  return startProduct(overSocket(socketDir), { root, more: { JOBS_IN_PROCESS: 'false' } })
}

async function startBare({ product, big }: Stage): Promise<{ bare: Child; ports: number[] }> {
  const answers: { port: number; answer: Captured }[] = []
  for (const page of PAGES) {
    const request = requestOf(product, page, big)
    await capture(request)
    const answer = await capture(request)
    if (answer.status !== 200) throw new Error(`${page.name} answered ${answer.status}`)
    answers.push({ port: await freePort(), answer })
  }
  const file = `${temporary('bytes')}/answers.json`
  fs.writeFileSync(file, JSON.stringify(answers))
  const bare = run(`${import.meta.dirname}/..`, ['bare-node.ts', file], {})
  return { bare, ports: answers.map(({ port }) => port) }
}
