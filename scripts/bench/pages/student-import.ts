import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { memoryOf } from '../processes.ts'
import type { Product } from '../product.ts'
import { limitRow, type Row, ratioRow } from '../report.ts'
import type { StudentSchool } from './student-schools.ts'

const ROWS = 10_000

/** The job of an import of 10,000 students into a course against inserts of as many rows into the same tables. */
export async function importRow(product: Product, client: pg.Client, school: StudentSchool): Promise<Row> {
  const importId = randomUUID()
  const emails = Array.from({ length: ROWS }, (_, n) => `imported-${n}@import.test`)
  const post = (fields: Record<string, string>) =>
    postForm(product, school, '/students?tab=import', { importId, ...fields })
  await post({ act: 'uploadImport', text: emails.join('\n') })
  await post({ act: 'mapImport', field: 'email', courseId: school.courseId })
  const since = performance.now()
  await post({ act: 'startImport' })
  while (!(await isImported(client, school, importId))) await wait(20)
  const ours = performance.now() - since
  const bare = await insertBare(client, school)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return ratioRow(`import of ${ROWS} students`, seconds(ours), seconds(bare), bare / ours, 0.3)
}

/** The highest memory of the product while it writes the list of all students, over that before. */
export async function exportRow(product: Product, school: StudentSchool, format: 'csv' | 'xlsx'): Promise<Row> {
  const before = memoryOf(product.pid)
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, memoryOf(product.pid))
  }, 20)
  const bytes = await download(product, school, `/v1/students.${format}`)
  clearInterval(timer)
  const row = limitRow(`export of 50,000 as ${format}, additional memory`, highest - before, ' MB', 50)
  return { ...row, baseline: `${(bytes / 1024 ** 2).toFixed(1)} MB written` }
}

async function isImported(client: pg.Client, school: StudentSchool, importId: string): Promise<boolean> {
  await client.query("select set_config('app.tenant_id', $1, false)", [school.tenantId])
  const { rows } = await client.query<{ state: string }>('select state from student_import where id = $1', [importId])
  return rows[0]?.state === 'done'
}

async function insertBare(client: pg.Client, { tenantId, courseId }: StudentSchool): Promise<number> {
  const since = performance.now()
  await client.query("select set_config('app.tenant_id', $1, false)", [tenantId])
  for (let from = 0; from < ROWS; from += 500) {
    await client.query(INSERT, [tenantId, courseId, from, from + 499])
  }
  return performance.now() - since
}

const INSERT = `
  with people as (
    insert into "user" (id, email) select uuidv7(), 'bare-' || n || '@import.test' from generate_series($3::int, $4::int) n
    returning id),
  members as (
    insert into membership (tenant_id, id, user_id, account_type, roles, status)
    select $1::uuid, uuidv7(), id, 'ACCOUNT_TYPE_STUDENT', '{STUDENT}', 'invited' from people returning id)
  insert into access_grant (tenant_id, id, student_id, course_id, source_type)
  select $1::uuid, uuidv7(), id, $2::uuid, 'manual' from members`

function postForm(
  product: Product,
  school: StudentSchool,
  path: string,
  fields: Record<string, string>,
): Promise<void> {
  const headers = product.asked(school.subdomain, school.ownerToken)
  const body = new URLSearchParams(fields).toString()
  const options = {
    host: '127.0.0.1',
    port: product.port,
    path,
    method: 'POST',
    headers: { ...headers, origin: `http://${headers.host}`, 'content-type': 'application/x-www-form-urlencoded' },
  }
  return new Promise((resolve, reject) => {
    const request = http.request(options, (response) => {
      response.resume()
      const isRedirect = response.statusCode === 302 || response.statusCode === 303
      response.on('end', () => (isRedirect ? resolve() : reject(new Error(`${fields.act}: ${response.statusCode}`))))
    })
    request.on('error', reject)
    request.end(body)
  })
}

function download(product: Product, school: StudentSchool, path: string): Promise<number> {
  const headers = product.asked(school.subdomain, school.ownerToken)
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port: product.port, path, headers }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('error', reject)
        response.on('end', () =>
          response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
        )
      })
      .on('error', reject)
  })
}
