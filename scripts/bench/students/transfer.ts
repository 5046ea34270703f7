import http from 'node:http'
import { memoryOf } from '../processes.ts'
import type { Product } from '../product.ts'
import { limitRow, type Row, ratioRow } from '../report.ts'
import { runProgram } from './program.ts'
import type { StudentSchool } from './student-schools.ts'

const IMPORTED = 10_000
const ROUNDS = 3

/** The memory that an export of all students takes in the server process, as CSV and as XLSX. */
export async function exportRows(product: Product, small: StudentSchool, big: StudentSchool): Promise<Row[]> {
  const rows: Row[] = []
  for (const format of ['csv', 'xlsx']) {
    // Modules that the first export loads, and the heap that V8 reserves under any load, are not memory of the export.
    for (let n = 0; n < 20; n++) await download(product, small, format)
    const before = memoryOf(product.pid)
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, memoryOf(product.pid))
    }, 20)
    const begun = performance.now()
    const bytes = await download(product, big, format)
    const seconds = (performance.now() - begun) / 1000
    clearInterval(watch)
    const row = limitRow(`export of ${big.size} students as ${format}, additional memory`, most - before, ' MB', 50)
    rows.push({ ...row, baseline: `${(bytes / 1024 ** 2).toFixed(1)} MB in ${seconds.toFixed(1)} s` })
  }
  return rows
}

function download(product: Product, school: StudentSchool, format: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = product.headersFor(school.subdomain, school.ownerToken)
  const request = http.get({ host: '127.0.0.1', port: product.port, path: `/v1/students.${format}`, headers })
  request.on('error', reject)
  request.on('response', (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.on('error', reject)
    response.on('end', () =>
      response.statusCode === 200 ? resolve(bytes) : reject(new Error(`the export answered ${response.statusCode}`)),
    )
  })
  return promise
}

export interface ImportTimes {
  uploadMs: number
  dryRunMs: number
  runMs: number
  bareMs: number
}

/** An import of 10,000 rows compared with plain inserts into the same tables. */
export async function importRows(database: string, school: StudentSchool): Promise<Row[]> {
  const { subdomain, ownerToken, courseId } = school
  const times = await runProgram<ImportTimes[]>('import-program.ts', database, [
    subdomain,
    ownerToken,
    courseId,
    String(IMPORTED),
    String(ROUNDS),
  ])
  const middle = (pick: (each: ImportTimes) => number) =>
    times.map(pick).sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  const ours = middle(({ uploadMs, dryRunMs, runMs }) => uploadMs + dryRunMs + runMs)
  const bare = middle(({ bareMs }) => bareMs)
  const parts = [middle(({ uploadMs }) => uploadMs), middle(({ dryRunMs }) => dryRunMs), middle(({ runMs }) => runMs)]
  const detail = `${seconds(ours)} (file, dry run, job: ${parts.map(seconds).join(', ')})`
  return [ratioRow(`import of ${IMPORTED} rows with a course and a tag`, detail, seconds(bare), bare / ours, 0.3)]
}
