import { constantLocals } from '../constant-locals.ts'
import { makeConstantTree } from '../constant-page.ts'
import { duel, type Pace, type Target } from '../duel.ts'
import { overSocket, type Product, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import type { School } from '../schools.ts'
import { alike, duelRow, statementsOf } from '../speed.ts'
import { type Stage, startCounted } from '../stage.ts'
import { CACHED_FUNCTIONS } from './cached-functions.ts'

interface Page {
  label: string
  subdomain: (school: School) => string
  token: (school: School) => string
  path: (school: School) => string
  /** Maximum number of statements that counts as constant. */
  most: number
  pace?: Pace
}

const learner = {
  subdomain: () => 'go',
  token: ({ long }: School) => long.studentToken,
}
const staff = {
  subdomain: (school: School) => school.subdomain,
  token: ({ ownerToken }: School) => ownerToken,
}

const PAGES: readonly Page[] = [
  { ...learner, label: '/course/view of 300 lessons', path: ({ long }) => `/course/view/${long.courseId}`, most: 10 },
  { ...learner, label: '/course/lesson of 300', path: ({ long }) => `/course/lesson/${long.lessonId}`, most: 14 },
  { ...staff, label: '/homework', path: () => '/homework', most: 10 },
  {
    ...staff,
    label: 'matrix of 50 × 300',
    path: ({ long }) => `/course/edit/${long.courseId}?tab=access`,
    most: 14,
    pace: { rounds: 3, seconds: 6, connections: 4 },
  },
]

/** Learning pages compared with the same pages from constants, and in a big school compared with a small one. */
export async function learningPages({ product, small, big, socketDir }: Stage): Promise<Section> {
  const paths: Record<string, object> = {}
  for (const page of PAGES) paths[page.path(big).split('?')[0] ?? ''] = await localsOf(socketDir, page, big)
  const modules = Object.entries(CACHED_FUNCTIONS).map(([module, cached]) => ({ module, cached }))
  const root = await makeConstantTree({ paths }, ...modules)
  const still = await startProduct(overSocket(socketDir), { root, more: { JOBS_IN_PROCESS: 'false' } })
  const rows: Row[] = []
  for (const page of PAGES) {
    const [ours, constants, little] = [
      target(product, page, big),
      target(still, page, big),
      target(product, page, small),
    ]
    await alike(ours, constants)
    rows.push(duelRow(page.label, await duel(ours, constants, page.pace), 0.3))
    rows.push(costRow(page.label, await duel(ours, little, page.pace)))
  }
  await still.stop()
  const counted = await startCounted(socketDir)
  for (const page of PAGES) {
    for (const [name, school] of Object.entries({ small, big })) {
      const count = await statementsOf(counted, target(counted.product, page, school))
      rows.push(limitRow(`${page.label}, ${name} school, statements`, count.statements, '', page.most))
    }
  }
  await counted.product.stop()
  return {
    title: 'Learning',
    note: 'A course of 300 lessons, 20,000 students, 1,000,000 rows of progress, 30,000 submissions; small: a hundredth of the students. Baseline P as for a cabinet page.',
    rows,
  }
}

function target(at: Product, { subdomain, token, path }: Page, school: School): Target {
  return { pid: at.pid, port: at.port, path: path(school), headers: at.headersFor(subdomain(school), token(school)) }
}

function costRow(label: string, { ours, baseline, ratio }: Awaited<ReturnType<typeof duel>>): Row {
  return {
    label: `${label}, big school’s cost over the small one’s`,
    ours: `${ours.toFixed(0)}/s`,
    baseline: `${baseline.toFixed(0)}/s`,
    result: (1 / ratio).toFixed(2),
    goal: '≤ 1.3',
    reached: 1 / ratio <= 1.3,
  }
}

function localsOf(socketDir: string, page: Page, school: School): Promise<object> {
  const path = page.path(school).split('?')[0] ?? ''
  return constantLocals(socketDir, { label: page.subdomain(school), token: page.token(school), path })
}
