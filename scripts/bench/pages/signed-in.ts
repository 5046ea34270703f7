import fs from 'node:fs'
import { type Captured, capture } from '../captured.ts'
import { duel } from '../duel.ts'
import { freePort, memoryOf, run, temporary, untilListening } from '../processes.ts'
import type { Product } from '../product.ts'
import { limitRow, type Row, ratioRow, type Section } from '../report.ts'
import type { School } from '../schools.ts'
import { statementsOf } from '../speed.ts'
import { type Stage, startCounted } from '../stage.ts'

interface Page {
  name: string
  path: (school: School) => string
  isStudent?: boolean
  /** The least part of the bare server's rate. */
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

const CONNECTIONS = 16

/** Pages for a signed-in person against a bare node:http server that sends the same bytes, and their round trips. */
export async function signedInPages({ product, big, small, socketDir }: Stage): Promise<Section> {
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
  const rows: Row[] = []
  const memory: { requests: number; megabytes: number }[] = []
  let requests = 0
  for (const [index, page] of PAGES.entries()) {
    const port = answers[index]?.port ?? 0
    await untilListening(bare, port)
    const request = requestOf(product, page, big)
    const ours = { ...request, pid: product.pid }
    const measured = await duel(ours, { ...request, pid: bare.pid, port }, { connections: CONNECTIONS })
    const bareRate = `${measured.baseline.toFixed(0)}/s (by CPU 1/${(1 / measured.cpuRatio).toFixed(0)})`
    const row = ratioRow(page.name, `${measured.ours.toFixed(0)}/s`, bareRate, measured.ratio, page.goal)
    rows.push({ ...row, result: `1/${(1 / measured.ratio).toFixed(1)}`, goal: `≥ 1/${Math.round(1 / page.goal)}` })
    rows.push(limitRow(`${page.name}, p99 to p50`, measured.tail, '', 3, 1))
    const sizes = await duel(ours, { ...ours, ...requestOf(product, page, small) }, { connections: CONNECTIONS })
    rows.push(limitRow(`${page.name}, large school to small one`, 1 / sizes.ratio, '', 1.2, 2))
    requests += measured.requests.ours + sizes.requests.ours + sizes.requests.baseline
    memory.push({ requests, megabytes: memoryOf(product.pid) })
  }
  await bare.stop()
  rows.push(...memoryRows(memory))
  const counted = await startCounted(socketDir)
  for (const page of PAGES) {
    const { trips, statements } = await statementsOf(counted, requestOf(counted.product, page, big))
    rows.push(limitRow(`${page.name}, round trips`, trips, '', 3, 1))
    rows.push(limitRow(`${page.name}, statements`, statements, '', null, 1))
  }
  await counted.product.stop()
  return {
    title: 'Signed-in pages',
    note: 'Baseline N: a bare node:http server that sends the same bytes, headers included; 16 connections. The cost of a large school (500 courses, 20,000 students) over a small one (5 and 200). Round trips: see scripts/bench/trips.ts.',
    rows,
  }
}

export function requestOf({ port, asked }: Product, { path, isStudent, accept }: Page, school: School) {
  const headers = isStudent ? asked('go', school.studentToken) : asked(school.subdomain, school.ownerToken)
  return { port, path: path(school), headers: accept ? { ...headers, accept } : headers }
}

/** Resident memory of the process that has answered all the requests, and what the second half of them added. */
function memoryRows(samples: readonly { requests: number; megabytes: number }[]): Row[] {
  const last = samples.at(-1)
  const middle = samples.findLast(({ requests }) => requests <= (last?.requests ?? 0) / 2)
  if (!last || !middle) return []
  return [
    limitRow(`resident memory after ${last.requests} requests`, last.megabytes, ' MB', 450),
    limitRow(`more than after ${middle.requests} requests`, last.megabytes - middle.megabytes, ' MB', 40),
  ]
}
